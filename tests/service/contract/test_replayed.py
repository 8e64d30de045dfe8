"""What applications send, byte for byte as they do, and what they need of the answer."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

GERMAN, ENGLISH = "Wir gehen heute nicht nach Hause.", "We are not going home today."


def test_mastodon_translates_a_status(client: FlaskClient) -> None:
    languages = client.get("/languages").json or []
    assert all({"code", "targets"} <= {*language} for language in languages)
    for source, detected in (("de", None), ("auto", ["de", "en"])):
        body = {"q": [GERMAN, ENGLISH], "source": source, "target": "en", "format": "text"}
        response = client.post("/translate", json={**body, "api_key": None})
        assert response.status_code == 200
        said = response.json or {}
        assert said["translatedText"] == [GERMAN.upper(), ENGLISH.upper()]
        found = said.get("detectedLanguage")
        assert (found and [one["language"] for one in found]) == detected


def test_weblate_translates_a_batch(client: FlaskClient) -> None:
    texts = [f"Satz {number}" for number in range(20)]
    body = {"q": texts, "source": "de-DE", "target": "en-US", "format": "text", "api_key": ""}
    assert (client.post("/translate", json=body).json or {})["translatedText"] == [
        text.upper() for text in texts
    ]
    error = (client.post("/translate", json={**body, "source": "xx-YY"}).json or {})["error"]
    assert error == "xx-yy is not supported"


def test_discourse_detects_and_translates(client: FlaskClient) -> None:
    detected = client.post("/detect", data={"q": GERMAN, "api_key": ""})
    assert (detected.status_code, (detected.json or [{}])[0]["language"]) == (200, "de")
    fields = {"q": GERMAN, "source": "de", "target": "en", "format": "text", "api_key": ""}
    translated = client.post("/translate", data=fields)
    assert translated.status_code == 200
    assert (translated.json or {})["translatedText"] == GERMAN.upper()


def test_dialect_checks_its_key_by_detecting(client: FlaskClient) -> None:
    response = client.post("/detect", data={"q": "hello", "api_key": ""})
    assert response.status_code == 200
    said = client.post("/translate", data={"q": GERMAN, "source": "auto", "target": "en"}).json
    assert (said or {})["detectedLanguage"]["language"] == "de"


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"target": "zz"}, "is not supported"),
        ({"q": "a" * 50_001}, "exceeds text limit"),
        ({"format": "odd"}, "format is not supported"),
    ],
)
def test_dialect_knows_errors_by_parts_of_their_texts(
    client: FlaskClient, fields: dict[str, Any], part: str
) -> None:
    body = {"q": GERMAN, "source": "de", "target": "en", **fields}
    assert part in (client.post("/translate", data=body).json or {})["error"]


def test_wagtail_localize_translates_segments(client: FlaskClient) -> None:
    texts = ["eins", "zwei", "eins"]
    body = {"q": texts, "source": "de", "target": "en", "api_key": ""}
    said = client.post("/translate", json=body).json or {}
    assert len(said["translatedText"]) == len(texts)


def test_php_translates_by_multipart_and_detects_by_the_query(client: FlaskClient) -> None:
    fields = {"q": GERMAN, "source": "de", "target": "en", "format": "text", "api_key": ""}
    response = client.post("/translate", data=fields, content_type="multipart/form-data")
    assert (response.json or {})["translatedText"] == GERMAN.upper()
    detected = client.post("/detect", query_string={"q": GERMAN})
    assert (detected.json or [{}])[0]["language"] == "de"
