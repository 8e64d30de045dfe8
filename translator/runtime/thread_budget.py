"""CPU threads that the engines of several models share, so that they never exceed a budget."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext


class ThreadBudget:
    """So many threads; an engine takes what its turn needs, and gives them back after it.

    Who asks first gets them first. So an engine with long turns waits for those with short ones,
    and the other way round, and none is forgotten.
    """

    def __init__(self, threads: int) -> None:
        self._total = self._free = threads
        self._tickets = itertools.count()
        self._waiting: deque[int] = deque()
        self._condition = threading.Condition()

    @contextmanager
    def taken(self, threads: int) -> Iterator[None]:
        """Hold so many threads, or all of them if there are not as many."""
        threads = min(threads, self._total)
        with self._condition:
            ticket = next(self._tickets)
            self._waiting.append(ticket)
            self._condition.wait_for(lambda: self._waiting[0] == ticket and self._free >= threads)
            self._waiting.popleft()
            self._free -= threads
            self._condition.notify_all()  # the next one may have enough
        try:
            yield
        finally:
            with self._condition:
                self._free += threads
                self._condition.notify_all()


def taken(budget: ThreadBudget | None, threads: int) -> AbstractContextManager[None]:
    """Hold so many threads of a budget, if there is one."""
    return nullcontext() if budget is None else budget.taken(threads)
