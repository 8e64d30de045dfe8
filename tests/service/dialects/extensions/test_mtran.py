"""What clients of MTranServer send, as its page of documentation says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.access.keys import KeyStore
from tests.service.dialects.conftest import MakeClient

BODY = {"from": "de", "to": "en", "text": "eins"}


def test_one_text(client: FlaskClient) -> None:
    assert client.post("/translate", json=BODY).json == {"result": "EINS"}
    page = {**BODY, "text": "<b>eins</b>", "html": True}
    assert client.post("/translate", json=page).json == {"result": "<b>EINS</b>"}


def test_several_texts(client: FlaskClient) -> None:
    body = {"from": "auto", "to": "en", "texts": ["eins", "zwei"]}
    assert client.post("/translate/batch", json=body).json == {"results": ["EINS", "ZWEI"]}


@pytest.mark.parametrize(
    "body",
    [
        {"q": "eins", "source": "de", "target": "en"},
        {"q": "eins", "source": "de", "target": "en", "text": "zwei", "from": "de", "to": "en"},
    ],
)
def test_what_is_libretranslates_stays_so(client: FlaskClient, body: dict[str, Any]) -> None:
    assert client.post("/translate", json=body).json == {"translatedText": "EINS"}
    escaped = json.dumps(body).replace('"q"', '"\\u0071"')
    answer = client.post("/translate", data=escaped, content_type="application/json")
    assert answer.json == {"translatedText": "EINS"}


def test_other_bodies_come_to_the_other_handler(client: FlaskClient) -> None:
    for body in (b"{", b"[]", b'{"text": "a"}', b'{"from": "de", "to": "en"}'):
        answer = client.post("/translate", data=body, content_type="application/json")
        assert answer.status_code == 400
    assert client.post("/translate", data=BODY).status_code == 400, "a form is LibreTranslate's"


def test_its_key_is_asked_for(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(api_keys="required")
    key = KeyStore(tmp_path / "database").add("a")
    assert client.post("/translate", json=BODY).status_code == 400
    assert client.post(f"/translate?token={key}", json=BODY).json == {"result": "EINS"}
    headers = {"Authorization": f"Bearer {key}"}
    assert client.post("/translate", json=BODY, headers=headers).json == {"result": "EINS"}
