"""What Immersive Translate sends, as its page of documentation says."""

from __future__ import annotations

from flask.testing import FlaskClient

from service.dialects.extensions.immersive import ImmersiveAnswer

GERMAN = "Wir gehen heute nicht nach Hause."


def test_texts_of_a_page(client: FlaskClient) -> None:
    body = {"source_lang": "auto", "target_lang": "en", "text_list": [GERMAN, "Hallo Welt, ja."]}
    said = ImmersiveAnswer.model_validate(client.post("/imme", json=body).json).translations
    assert [(one.detected_source_lang, one.text) for one in said] == [
        ("de", GERMAN.upper()),
        ("de", "HALLO WELT, JA."),
    ]


def test_a_key_in_the_address(client: FlaskClient) -> None:
    body = {"source_lang": "de", "target_lang": "en", "text_list": ["a"]}
    assert client.post("/imme?token=x", json=body).status_code == 200
