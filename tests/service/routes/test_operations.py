"""GET /health, /ready and /metrics."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.observe import readiness
from service.observe.record import COUNTS
from service.worker import loop
from service.worker.limits import Counts
from tests.service.conftest import FakeTranslator, make_app
from translator.engine.port import Statistics
from translator.translate.face import ModelState


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_health_and_readiness_follow_the_engine(
    client: FlaskClient, translator: FakeTranslator, path: str
) -> None:
    response = client.get(path)
    assert (response.status_code, (response.json or {})["status"]) == (200, "ok")
    translator.is_alive = False
    response = client.get(path)
    assert response.status_code == 503
    message = "the translation engine has stopped; restart the server"
    code = {"/health": "stopped", "/ready": "not_ready"}[path]
    assert response.json == {"error": message, "code": code}


def test_a_server_whose_queue_does_not_move_is_alive_and_not_ready(
    client: FlaskClient, translator: FakeTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "STUCK_S", 0.0)
    translator.done = Statistics(queued=3, turns=5)
    assert client.get("/ready").status_code == 200
    assert client.get("/health").status_code == 200
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert "the engine has finished nothing for" in (answer.json or {})["error"]
    assert answer.headers["Retry-After"] == "5"
    assert client.get("/health").status_code == 200


def test_metrics_are_off_by_default(client: FlaskClient) -> None:
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize("given", ["", "Bearer x", "Basic geheim", "Bearer geheim2", "geheim"])
def test_metrics_need_their_token(translator: FakeTranslator, given: str) -> None:
    config = ServiceConfig(metrics="on", metrics_token="geheim")
    client = make_app(translator, config).test_client()
    answer = client.get("/metrics", headers={"Authorization": given})
    said = {"error": "Unauthorized", "code": "unauthorized"}
    assert (answer.status_code, answer.json) == (401, said)
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    answer = client.get("/metrics", headers={"Authorization": "Bearer geheim"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=")


def test_the_workers_counts_are_among_them(translator: FakeTranslator) -> None:
    assert COUNTS == loop.COUNTS
    client = make_app(translator, ServiceConfig(metrics="on")).test_client()
    counts = Counts(connections=4, translations=3, refused=9, timed_out=2, dropped=1)
    lines = client.get("/metrics", environ_overrides={COUNTS: counts}).text.splitlines()
    assert "translator_connections 4.0" in lines
    assert "translator_refused_total 9.0" in lines


def test_a_server_that_is_ready_names_its_models(
    client: FlaskClient, translator: FakeTranslator
) -> None:
    state = ModelState(name="de-en", is_loaded=True, num_bytes=7, loads=2, load_s=0.5, evictions=1)
    translator.models = lambda: (state,)  # type: ignore[method-assign]
    assert (client.get("/ready").json or {})["models"] == [
        {
            "name": "de-en",
            "loaded": True,
            "bytes": 7,
            "loads": 2,
            "load_seconds": 0.5,
            "evictions": 1,
        }
    ]
