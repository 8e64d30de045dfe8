"""Which cores a process computes on: its own, as long as it lives."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from translator.bulk.storage import own_folder

_HELD: list[IO[bytes]] = []
"""Files that this process has locked. Their locks end with it, however it ends."""


def pin(threads: int, folder: Path | None = None) -> list[int]:
    """Hold so many cores that no other process of this kind holds, and compute on them only.

    Threads that are not moved about find their data in the caches of their core. Where cores are
    not to be had, nothing is done: the system then chooses.

    Args:
        threads: how many cores.
        folder: of files that stand for cores; one for all jobs of this user by default.

    Returns:
        the cores; empty if there are not as many that are free.
    """
    try:
        import fcntl

        allowed = sorted(os.sched_getaffinity(0))
    except (ImportError, AttributeError, OSError):  # not on Linux
        return []
    held, cores = list[IO[bytes]](), list[int]()
    try:
        place = folder or own_folder("translator-cores")
        for core in allowed:
            if len(cores) == threads:
                break
            file: IO[bytes] = (place / str(core)).open("ab")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                continue
            held.append(file)
            cores.append(core)
        if len(cores) < threads:
            raise BlockingIOError
        os.sched_setaffinity(0, cores)
    except OSError:
        for file in held:
            file.close()
        return []
    _HELD.extend(held)
    return cores
