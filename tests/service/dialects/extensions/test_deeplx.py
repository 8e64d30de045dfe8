"""What clients of DeepLX send, as Zotero's plug-in, KISS Translator, Pot and its README have it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.access.keys import KeyStore
from service.dialects.extensions.deeplx import DeepLXAnswer
from tests.service.dialects.conftest import MakeClient

BODY = {"text": "eins", "source_lang": "DE", "target_lang": "EN"}
GERMAN = "Wir gehen heute nicht nach Hause."


@pytest.mark.parametrize("address", ["/translate", "/deeplx"])
def test_a_text(client: FlaskClient, address: str) -> None:
    said = DeepLXAnswer.model_validate(client.post(address, json=BODY).json)
    assert (said.data, said.source_lang, said.target_lang) == ("EINS", "DE", "EN")
    assert (said.code, said.alternatives, said.method) == (200, [], "Free")


@pytest.mark.parametrize("source", [None, "", "auto", "AUTO"])
def test_a_language_is_detected(client: FlaskClient, source: str | None) -> None:
    body = {"text": GERMAN, "source_lang": source, "target_lang": "EN-US"}
    said = client.post("/translate", json=body).json or {}
    assert (said["data"], said["source_lang"]) == (GERMAN.upper(), "DE")


def test_nothing_is_no_error(client: FlaskClient) -> None:
    assert (client.post("/translate", json={**BODY, "text": ""}).json or {})["data"] == ""


def test_a_language_without_its_region(client: FlaskClient) -> None:
    body = {"text": "one", "source_lang": "EN", "target_lang": "PT"}
    assert (client.post("/translate", json=body).json or {})["target_lang"] == "PT-BR"


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_json_that_is_not_said_to_be_json(client: FlaskClient, kind: str | None) -> None:
    for address in ("/translate", "/deeplx"):
        answer = client.post(address, data=json.dumps(BODY), content_type=kind)
        assert (answer.json or {})["data"] == "EINS"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("xml", "<a>EINS</a><!-- b -->"),
        ("html", "<a>EINS</a><!-- b -->"),
        ("", "<A>EINS</A><!-- B -->"),
        (None, "<A>EINS</A><!-- B -->"),
    ],
)
def test_tags(client: FlaskClient, markup: str | None, expected: str) -> None:
    body = {**BODY, "text": "<a>eins</a><!-- b -->", "tag_handling": markup}
    assert (client.post("/translate", json=body).json or {})["data"] == expected


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": ["a"]}, "text must be a string, got an array"),
        ({"text": None}, "text must be a string, got null"),
        ({"target_lang": ""}, "missing target parameter"),
        ({"target_lang": "XX"}, "xx is not supported"),
        ({"source_lang": "JP"}, "jp is not supported"),
        ({"tag_handling": "odd"}, "Invalid tag_handling value"),
        ({"target_lang": 5}, "target_lang must be a string, got a number"),
    ],
)
def test_what_is_refused(client: FlaskClient, fields: dict[str, Any], message: str) -> None:
    answer = client.post("/translate", json={**BODY, **fields})
    assert (answer.status_code, message in (answer.json or {})["error"]) == (400, True)


@pytest.mark.parametrize(
    "body",
    [
        b'q=say "text" and "target_lang"&source=de&target=en',
        b'{"q": "a", "target_lang": "en"}',
        b'{"target_lang": "en"}',
    ],
)
def test_what_is_not_for_it_comes_to_the_other_handler(client: FlaskClient, body: bytes) -> None:
    form = not body.startswith(b"{")
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    answer = client.post("/translate", data=body, content_type=kind)
    assert ("translatedText" in (answer.json or {})) == form
    assert answer.status_code == (200 if form else 400)


def test_its_key_is_asked_for(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(api_keys="required")
    key = KeyStore(tmp_path / "database").add("a")
    assert client.post("/translate", json=BODY).status_code == 400
    assert (client.post(f"/translate?token={key}", json=BODY).json or {})["data"] == "EINS"
    headers = {"Authorization": f"Bearer {key}"}
    assert (client.post("/translate", json=BODY, headers=headers).json or {})["data"] == "EINS"
