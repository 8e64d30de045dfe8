from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from flask.testing import FlaskClient

from service.config import ServiceConfig
from tests.service.conftest import FakeTranslator, make_app

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
    answers = [client.post("/suggest", data=FIELDS) for _ in range(3)]
    assert answers[0].json == {"success": True}
    assert [answer.status_code for answer in answers] == [200, 200, 403]
    assert "No more suggestions are accepted" in (answers[2].json or {})["error"]
    assert client.post("/suggest", json={"q": "x"}).status_code == 400
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM suggestions").fetchone() == (2,)
