"""How many characters each caller has had translated in a month."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from service.storage.database import Database

SCHEMA = """
CREATE TABLE IF NOT EXISTS usage (
    caller TEXT NOT NULL,
    month TEXT NOT NULL,
    characters INTEGER NOT NULL,
    PRIMARY KEY (caller, month)
);
"""
WRITE_EVERY_S = 5.0


class UsageCounts:
    """Counts in memory, which are written down every few seconds and when they are read.

    So a process that is killed loses the last seconds, and another one does not see them yet.
    """

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time) -> None:
        self._database = Database(path, SCHEMA)
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: Counter[tuple[str, tuple[int, int]]] = Counter()
        self._written_s = clock()

    def add(self, caller: str, num_characters: int) -> None:
        """Count characters of a caller."""
        with self._lock:
            self._waiting[caller, self._month()] += num_characters
            if self._clock() - self._written_s >= WRITE_EVERY_S:
                self._write()

    def of(self, caller: str) -> int:
        """Return how many characters a caller has had translated in this month of UTC."""
        with self._lock:
            self._write()
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT characters FROM usage WHERE caller = ? AND month = ?",
                (caller, _written(self._month())),
            ).fetchone()
        return row[0] if row else 0

    def _month(self) -> tuple[int, int]:
        now = time.gmtime(self._clock())
        return now.tm_year, now.tm_mon

    def _write(self) -> None:
        self._written_s = self._clock()
        if not self._waiting:
            return
        waiting = self._waiting.items()
        rows = [(caller, _written(month), count) for (caller, month), count in waiting]
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT INTO usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
                " SET characters = characters + excluded.characters",
                rows,
            )
        self._waiting.clear()


def _written(month: tuple[int, int]) -> str:
    return "{}-{:02}".format(*month)
