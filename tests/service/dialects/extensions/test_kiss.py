"""What KISS Translator sends, as its page of documentation says."""

from __future__ import annotations

from flask.testing import FlaskClient

from service.dialects.extensions.kiss import KissAnswer

GERMAN = "Wir gehen heute nicht nach Hause."


def test_one_text(client: FlaskClient) -> None:
    body = {"text": GERMAN, "from": "auto", "to": "en"}
    headers = {"Authorization": "Bearer some key"}
    said = client.post("/kiss", json=body, headers=headers).json
    assert said == {"text": GERMAN.upper(), "src": "de"}
    KissAnswer.model_validate(said)


def test_several_texts(client: FlaskClient) -> None:
    body = {"texts": ["eins", "zwei"], "from": "de", "to": "en"}
    said = client.post("/kiss", json=body).json
    assert said == {"translations": [{"text": "EINS", "src": "de"}, {"text": "ZWEI", "src": "de"}]}
    KissAnswer.model_validate(said)


def test_no_text(client: FlaskClient) -> None:
    answer = client.post("/kiss", json={"from": "de", "to": "en"})
    assert (answer.json or {})["error"] == "Invalid request: missing text parameter"
