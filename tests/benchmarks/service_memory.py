"""The most memory that a service takes while something is done."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path


class Memory:
    """The most memory that processes have at once, looked at again and again."""

    def __init__(self) -> None:
        """Begin with what there is now."""
        self.before = self._now()
        self.most = self.before
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Memory:
        """Begin to look."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(0.05):
            self.most = max(self.most, self._now())

    def _now(self) -> int:
        """Return the bytes of all processes that this one has started, and of theirs."""
        return sum(map(_own_bytes, _below(os.getpid())))


def _below(pid: int) -> Iterator[int]:
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = path.read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from _below(child)


def _own_bytes(pid: int) -> int:
    """Return the memory of a process of the service; those that compile its engine are none."""
    try:
        if b"service" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return 0
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
