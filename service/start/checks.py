"""What is checked before the server starts: its address, and the folder that workers share.

A server and its workers hold a lock of the system on the folder that they have made. So the next
one can tell what a server that was killed has left behind.
"""

from __future__ import annotations

import errno
import os
import shutil
import socket
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from service.config import wrong_setting
from service.storage import lock, unlocked
from translator.errors import ConfigError

if TYPE_CHECKING:
    from gunicorn.arbiter import Arbiter


STOPPING_S = 5.0
"""How long a server that is being restarted may hold its port."""


def require_addresses(server: Arbiter) -> None:
    """Refuse a start whose addresses cannot be listened on; wait for a port that is in use.

    A server that takes over another one's sockets, or systemd's, has its addresses already. Where
    only the settings are checked, a port that is in use is a warning: the server that this one
    shall replace may have it. All that is refused here is a ConfigError that says what to do.
    """
    if server.master_pid or "LISTEN_FDS" in os.environ:
        return
    end = time.monotonic() + (0 if server.cfg.check_config else STOPPING_S)
    for host, port in [address for address in server.cfg.address if isinstance(address, tuple)]:
        while (error := _listening_error(host, port)) is not None:
            if error.errno != errno.EADDRINUSE:
                problem = f"cannot listen at {host}:{port} ({error.strerror})"
                problem += "; change TRANSLATOR_HOST or TRANSLATOR_PORT"
                raise ConfigError([problem], "address")
            if time.monotonic() > end:
                problem = f"port {port} is in use by another program"
                problem += "; stop that one, or set TRANSLATOR_PORT to another port"
                in_use = ConfigError([problem], "address")
                if not server.cfg.check_config:
                    raise in_use
                server.log.warning("%s", in_use)
                break
            time.sleep(0.1)


def _listening_error(host: str, port: int) -> OSError | None:
    try:
        [(family, kind, _, _, place), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            probe.listen()
    except OSError as error:
        return error
    return None


PREFIX, LOCK = "translator-", "server.lock"
NEEDED_BYTES = 8 * 1024 * 1024
"""For the metrics of two workers, or some translated files."""


def require_room(folder: Path) -> None:
    """Refuse a folder that cannot be made or written to, or has no room; make it if missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            os.posix_fallocate(probe.fileno(), 0, NEEDED_BYTES)
    except OSError as error:
        problem = f"{folder}: {error.strerror}"
        problem += f"; name a folder with room for {NEEDED_BYTES // 1024**2} MB"
        raise wrong_setting("run_folder", problem) from error


def require_temp(folder: str | None) -> None:
    """Refuse a folder for signs of life that cannot be written to; None is the system's own."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        where = folder or "the folder for temporary files"
        problem = f"{where}: {error.strerror}; let TMPDIR name one that can be written to"
        raise ConfigError([problem], "service") from error


def make_run_folder() -> Path:
    """Return a new folder, of which this process and those that it forks hold the lock.

    Folders of servers that were killed are deleted.
    """
    try:
        _sweep(Path(tempfile.gettempdir()))
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    except OSError as error:  # gettempdir finds no folder that it can write to
        problem = f"no temporary folder ({error.strerror}); name a folder"
        raise wrong_setting("run_folder", problem) from error
    lock(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600))  # as long as the process lives
    return folder


def _sweep(temporary: Path) -> None:
    """Delete the folders on which no living process holds the lock."""
    for path in temporary.glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError), unlocked(path) as is_free:  # of another user, or gone
            if is_free and path.stat().st_uid == os.geteuid():
                shutil.rmtree(path.parent, ignore_errors=True)
