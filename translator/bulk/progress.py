"""How far a job is: rows, rows a second, and the time left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from translator.progress import progress_bar

TOLD_EVERY_S = 1.0


class Progress:
    """A bar on standard error. A context; parts may tell of themselves in any order."""

    def __init__(self, total: int, done: int) -> None:
        """Begin with `total` rows, of which some were done before."""
        self._bar = progress_bar(total=total, initial=done, unit="rows", unit_scale=False)
        self._by_part, self._finished = dict[int, int](), set[int]()
        self._lock = threading.Lock()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def tell_all(self, by_part: Mapping[int, int]) -> None:
        """Note how many rows of parts are done; of a finished one it is old news.

        They are fewer than before if a part has begun anew.
        """
        with self._lock:
            for part, rows in by_part.items():
                if part not in self._finished:
                    self._add(part, rows)
            self._bar.update(0)

    def finish(self, part: int, rows: int) -> None:
        """Note that all rows of a part are done."""
        with self._lock:
            self._add(part, rows)
            self._finished.add(part)

    def _add(self, part: int, rows: int) -> None:
        self._bar.update(rows - self._by_part.get(part, 0))
        self._by_part[part] = rows

    @property
    def rows(self) -> int:
        """Rows that are done."""
        return int(self._bar.n)


class Polling:
    """Asks again and again on a thread of its own, until the context ends."""

    def __init__(self, ask: Callable[[], None], every_s: float = TOLD_EVERY_S) -> None:
        """Take what to call; once more at the end."""
        self._ask, self._every_s = ask, every_s
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bulk-progress", daemon=True)

    def __enter__(self) -> Polling:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join(timeout=self._every_s)

    def _run(self) -> None:
        while not self._end.wait(self._every_s):
            self._ask()
