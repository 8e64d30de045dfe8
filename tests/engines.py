"""Engines that are not models, for tests of what surrounds them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from translator.config import DecodingOptions
from translator.engine.loop import EngineLoop
from translator.engine.port import Decoding, Statistics, Times
from translator.engine.scheduler import Lane, Request, Scheduler, SchedulerConfig
from translator.errors import EngineOverloadedError
from translator.runtime.contract import ForcedScorer
from translator.runtime.thread_budget import ThreadBudget
from translator.search.hypothesis import Hypothesis


class CopyEngine:
    """Answers every sentence with its own pieces; further hypotheses drop the first n pieces.

    The further ones are far less probable, so a copy stays the answer to a second search.
    Remembers what was submitted. Answers only when `answer` is called, if `is_lazy`.
    """

    def __init__(self, max_queue: int = 10_000, is_lazy: bool = False) -> None:
        self.submitted: list[tuple[list[int], DecodingOptions]] = []
        self.timeouts_s: list[float | None] = []
        self.group_sizes: list[int] = []
        self.futures: list[Decoding] = []
        self.max_queue, self.is_lazy = max_queue, is_lazy
        self.is_alive = True

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        if sum(not future.done() for future in self.futures) >= self.max_queue:
            raise EngineOverloadedError("full; try again later")
        self.submitted.append((list(source_ids), options))
        self.timeouts_s.append(timeout_s)
        self.group_sizes.append(group_size)
        future = Decoding()
        self.futures.append(future)
        if not self.is_lazy:
            self.answer(len(self.futures) - 1)
        return future

    def answer(self, place: int) -> None:
        source_ids, options = self.submitted[place]
        body = tuple(source_ids[1:-1])
        self.futures[place].times = Times(1.0, 2.0 + place, 4.0 + place)
        self.futures[place].set_result(
            [
                Hypothesis(
                    ids=body[n:], score=-1.0 - n, log_prob=-2.0 - 99 * n, finish_reason="eos"
                )
                for n in range(options.num_hypotheses)
            ]
        )

    def statistics(self) -> Statistics:
        done = sum(future.done() for future in self.futures)
        return Statistics(sentences=done, queued=len(self.futures) - done)

    @property
    def num_bytes(self) -> int:
        return 0

    def forced_scorer(self) -> ForcedScorer | None:
        return None

    def share_threads(self, budget: ThreadBudget) -> None:
        self.budget = budget

    def close(self) -> None:
        self.is_alive = False


class FirstIdEngine(EngineLoop):
    """Answers each sentence with its first id, on its thread, as soon as it may; 9 is an error.

    Attributes:
        given: lengths of the sentences that were submitted.
        turns: of each, the beam size and the newcomers.
        may_go_on: holds it up before it answers.
        is_waiting: set when a turn has begun.
    """

    def __init__(self, max_queue: int = 100, is_held: bool = False) -> None:
        super().__init__(100, Scheduler(SchedulerConfig(max_queue=max_queue)))
        self.given: list[int] = []
        self.turns: list[tuple[int, list[list[int]]]] = []
        self.threads: set[str] = set()
        self.may_go_on, self.is_waiting = threading.Event(), threading.Event()
        if not is_held:
            self.may_go_on.set()
        self.start()

    def submit(
        self,
        source_ids: Sequence[int],
        options: DecodingOptions,
        group_size: int = 1,
        timeout_s: float | None = None,
        start_ids: Sequence[int] = (),
    ) -> Decoding:
        future = super().submit(source_ids, options, group_size, timeout_s, start_ids)
        self.given.append(len(source_ids))
        return future

    def _take_turn(self, lane: Lane, newcomers: list[Request]) -> None:
        self.turns.append((lane.beam_size, [list(request.source_ids) for request in newcomers]))
        self.threads.add(threading.current_thread().name)
        self.is_waiting.set()
        assert self.may_go_on.wait(60)
        for request in newcomers:
            first_id = request.source_ids[0]
            self._deliver(lane, request, ValueError("nine") if first_id == 9 else answer(first_id))

    @property
    def has_ended(self) -> bool:
        """Whether its thread has."""
        return not self._thread.is_alive()

    @property
    def has_all_in_hand(self) -> bool:
        """Whether no sentence waits."""
        return not self.statistics().queued


def answer(piece_id: int) -> list[Hypothesis]:
    """Return what `FirstIdEngine` finds."""
    return [Hypothesis(ids=(piece_id,), score=-1.0, log_prob=-1.0, finish_reason="eos")]
