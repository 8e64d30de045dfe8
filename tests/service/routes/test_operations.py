"""GET /health."""

from __future__ import annotations

from flask.testing import FlaskClient

from tests.service.conftest import FakeTranslator


def test_health_follows_the_engine(client: FlaskClient, translator: FakeTranslator) -> None:
    response = client.get("/health")
    assert (response.status_code, response.json) == (200, {"status": "ok"})
    translator.is_alive = False
    response = client.get("/health")
    assert response.status_code == 503
    assert response.json == {"error": "the translation engine has stopped; restart the server"}
