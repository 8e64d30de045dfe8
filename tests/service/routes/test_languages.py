"""GET /languages."""

from __future__ import annotations

from flask.testing import FlaskClient


def test_languages(client: FlaskClient) -> None:
    expected = [
        {"code": "de", "name": "German", "targets": ["de", "en"]},
        {"code": "en", "name": "English", "targets": ["en", "pt-BR"]},
        {"code": "pt-BR", "name": "Portuguese (Brazil)", "targets": ["pt-BR"]},
    ]
    assert client.get("/languages").json == expected
    assert client.get("/languages", content_type="application/json").json == expected
    assert client.get("/languages", data={}).json == expected
