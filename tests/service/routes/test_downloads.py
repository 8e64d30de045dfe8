"""Nothing can be downloaded over HTTP unless the operator allows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.config import ServiceConfig
from service.fetching.state import Progress, State, write_state
from tests.service.conftest import FakeTranslator, make_app


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
