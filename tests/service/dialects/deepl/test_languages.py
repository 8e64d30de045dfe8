"""Languages in DeepL's codes."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.dialects.deepl.languages import (
    base_of,
    find_deepl_language,
    sources_of,
    targets_of,
)
from tests.service.conftest import LANGUAGES
from translator.translate.translation import Language


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("DE", "de"),
        ("EN-US", "en"),
        ("en-gb", "en"),
        ("PT-BR", "pt-BR"),
        ("PT", "pt-BR"),
        ("PT-PT", None),
        ("XX", None),
    ],
)
def test_codes(code: str, found: str | None) -> None:
    language = find_deepl_language(code, LANGUAGES)
    assert (language.code if language else None) == found


def test_bases() -> None:
    assert [base_of(code) for code in ("de", "pt-BR", "zh_Hans")] == ["DE", "PT", "ZH"]


def test_only_what_is_translated_is_listed() -> None:
    assert [one["language"] for one in sources_of(LANGUAGES)] == ["DE", "EN"]
    assert targets_of(LANGUAGES)[0] == {
        "language": "EN-GB",
        "name": "English (United Kingdom)",
        "supports_formality": False,
    }


def test_the_kind_may_be_in_the_body_of_a_get(client: FlaskClient) -> None:
    kind = {"type": "target"}
    for asked in ({"query_string": kind}, {"data": kind}, {"json": kind}):
        found = client.get("/v2/languages", **asked).json or []
        assert [one["language"] for one in found] == ["EN-GB", "EN-US", "PT-BR"]
    assert (client.get("/v2/languages").json or [])[0] == {"language": "DE", "name": "German"}
    assert client.get("/v2/languages?type=odd").status_code == 400
    assert client.get("/v2/languages", json={"type": ["odd"]}).status_code == 400


def test_java_asks_for_them_with_post(client: FlaskClient) -> None:
    for kind, expected in (("source", ["DE", "EN"]), ("target", ["EN-GB", "EN-US", "PT-BR"])):
        found = client.post("/v2/languages", data={"type": kind}).json or []
        assert [one["language"] for one in found] == expected
    assert client.post("/v2/languages", data={"type": "odd"}).status_code == 400


def test_which_targets_can_be_told_how_formal_to_be() -> None:
    german = Language(code="de", name="German", targets=("de", "en"))
    english = Language(code="en", name="English", targets=("de", "en"), formality=("de",))
    found = {one["language"]: one["supports_formality"] for one in targets_of((german, english))}
    assert found == {"DE": True, "EN-GB": False, "EN-US": False}
