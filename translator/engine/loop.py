"""The loop of an engine: one thread that takes turns as the scheduler decides."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from translator.config import DecodingOptions
from translator.engine.port import Decoding, Statistics, Times
from translator.engine.scheduler import Lane, Request, Scheduler
from translator.errors import EngineClosedError
from translator.runtime.thread_budget import ThreadBudget, taken
from translator.search.hypothesis import Hypothesis
from translator.tokens.port import check_ids

if TYPE_CHECKING:
    from translator.runtime.contract import ForcedScorer


class EngineLoop(ABC):
    """Queues sentences, and lets a subclass decode them on a thread of its own."""

    def __init__(self, vocab_size: int, scheduler: Scheduler | None = None) -> None:
        """Prepare; `start` begins. Ids outside of the vocabulary are refused."""
        self._vocab_size = vocab_size
        self._scheduler = Scheduler() if scheduler is None else scheduler  # an empty one is False
        self._condition = threading.Condition()
        self._done = Statistics()
        self._is_open = True
        self._budget: ThreadBudget | None = None
        self._num_threads = 1  # of a turn
        self._thread = threading.Thread(target=self._run, name="translator-engine", daemon=True)

    def start(self) -> None:
        """Begin to decode."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether `submit` can still succeed."""
        return self._is_open and self._thread.is_alive()

    def forced_scorer(self) -> ForcedScorer | None:
        """Return None, unless a subclass has one; see `Engine.forced_scorer`."""
        return None

    def share_threads(self, budget: ThreadBudget) -> None:
        """Take turns only within a budget; see `Engine.share_threads`."""
        self._budget = budget

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        """Queue one sentence; see `Engine.submit`."""
        check_ids("source ids", source_ids, self._vocab_size)
        now_s = time.monotonic()
        deadline_s = None if timeout_s is None else now_s + timeout_s
        request = Request(source_ids, options, group_size, deadline_s, now_s, start_ids)
        with self._condition:
            if not self.is_alive:
                raise EngineClosedError("the engine is closed; load the translator again")
            self._scheduler.add(request)
            self._condition.notify()
        return request.future

    def statistics(self) -> Statistics:
        """Return what it has now and has done; see `Engine.statistics`."""
        with self._condition:
            running = len(self._scheduler.running())
            return replace(self._done, queued=len(self._scheduler), running=running)

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights; see `Engine.num_bytes`."""
        return 0

    @property
    def runs_here(self) -> bool:
        """Whether the caller is on the engine's own thread, as in a future's callback."""
        return threading.current_thread() is self._thread

    def end(self) -> None:
        """Begin to close, without waiting for the running sentences."""
        with self._condition:
            self._is_open = False
            self._condition.notify()

    def close(self) -> None:
        """Stop after the running sentences; those still waiting fail with EngineClosedError."""
        self.end()
        if not self.runs_here:
            self._thread.join()

    def _run(self) -> None:
        try:
            while (turn := self._next_turn()) is not None:
                lane, newcomers = turn
                num_sentences = len(lane.running)
                with taken(self._budget, self._num_threads):
                    started_s = time.monotonic()
                    self._take_turn(lane, newcomers)
                    spent_s = time.monotonic() - started_s
                with self._condition:
                    self._scheduler.spend(lane, spent_s)
                    self._done.turns += 1
                    self._done.turn_sentences += num_sentences
                    self._done.busy_s += spent_s
        finally:
            with self._condition:
                self._is_open = False
                refused = [*self._scheduler.drain(), *self._scheduler.running()]
            self._refuse(refused)

    @abstractmethod
    def _take_turn(self, lane: Lane, newcomers: list[Request]) -> None:
        """Let newcomers join a lane and take one step in it; never raises."""

    def _next_turn(self) -> tuple[Lane, list[Request]] | None:
        """Wait for work; return the lane whose turn it is and who joins it, or None if closed."""
        with self._condition:
            while True:
                refused = [] if self._is_open else self._scheduler.drain()
                now_s = time.monotonic()
                lane = self._scheduler.choose(now_s)
                if lane is not None or not self._is_open:
                    break
                self._condition.wait()
            newcomers = [] if lane is None else self._scheduler.admit(lane)
            for request in newcomers:
                request.admitted_s = now_s
        self._refuse(refused)  # not before: their callbacks may wait for another engine's lock
        return None if lane is None else (lane, newcomers)

    def _refuse(self, requests: Sequence[Request]) -> None:
        for request in requests:
            if request.future.set_running_or_notify_cancel():
                request.future.set_exception(EngineClosedError("the engine was closed"))

    def _deliver(self, lane: Lane, request: Request, answer: list[Hypothesis] | Exception) -> None:
        """Hand over what was found, or what went wrong; the request leaves its lane."""
        if not isinstance(answer, Exception):
            self._count(request, answer)
        request.future.times = Times(request.queued_s, request.admitted_s, time.monotonic())
        if request.future.set_running_or_notify_cancel():
            if isinstance(answer, Exception):
                request.future.set_exception(answer)
            else:
                request.future.set_result(answer)
        self._release(lane, request)

    def _count(self, request: Request, answer: list[Hypothesis]) -> None:
        with self._condition:
            done = self._done
            done.sentences += 1
            done.source_tokens += len(request.source_ids)
            done.target_tokens += len(answer[0].ids) if answer else 0
            done.queue_s += request.admitted_s - request.queued_s
            done.compute_s += time.monotonic() - request.admitted_s

    def _release(self, lane: Lane, request: Request) -> None:
        with self._condition:
            self._scheduler.release(lane, request)
