"""Several engines that share the sentences, each with a thread and a batch of its own.

None waits for another: on a machine where a virtual CPU is now and then taken away, threads that
share each step wait for the slowest of them.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from translator.config import DecodingOptions
from translator.engine.loop import EngineLoop
from translator.engine.port import Decoding, Statistics
from translator.engine.scheduler import EXPRESS_GROUP
from translator.errors import EngineOverloadedError
from translator.runtime.thread_budget import ThreadBudget

if TYPE_CHECKING:
    from translator.runtime.contract import ForcedScorer


class EnginePool:
    """Gives each sentence to the engine that has least to do; see `Engine`.

    Short requests and documents are counted apart, since the one overtake the others.
    """

    def __init__(self, engines: Sequence[EngineLoop]) -> None:
        """Begin with these, which become the pool's to close."""
        self._lock = threading.Lock()
        self._is_open = True
        self._engines: list[EngineLoop] = []
        self._budget: ThreadBudget | None = None
        self._pending_ids: list[list[int]] = []  # of each engine: of documents, of short requests
        self.add(*engines)

    def add(self, *engines: EngineLoop) -> None:
        """Let others take part; if the pool is closed already, they are closed too."""
        with self._lock:
            if self._is_open:
                self._pending_ids += [[0, 0] for _ in engines]
                self._engines += engines
                if self._budget is not None:
                    for engine in engines:
                        engine.share_threads(self._budget)
                return
        for engine in engines:
            engine.close()

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        """Queue one sentence; see `Engine.submit`."""
        kind = int(group_size <= EXPRESS_GROUP)

        def submit_to(number: int) -> Decoding:
            self._count(number, kind, len(source_ids))
            leave = functools.partial(self._count, number, kind, -len(source_ids))
            try:
                future = self._engines[number].submit(
                    source_ids, options, group_size, timeout_s, start_ids
                )
            except BaseException:
                leave()
                raise
            future.add_done_callback(leave)
            return future

        *others, last = self._by_load(kind)
        for number in others:
            with contextlib.suppress(EngineOverloadedError):  # another one may have room
                return submit_to(number)
        return submit_to(last)

    def _by_load(self, kind: int) -> list[int]:
        """Return the engines, those with least to do first; those that have died last."""

        def load(number: int) -> tuple[bool, int, int]:
            pending = self._pending_ids[number]
            return not self._engines[number].is_alive, pending[kind], sum(pending)

        with self._lock:
            return sorted(range(len(self._engines)), key=load)

    def _count(self, number: int, kind: int, num_ids: int, _: object = None) -> None:
        with self._lock:
            self._pending_ids[number][kind] += num_ids

    @property
    def is_alive(self) -> bool:
        """Whether `submit` can still succeed, whichever engine it comes to."""
        return all(engine.is_alive for engine in self._engines)

    def statistics(self) -> Statistics:
        """Return those of all engines together."""
        with self._lock:
            engines = list(self._engines)
        return sum((engine.statistics() for engine in engines), Statistics())

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights, which all engines share."""
        with self._lock:
            return max((engine.num_bytes for engine in self._engines), default=0)

    def forced_scorer(self) -> ForcedScorer | None:
        """Return one of an engine that has one; see `Engine.forced_scorer`."""
        with self._lock:
            engines = list(self._engines)
        return next(filter(None, (engine.forced_scorer() for engine in engines)), None)

    def share_threads(self, budget: ThreadBudget) -> None:
        """Take turns only within a budget; see `Engine.share_threads`."""
        with self._lock:
            self._budget = budget
            for engine in self._engines:
                engine.share_threads(budget)

    def close(self) -> None:
        """Stop; sentences still waiting fail with EngineClosedError."""
        with self._lock:
            self._is_open = False
        for engine in self._engines:
            engine.end()
        if any(engine.runs_here for engine in self._engines):
            return  # none of them waits for another, which may wait for it
        for engine in self._engines:
            engine.close()
