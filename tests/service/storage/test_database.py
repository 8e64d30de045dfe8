from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.storage.database import Database, default_path
from translator.errors import ConfigError

SCHEMA = "CREATE TABLE IF NOT EXISTS words (word TEXT);"


def test_what_is_written_is_read_by_another_connection(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.sqlite3"
    first, second = Database(path, SCHEMA), Database(path, SCHEMA)
    with first.transaction() as connection:
        connection.execute("INSERT INTO words VALUES ('x')")
    with second.transaction() as connection:
        assert connection.execute("SELECT word FROM words").fetchall() == [("x",)]
    first.close()
    second.close()


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "a", SCHEMA)
    with pytest.raises(sqlite3.OperationalError), database.transaction() as connection:
        connection.executemany("INSERT INTO words VALUES (?)", _one_and_then_an_error())
    with database.transaction() as connection:
        assert connection.execute("SELECT count(*) FROM words").fetchone() == (0,)
    database.close()


def _one_and_then_an_error() -> Iterator[tuple[str]]:
    yield ("x",)
    raise sqlite3.OperationalError


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    database = Database(tmp_path / "a", SCHEMA)
    database.close()
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) & 0o077 == 0


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("no database " * 100)
    with pytest.raises(ConfigError, match=rf"database: {tmp_path}/a: file is not a database; name"):
        Database(tmp_path / "a", SCHEMA)


def test_without_a_path_it_lies_among_the_users_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_path() == tmp_path / "translator" / "service.sqlite3"
    Database("", SCHEMA).close()
    connection = sqlite3.connect(default_path())
    assert connection.execute("SELECT * FROM words").fetchall() == []
    connection.close()
