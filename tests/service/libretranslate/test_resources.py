"""Small addresses: languages, settings, detection, suggestions, downloads, operations."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.http.context import Context
from service.http.logs import COUNTS
from service.operations import routes as readiness
from service.operations.fetcher import Progress, State, write_state
from service.worker.loop import Counts
from tests.service.conftest import LANGUAGES, FakeTranslator, detector, make_app
from translator.documents.kinds import kinds_by_ending
from translator.engine.port import Statistics
from translator.pipeline.face import ModelState
from translator.pipeline.translator import Translator


def test_languages(client: FlaskClient) -> None:
    expected = [
        {"code": "de", "name": "German", "targets": ["de", "en"]},
        {"code": "en", "name": "English", "targets": ["en", "pt-BR"]},
        {"code": "pt-BR", "name": "Portuguese (Brazil)", "targets": ["pt-BR"]},
    ]
    assert client.get("/languages").json == expected
    assert client.get("/languages", content_type="application/json").json == expected
    assert client.get("/languages", data={}).json == expected


def test_settings_name_the_formats_of_files(client: FlaskClient) -> None:
    answer = client.get("/frontend/settings")
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["supportedFilesFormat"] == [f".{ending}" for ending in kinds_by_ending()]
    assert client.post("/frontend/settings").status_code == 405


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


FIELDS = {"q": "Hallo", "s": "Hello", "source": "de", "target": "en"}


def test_suggestions_are_off_by_default(client: FlaskClient) -> None:
    answer = client.post("/suggest", json=FIELDS)
    assert (answer.status_code, answer.json) == (
        403,
        {"error": "Suggestions are disabled on this server.", "code": "forbidden"},
    )


def test_suggestions_are_kept_until_there_are_enough(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    config = ServiceConfig(suggestions_limit=2, database=str(path))
    client = make_app(FakeTranslator(), config).test_client()
    fields = {**FIELDS, "q": "s'; --"}
    answers = [client.post("/suggest", data=fields) for _ in range(3)]
    assert answers[0].json == {"success": True}
    assert [answer.status_code for answer in answers] == [200, 200, 403]
    assert "No more suggestions are accepted" in (answers[2].json or {})["error"]
    assert client.post("/suggest", json={"q": "x"}).status_code == 400
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT q, s, source, target FROM suggestions").fetchall()
    assert found == [("s'; --", "Hello", "de", "en")] * 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "downloads"
    found.mkdir()
    write_state(found, State({"fi": Progress("failed", error="no network")}, ["de", "fi", "fr"]))
    return found


@pytest.fixture
def open_client(folder: Path) -> FlaskClient:
    config = ServiceConfig(downloads="on", run_folder=str(folder.parent))
    return make_app(FakeTranslator(), config).test_client()


def test_it_is_off_by_default(client: FlaskClient, folder: Path) -> None:
    assert client.get("/downloads").status_code == 404
    assert client.post("/downloads", json={"language": "fr"}).status_code == 404
    languages = ServiceConfig(languages="fr", run_folder=str(folder.parent))
    client = make_app(FakeTranslator(), languages).test_client()
    assert client.post("/downloads", json={"language": "fr"}).status_code == 404
    assert b'"downloads": ""' in client.get("/").data


def test_what_could_be_had_is_listed_and_asked_for(open_client: FlaskClient, folder: Path) -> None:
    found = open_client.get("/downloads").json or []
    assert [(one["code"], one["state"]) for one in found] == [("fi", "failed"), ("fr", "available")]
    assert found[0]["error"] == "no network"
    assert open_client.post("/downloads", json={"language": "fr"}).status_code == 200
    assert [path.name for path in (folder / "wanted").iterdir()] == ["fr"]
    assert (open_client.get("/ready").json or {})["downloads"][0]["code"] == "fi"


@pytest.mark.parametrize("language", ["xx", "../fr", "", 7, None])
def test_only_what_is_listed_can_be_asked_for(
    open_client: FlaskClient, folder: Path, language: object
) -> None:
    answer = open_client.post("/downloads", json={"language": language})
    assert answer.status_code == 400
    assert "GET /downloads" in (answer.json or {})["error"]
    assert not (folder / "wanted").exists()


def test_other_sites_cannot_ask(open_client: FlaskClient, folder: Path) -> None:
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
        headers = {"Sec-Fetch-Site": site}
        answer = open_client.post("/downloads", json={"language": "fr"}, headers=headers)
        assert answer.status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://evil.example", 403),
        ("http://localhost:81", 403),
        ("null", 403),
        ("", 403),
        ("http://localhost", 200),
        ("https://LOCALHOST", 200),
    ],
)
def test_other_sites_cannot_ask_over_http_either(
    open_client: FlaskClient, folder: Path, origin: str, status: int
) -> None:
    answer = open_client.post("/downloads", data={"language": "fr"}, headers={"Origin": origin})
    assert answer.status_code == status
    assert (folder / "wanted").exists() == (status == 200)


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
    client = make_app(translator, ServiceConfig(metrics="on")).test_client()
    counts = Counts(connections=4, timed_out=2, dropped=1)
    lines = client.get("/metrics", environ_overrides={COUNTS: counts}).text.splitlines()
    assert "translator_connections 4.0" in lines
    assert "translator_timed_out_total 2.0" in lines


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


def test_the_detector_tells_the_languages_that_there_are_now() -> None:
    fake = FakeTranslator()
    context = Context(ServiceConfig(), cast(Translator, fake), detector())
    assert context.detector is detector()
    fake.languages = LANGUAGES[:2]
    assert context.detector.languages == ("de", "en")
    assert context.detector is context.detector
    assert context.detector.detect("Das ist ein deutscher Satz.")[0].language == "de"
