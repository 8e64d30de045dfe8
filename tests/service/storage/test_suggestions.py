from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from service.storage.suggestions import Suggestions


def test_as_many_are_kept_as_are_allowed(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    suggestions = Suggestions(path, max_rows=2)
    added = [suggestions.add(q=f"q{n}", s="s'; --", source="de", target="en") for n in range(3)]
    assert added == [True, True, False]
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT q, s, source, target FROM suggestions").fetchall()
    assert found == [("q0", "s'; --", "de", "en"), ("q1", "s'; --", "de", "en")]
