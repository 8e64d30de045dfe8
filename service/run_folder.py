"""The folder that workers share while the server runs: checked at the start, deleted at the end.

A server and its workers hold a lock of the system on the folder that they have made. So the next
one can tell what a server that was killed has left behind.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

from translator.errors import ConfigError

PREFIX, LOCK = "translator-", "server.lock"
NEEDED_BYTES = 8 * 1024 * 1024
"""For the metrics of two workers, or some translated files."""


def require_room(folder: Path) -> None:
    """Refuse a folder in which nothing can be kept; make it if it is not there.

    Raises:
        ConfigError: it cannot be made or written to, or its disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            os.posix_fallocate(probe.fileno(), 0, NEEDED_BYTES)
    except OSError as error:
        problem = f"run_folder: {folder}: {error.strerror}"
        problem += f"; name a folder with room for {NEEDED_BYTES // 1024**2} MB"
        raise ConfigError([problem], "service") from error


def make() -> Path:
    """Return a new folder, of which this process and those that it forks hold the lock.

    Folders of servers that were killed are deleted.

    Raises:
        ConfigError: there is no room for temporary files.
    """
    try:
        _sweep(Path(tempfile.gettempdir()))
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    except OSError as error:  # gettempdir finds no folder that it can write to
        problem = f"run_folder: no temporary folder ({error.strerror}); name a folder"
        raise ConfigError([problem], "service") from error
    lock(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600))  # as long as the process lives
    return folder


def _sweep(temporary: Path) -> None:
    """Delete the folders on which no living process holds the lock."""
    for path in temporary.glob(f"{PREFIX}*/{LOCK}"):
        try:
            descriptor = os.open(path, os.O_RDWR)
        except OSError:
            continue  # of another user, or gone
        if lock(descriptor) and os.fstat(descriptor).st_uid == os.geteuid():
            shutil.rmtree(path.parent, ignore_errors=True)
        os.close(descriptor)


def lock(descriptor: int) -> bool:
    """Lock an open file for as long as it is open; return False if another process holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
