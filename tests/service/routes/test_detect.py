"""POST /detect."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

GERMAN = "Wir gehen heute nicht nach Hause."


@pytest.mark.parametrize("how", ["json", "data", "query_string"])
def test_the_best_language_comes_first(client: FlaskClient, how: str) -> None:
    response = client.post("/detect", **{how: {"q": GERMAN, "api_key": ""}})
    assert response.status_code == 200
    found = response.json or []
    assert found[0]["language"] == "de"
    confidences = [one["confidence"] for one in found]
    assert confidences == sorted(confidences, reverse=True)
    assert all(isinstance(one, float) and 0 <= one <= 100 for one in confidences)


@pytest.mark.parametrize("q", ["123", "😀", "漢字"])
def test_what_cannot_be_told(client: FlaskClient, q: str) -> None:
    assert client.post("/detect", json={"q": q}).json == [{"confidence": 0.0, "language": "en"}]


def test_another_language_leaves_little_confidence(client: FlaskClient) -> None:
    found = client.post("/detect", data={"q": "La tua password non è corretta"}).json or []
    assert {one["language"] for one in found} == {"de", "en", "pt-BR"}
    assert all(one["confidence"] < 2 for one in found)


def test_errors(client: FlaskClient) -> None:
    missing = client.post("/detect", json={"q": ""})
    assert missing.status_code == 400
    assert missing.json == {"error": "Invalid request: missing q parameter", "code": "invalid"}
    assert client.get("/detect?q=a").status_code == 405
    assert client.options("/detect").status_code == 200
