"""One process at a time works in a run's folder."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from translator.errors import TranslatorError

LOCK = ".lock"


class RunHeldError(TranslatorError):
    """Another process works in the folder of a run."""


@contextmanager
def held(folder: Path, command: str) -> Iterator[None]:
    """Keep a run's folder for this process, and for those that it starts.

    The system frees the folder when the process ends, in whatever way.

    Raises:
        RunHeldError: another process has it; the message names it and its machine.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            _refuse_unless_parent(folder, os.read(descriptor, 4096))
        except OSError:
            pass  # this file system has no locks
        else:
            started = datetime.now(UTC).isoformat(timespec="seconds")
            told = {"pid": os.getpid(), "machine": socket.gethostname(), "since": started}
            os.ftruncate(descriptor, 0)
            os.write(descriptor, json.dumps(told | {"command": command}).encode())
        yield
    finally:
        os.close(descriptor)


def _refuse_unless_parent(folder: Path, content: bytes) -> None:
    """Raise RunHeldError, unless the process that has the folder has started this one."""
    holder: dict[str, Any] = {}
    with suppress(ValueError):  # it is just writing who it is
        holder = json.loads(content)
    if holder.get("pid") == os.getppid() and holder.get("machine") == socket.gethostname():
        return
    told = "another process"
    if holder:
        told = "process {pid} on {machine}, with `{command}` since {since},".format_map(holder)
    raise RunHeldError(
        f"{folder}: {told} is at work here; wait for it or end it, or name another folder with "
        "--out"
    )
