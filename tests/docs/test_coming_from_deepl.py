"""docs/coming-from-deepl.md names every address of the dialects, and every field of DeepL's."""

from __future__ import annotations

import re

from flask import Flask

from service.deepl.parameters import TAG as DEEPL
from service.deepl.translate import DeepLTranslateBody
from service.extensions import TAG as EXTENSIONS
from service.http.endpoint import described
from tests.checkout import ROOT
from tests.docs.pages import code_spans, read
from tests.service.conftest import FakeTranslator, make_app

PAGE = ROOT / "docs" / "coming-from-deepl.md"
ADDRESS = re.compile(r"/[\w/.-]*\w")


def addresses(app: Flask) -> set[str]:
    """Return the addresses of all dialects, with `ID` for what varies."""
    return {
        re.sub(r"<\w+>", "ID", rule.rule)
        for rule, _, endpoint in described(app)
        if endpoint.tag in (DEEPL, EXTENSIONS)
    }


def test_every_address_is_named() -> None:
    named = {found for span in code_spans(read(PAGE)) for found in ADDRESS.findall(span)}
    missing = addresses(make_app(FakeTranslator())) - named
    assert not missing


def test_every_field_of_a_translation_has_a_row() -> None:
    section = read(PAGE).partition("\n## Translate\n")[2].partition("\n### ")[0]
    rows = re.findall(r"(?m)^\| ([^|]*) \|", section)
    named = {*re.findall(r"`(\w+)`", " ".join(rows))}
    assert {*DeepLTranslateBody.model_fields} <= named
    refused = {"style_id", "translation_memory_id", "custom_instructions"}
    assert named - {*DeepLTranslateBody.model_fields} == refused
