"""Codes of errors: each is documented, and said in every language of the pages."""

from __future__ import annotations

import pytest

from service.routes.pages.wording import strings_in, written_in
from service.schemas.codes import CODES, code_of_status
from tests.checkout import ROOT

UNSEEN = {
    *("unauthorized", "not_found", "method_not_allowed", "unsupported_media_type", "client_gone"),
    *("too_large_head", "too_slow_request", "not_ready"),
}
"""Codes that no one meets on a page: of addresses that the pages do not ask, or cannot ask so."""


def test_what_its_status_says_all_of_is_named_by_it() -> None:
    assert code_of_status(504) == "too_slow"
    assert code_of_status(418) == "status_418"


def test_every_code_is_documented() -> None:
    documentation = (ROOT / "docs/serving.md").read_text(encoding="utf-8")
    assert [code for code in CODES if f"`{code}`" not in documentation] == []


@pytest.mark.parametrize("language", written_in())
def test_every_code_that_a_visitor_can_meet_is_said_in_every_language(language: str) -> None:
    assert {*strings_in(language)["errors"]} == {*CODES} - UNSEEN
