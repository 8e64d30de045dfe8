"""Better translations that users have suggested, for those who run the service to read."""

from __future__ import annotations

import time
from pathlib import Path

from service.storage.database import Database

SCHEMA = """
CREATE TABLE IF NOT EXISTS suggestions (
    q TEXT NOT NULL,
    s TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    created_at INTEGER NOT NULL
);
"""


class Suggestions:
    """A table with a bound."""

    def __init__(self, path: str | Path, max_rows: int) -> None:
        self._database = Database(path, SCHEMA)
        self._max_rows = max_rows

    def add(self, *, q: str, s: str, source: str, target: str) -> bool:
        """Keep a suggestion `s` for the text `q`; return False if there is no room for it."""
        with self._database.transaction() as connection:
            done = connection.execute(
                "INSERT INTO suggestions SELECT ?, ?, ?, ?, ?"
                " WHERE (SELECT count(*) FROM suggestions) < ?",
                (q, s, source, target, int(time.time()), self._max_rows),
            )
        return done.rowcount == 1
