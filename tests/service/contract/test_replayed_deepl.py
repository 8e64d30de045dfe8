"""What applications send that speak DeepL's API, byte for byte as they do."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app

KEY = {"Authorization": "DeepL-Auth-Key key"}


@pytest.fixture
def client(translator: FakeTranslator, tmp_path: Path) -> FlaskClient:
    config = ServiceConfig(database=str(tmp_path / "database"))
    return make_app(translator, config).test_client()


def test_weblate_learns_the_languages(client: FlaskClient) -> None:
    for kind, expected in (("source", {"DE", "EN"}), ("target", {"EN-GB", "EN-US", "PT-BR"})):
        response = client.get("/v2/languages", query_string={"type": kind}, headers=KEY)
        assert {one["language"] for one in response.json or []} == expected
    pairs = client.get("/v2/glossary-language-pairs", headers=KEY).json or {}
    found = [
        (one["source_lang"].upper(), one["target_lang"].upper())
        for one in pairs["supported_languages"]
    ]
    assert ("DE", "EN") in found


def test_weblate_translates_strings_with_placeholders(client: FlaskClient) -> None:
    entries = {"name": "weblate:1:DE:EN:abc", "source_lang": "DE", "target_lang": "EN"}
    body = {**entries, "entries": "Hut\thut", "entries_format": "tsv"}
    assert client.post("/v2/glossaries", json=body, headers=KEY).status_code == 201
    [kept] = (client.get("/v2/glossaries", headers=KEY).json or {})["glossaries"]
    assert kept["name"] == entries["name"]
    assert datetime.fromisoformat(kept["creation_time"])
    params = {
        "text": ['Ein Hut &amp; <x id="8"></x>', '<x id="0"></x>'],
        "source_lang": "DE",
        "target_lang": "EN",
        "formality": "default",
        "tag_handling": "xml",
        "ignore_tags": ["x"],
        "glossary_id": kept["glossary_id"],
        "model_type": "prefer_quality_optimized",
    }
    response = client.post("/v2/translate", json=params, headers=KEY)
    found = [one["text"] for one in (response.json or {})["translations"]]
    assert found == ['EIN hut &amp; <x id="8"></x>', '<x id="0"></x>']
    gone = client.delete(f"/v2/glossaries/{kept['glossary_id']}", headers=KEY)
    assert gone.status_code == 204


def test_weblate_shows_the_message_of_an_error(client: FlaskClient) -> None:
    params = {"text": ["a"], "source_lang": "DE", "target_lang": "EN", "formality": "more"}
    response = client.post("/v2/translate", json=params, headers=KEY)
    said = "Target language 'EN' doesn't support formality."
    assert (response.status_code, response.json) == (400, {"message": said})


def test_wagtail_localize_sends_a_form_with_its_key(client: FlaskClient) -> None:
    form = {
        "auth_key": "key",
        "text": ['<a id="a1">eins</a>', "zwei &lt;drei&gt;"],
        "tag_handling": "xml",
        "source_lang": "DE",
        "target_lang": "EN",
    }
    response = client.post("/v2/translate", data=form)
    found = [one["text"] for one in (response.json or {})["translations"]]
    assert found == ['<a id="a1">EINS</a>', "ZWEI &lt;DREI&gt;"]
