"""What each language can be used for."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.dialects.deepl.support import as_bcp47, support_of
from tests.service.conftest import LANGUAGES
from tests.service.dialects.conftest import MakeClient


@pytest.mark.parametrize(
    ("code", "expected"), [("DE", "de"), ("EN-US", "en-US"), ("ZH-HANS", "zh-Hans")]
)
def test_codes(code: str, expected: str) -> None:
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
