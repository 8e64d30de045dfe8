"""What languages there are, and what each can be used for."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.deepl.languages import as_bcp47, support_of
from service.deepl.parameters import base_of, find_deepl_language
from tests.service.conftest import LANGUAGES, FakeTranslator, MakeClient
from translator.pipeline.translation import Language


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


def test_the_kind_may_be_in_the_body_of_a_get(client: FlaskClient) -> None:
    kind = {"type": "target"}
    for asked in ({"query_string": kind}, {"data": kind}, {"json": kind}):
        found = client.get("/v2/languages", **asked).json or []
        assert [one["language"] for one in found] == ["EN-GB", "EN-US", "PT-BR"]
        name = "English (United Kingdom)"
        assert found[0] == {"language": "EN-GB", "name": name, "supports_formality": False}
    assert (client.get("/v2/languages").json or [])[0] == {"language": "DE", "name": "German"}
    assert client.get("/v2/languages?type=odd").status_code == 400
    assert client.get("/v2/languages", json={"type": ["odd"]}).status_code == 400


def test_java_asks_for_them_with_post(client: FlaskClient) -> None:
    for kind, expected in (("source", ["DE", "EN"]), ("target", ["EN-GB", "EN-US", "PT-BR"])):
        found = client.post("/v2/languages", data={"type": kind}).json or []
        assert [one["language"] for one in found] == expected
    assert client.post("/v2/languages", data={"type": "odd"}).status_code == 400


def test_which_targets_can_be_told_how_formal_to_be(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    german = Language(code="de", name="German", targets=("de", "en"))
    english = Language(code="en", name="English", targets=("de", "en"), formality=("de",))
    translator.languages = (german, english)
    found = client.get("/v2/languages?type=target").json or []
    formal = {one["language"]: one["supports_formality"] for one in found}
    assert formal == {"DE": True, "EN-GB": False, "EN-US": False}


@pytest.mark.parametrize(
    ("code", "expected"), [("DE", "de"), ("EN-US", "en-US"), ("ZH-HANS", "zh-Hans")]
)
def test_codes_of_version_3(code: str, expected: str) -> None:
    assert as_bcp47(code) == expected


def test_languages_and_their_features(client: FlaskClient) -> None:
    found = client.get("/v3/languages?resource=translate_text&include=beta").json or []
    used = {one["lang"]: (one["usable_as_source"], one["usable_as_target"]) for one in found}
    assert used == {
        "de": (True, False),
        "en": (True, False),
        "en-GB": (False, True),
        "en-US": (False, True),
        "pt-BR": (False, True),
    }
    assert found[0] == {
        "lang": "de",
        "name": "German",
        "status": "stable",
        "usable_as_source": True,
        "usable_as_target": False,
        "features": {
            name: {"status": "stable"} for name in ("tag_handling", "glossary", "auto_detection")
        },
    }
    assert {*found[2]["features"]} == {"tag_handling", "glossary"}, "it is no source"
    assert not support_of(LANGUAGES, ())[0]["features"]


def test_what_languages_are_used_for(client: FlaskClient) -> None:
    resources = client.get("/v3/languages/resources").json or []
    found = {one["name"]: one["features"] for one in resources}
    assert [*found] == ["translate_text", "translate_document", "glossary"]
    assert found["translate_document"] == [
        {"name": "glossary", "needs_source_support": True, "needs_target_support": True},
        {"name": "auto_detection", "needs_source_support": True},
    ]
    for name in found:
        assert client.get(f"/v3/languages?resource={name}").json


def test_what_is_switched_off_has_no_languages(make_client: MakeClient) -> None:
    client = make_client(files="off", glossaries_limit=0)
    [only] = client.get("/v3/languages/resources").json or []
    assert [one["name"] for one in only["features"]] == ["tag_handling", "auto_detection"]
    for name in ("translate_document", "glossary", "write", "voice"):
        assert client.get(f"/v3/languages?resource={name}").json == []


def test_what_is_refused(client: FlaskClient) -> None:
    for query, message in (
        ("", "Parameter 'resource' not specified."),
        ("?resource=odd", "Value for 'resource' not supported."),
    ):
        answer = client.get(f"/v3/languages{query}")
        assert (answer.status_code, answer.json) == (400, {"message": message})
