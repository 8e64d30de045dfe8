"""docs/coming-from-libretranslate.md names every setting and address of LibreTranslate."""

from __future__ import annotations

import re

from service.config import OF_LIBRETRANSLATE, variable_name
from tests.checkout import ROOT
from tests.docs.pages import code_spans, read

PAGE = ROOT / "docs" / "coming-from-libretranslate.md"
THEIRS = """
alternatives-limit api-keys api-keys-db-path api-keys-remote batch-limit char-limit daily-req-limit
debug disable-files-translation disable-web-ui force-update-models frontend-language
frontend-language-source frontend-language-target frontend-timeout frontend-title get-api-key-link
hide-api host hourly-req-limit hourly-req-limit-decay load-only metrics metrics-auth-token port
req-flood-threshold req-limit req-limit-storage req-time-cost require-api-key-fingerprint
require-api-key-origin require-api-key-secret secondary shared-storage ssl suggestions threads
translation-cache under-attack update-models url-prefix
"""
"""The flags of LibreTranslate 1.9.6, as its --help lists them."""


def test_every_setting_of_libretranslate_has_a_row_and_no_other() -> None:
    table = "\n".join(re.findall(r"(?m)^\| `--.*$", read(PAGE)))
    first_cells = "\n".join(re.findall(r"(?m)^\| ([^|]*) \|", table))
    assert {*re.findall(r"--([\w-]+)", first_cells)} == {*THEIRS.split()}


def test_the_page_and_the_warning_name_the_same_settings() -> None:
    rows = re.findall(r"(?m)^\| (`--[^|]*) \| [^|]* \| ([^|]*) \|", read(PAGE))
    for flags, ours in rows:
        for flag in re.findall(r"--([\w-]+)", flags):
            field = OF_LIBRETRANSLATE.get(flag.replace("-", "_").upper())
            named = re.findall(r"TRANSLATOR_\w+", ours)
            if flag not in ("load-only", "update-models"):  # which are read
                assert field is None if not named else variable_name(str(field)) in named, flag


def test_every_address_of_ours_that_is_theirs_is_named() -> None:
    named = " ".join(code_spans(read(PAGE)))
    for address in ("/translate", "/detect", "/languages", "/health", "/spec", "/docs"):
        assert re.search(rf"(GET|POST) {address}\b", named), address
