"""One file of SQLite, and the counts in it."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from service import storage as database_module
from service.access.keys import KeyStore
from service.deepl.account import WRITE_EVERY_S, UsageCounts
from service.http.errors import NotReady
from service.storage import Database, DatabaseAwayError, default_path
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
    with pytest.raises(KeyError), database.transaction() as connection:
        connection.executemany("INSERT INTO words VALUES (?)", _one_and_then_an_error())
    with database.transaction() as connection:
        assert connection.execute("SELECT count(*) FROM words").fetchone() == (0,)
    database.close()


def _one_and_then_an_error() -> Iterator[tuple[str]]:
    yield ("x",)
    raise KeyError


def shut(path: Path) -> None:
    """Have another process hold the file."""
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    HELD.append(holder)


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


HELD: list[sqlite3.Connection] = []
TROUBLES: dict[str, Callable[[Path], object]] = {
    "locked": shut,
    "damaged": lambda path: path.write_bytes(b"damaged" * 1000),
    "deleted": Path.unlink,
    "a folder": replace_by_folder,
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_file_that_cannot_be_used_is_away_until_it_is_back(
    trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_S", 0.01)
    monkeypatch.setattr(database_module, "TIMEOUT_S", 0.01)
    path, kept = tmp_path / "keys", tmp_path / "kept"
    store = KeyStore(path)
    seen, unseen = store.add("seen"), store.add("unseen")
    assert store.find(seen) is not None
    shutil.copy(path, kept)
    TROUBLES[trouble](path)
    for _ in range(2):
        assert store.find(seen) is not None
        assert store.find(seen[:-1]) is None
        with pytest.raises(NotReady, match="API keys cannot be looked up now"):
            store.find(unseen)
        with pytest.raises(DatabaseAwayError, match="the database cannot be used now: "):
            store.remove("seen")
        assert store.are_away()
        time.sleep(0.02)
    while HELD:
        HELD.pop().close()
    if path.is_dir():
        path.rmdir()
    shutil.copy(kept, path)
    time.sleep(0.02)
    assert not store.are_away()
    assert store.find(unseen) is not None
    store.close()


def test_no_request_waits_for_a_file_that_others_have_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_S", 0.2)
    monkeypatch.setattr(database_module, "TIMEOUT_S", 60.0)
    store = KeyStore(tmp_path / "keys")
    shut(tmp_path / "keys")
    start_s = time.monotonic()
    for _ in range(20):
        assert store.are_away()
    assert time.monotonic() - start_s < 2
    HELD.pop().close()
    store.close()


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    database = Database(tmp_path / "a", SCHEMA)
    database.close()
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) & 0o077 == 0


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("no database " * 100)
    with pytest.raises(
        ConfigError,
        match=rf"^environment: TRANSLATOR_DATABASE: {tmp_path}/a: file is not a database; name",
    ):
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


DAY_S = 86_400


def test_counts_add_up_and_begin_anew_each_month(tmp_path: Path) -> None:
    now_s = [0.0]
    counts = UsageCounts(tmp_path / "database", clock=lambda: now_s[0])
    counts.add("me", 3)
    counts.add("you", 5)
    counts.add("me", 4)
    assert [counts.of(one) for one in ("me", "you", "nobody")] == [7, 5, 0]
    now_s[0] = 31 * DAY_S
    assert counts.of("me") == 0


def test_what_is_counted_while_others_are_written_is_not_lost(tmp_path: Path) -> None:
    counts = UsageCounts(tmp_path / "database")
    counts.add("me", 3)
    with closing(sqlite3.connect(tmp_path / "database", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # what is written waits
        with ThreadPoolExecutor(2) as pool:
            pool.submit(counts.of, "me")
            time.sleep(0.1)
            pool.submit(counts.add, "me", 4)
            time.sleep(0.1)
            other.execute("COMMIT")
    assert counts.of("me") == 7


def test_another_process_sees_them_after_a_while(tmp_path: Path) -> None:
    now_s = [0.0]
    mine, yours = (UsageCounts(tmp_path / "database", clock=lambda: now_s[0]) for _ in range(2))
    mine.add("me", 3)
    assert yours.of("me") == 0
    now_s[0] = WRITE_EVERY_S
    mine.add("me", 4)
    assert yours.of("me") == 7
    yours.add("me", 1)
    assert (yours.of("me"), mine.of("me")) == (8, 8)
