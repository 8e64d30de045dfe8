"""What outlives a request on disk: a file of SQLite, and locks that end with their process."""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from service.config import wrong_setting
from translator.errors import TranslatorError

BUSY_S = 2.0
"""How long to wait for another process that writes."""

TIMEOUT_S = 1.0
"""How long to leave the file alone after it could not be used, so that requests do not queue."""

OURS = (sqlite3.IntegrityError, sqlite3.ProgrammingError)
"""Errors of what is asked, and not of the file."""

log = logging.getLogger(__name__)
PRIVATE = 0o600


class DatabaseAwayError(TranslatorError):
    """The file is locked, damaged or gone for now."""


def default_path() -> Path:
    """Return `translator/service.sqlite3` in the user's folder for state."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state, "translator", "service.sqlite3")


class Database:
    """A connection that one thread at a time uses; processes may share the file."""

    def __init__(self, path: str | Path, schema: str, *, is_read_only: bool = False) -> None:
        """Open the file, or make it, readable by its owner only; else raise a ConfigError.

        An empty path is `default_path`. The schema makes the tables which are not there yet.
        A file that is only read must be there, and need not be one that can be written.
        """
        self.path = Path(path) if path else default_path()
        self._schema, self._lock = schema, threading.Lock()
        self._asks_again_s, self._reason = 0.0, ""
        self._connection: sqlite3.Connection
        self._opened: tuple[int, int]
        self._close: Callable[[], object]
        try:
            if not is_read_only:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.path.touch(PRIVATE)
            self._open()
        except (OSError, sqlite3.Error) as error:
            problem = f"{self.path}: {error}; name a file that can be written"
            raise wrong_setting("database", problem) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection to one thread; what it has changed is kept unless it raises.

        A file that has been put back or replaced is opened again. One that cannot be used now is a
        DatabaseAwayError.
        """
        with self._lock:
            if time.monotonic() < self._asks_again_s:
                raise DatabaseAwayError(self._reason)
            try:
                if self._identity() != self._opened:
                    self._close()
                    self._open()
                with self._connection:
                    yield self._connection
            except OURS:
                raise
            except (OSError, sqlite3.Error) as error:
                self._asks_again_s = time.monotonic() + TIMEOUT_S
                self._reason = f"the database cannot be used now: {error}"
                self._opened = (0, 0)  # to be opened anew
                log.warning("%s: %s", self.path, self._reason)
                raise DatabaseAwayError(self._reason) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._close()

    def _open(self) -> None:
        self._opened = self._identity()
        self._connection = sqlite3.connect(self.path, BUSY_S, check_same_thread=False)
        self._close = weakref.finalize(self, self._connection.close)
        self._connection.executescript(self._schema)

    def _identity(self) -> tuple[int, int]:
        about = self.path.stat()
        return about.st_dev, about.st_ino


@contextmanager
def unlocked(path: Path) -> Iterator[bool]:
    """Yield whether no other process holds the lock of a file, which is held meanwhile."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        yield lock(descriptor)
    finally:
        os.close(descriptor)


def lock(descriptor: int) -> bool:
    """Lock an open file for as long as it is open; return False if another process holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
