"""One file of SQLite for all that outlives the server: keys, suggestions, glossaries, counts."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from translator.errors import ConfigError

BUSY_S = 5.0
"""How long to wait for another process that writes."""

PRIVATE = 0o600


def default_path() -> Path:
    """Return `translator/service.sqlite3` in the user's folder for state."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state, "translator", "service.sqlite3")


class Database:
    """A connection that one thread at a time uses; processes may share the file.

    Attributes:
        path: of the file.
    """

    def __init__(self, path: str | Path, schema: str) -> None:
        """Open the file, or make it, readable by its owner only.

        Args:
            path: of the file; that of `default_path` if empty.
            schema: statements that make the tables which are not there yet.

        Raises:
            ConfigError: the file cannot be opened or is no database.
        """
        self.path = Path(path) if path else default_path()
        self._lock = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(PRIVATE)
            self._connection = sqlite3.connect(self.path, BUSY_S, check_same_thread=False)
            weakref.finalize(self, self._connection.close)
            self._connection.executescript(schema)
        except (OSError, sqlite3.Error) as error:
            problem = f"database: {self.path}: {error}; name a file that can be written"
            raise ConfigError([problem], "service") from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection to one thread; what it has changed is kept unless it raises."""
        with self._lock, self._connection:
            yield self._connection

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
