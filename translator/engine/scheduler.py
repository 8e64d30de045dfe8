"""Who is decoded next: fair shares of time, a bounded queue, and a budget of padded tokens.

Sentences wait in lanes: one for short requests and one for long documents, for each beam size, with
and without n-gram blocking (the candidates it wants are computed for a whole batch). The lane that
has had the least time for its weight takes the next step, so that a one-line request overtakes a
book that came before it, and the book still finishes. Knows nothing of models or of threads, and
takes the time from its caller.

Source: Demers et al. 1989 (fair queueing by virtual time).
"""

from __future__ import annotations

import bisect
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from translator.config import DecodingOptions
from translator.engine.port import Decoding
from translator.errors import DeadlineExceededError, EngineOverloadedError

EXPRESS_GROUP = 8
"""Requests of at most so many sentences take the express lane."""

LOOK_EVERY_S = 0.02
"""Between two searches, of what waits or runs, for sentences that no one wants any more."""


@dataclass(eq=False, slots=True)
class Request:
    """One sentence to be decoded; see `Engine.submit`. Times are of the scheduler's clock."""

    source_ids: Sequence[int]
    options: DecodingOptions
    group_size: int = 1
    deadline_s: float | None = None  # after which no one wants the answer
    queued_s: float = 0.0
    start_ids: Sequence[int] = ()
    admitted_s: float = 0.0
    future: Decoding = field(default_factory=Decoding)


@dataclass(frozen=True, kw_only=True, slots=True)
class SchedulerConfig:
    """Bounds on memory and waiting."""

    # rows times the longest source of a batch; a row is a beam of a sentence
    max_batch_tokens: int = 8192
    max_rows: int = 256  # rows of a batch
    turn_rows: int = 32  # rows that are computed in one turn, if a step of all has fewer
    # the same, for the express lane; between two turns the engine's thread waits for those of the
    # callers
    express_turn_rows: int = 32
    max_encode_tokens: int = 1024  # source ids that are read between two steps, or one sentence
    max_queue: int = 20_000  # sentences that may wait
    # time the express lane gets for each second of the other, when both want it
    express_weight: float = 4.0
    # newcomers to an express lane that is running join it together, so long after those before
    # them: reading one sentence takes nearly as long as reading ten
    express_gap_s: float = 0.02
    burst_s: float = 0.25  # how long the express lane may run at once after having been idle
    # times as many rows, steps, and source ids between two turns, for documents while no short
    # request comes that would have to wait for them
    quiet_factor: int = 1
    quiet_s: float = 0.25  # so long after the last one


class Queue:
    """Waiting sentences: in order of arrival, or swept from long to short."""

    def __init__(self, by_length: bool) -> None:
        """Begin empty. What arrives during a sweep `by_length` waits for the next one.

        So none waits longer than one whole sweep.
        """
        self._by_length = by_length
        self._now: deque[Request] = deque()
        self._next: list[Request] = []

    def __len__(self) -> int:
        return len(self._now) + len(self._next)

    def __iter__(self) -> Iterator[Request]:
        yield from self._now
        yield from self._next

    def add(self, request: Request) -> None:
        """Let one wait."""
        if not self._by_length:
            self._now.append(request)
        else:
            bisect.insort(self._next, request, key=lambda other: -len(other.source_ids))

    def first(self) -> Request | None:
        """Return whose turn it is."""
        if not self._now and self._next:
            self._now, self._next = deque(self._next), []
        return self._now[0] if self._now else None

    def pop(self) -> Request:
        """Take whose turn it is."""
        return self._now.popleft()

    def remove(self, is_unwanted: Callable[[Request], bool]) -> set[Request]:
        """Take out all that are unwanted."""
        removed = {request for request in self if is_unwanted(request)}  # may change at any time
        if removed:
            self._now = deque(request for request in self._now if request not in removed)
            self._next = [request for request in self._next if request not in removed]
        return removed


@dataclass(eq=False, slots=True)
class Lane:
    """Sentences of one kind, waiting and running."""

    beam_size: int
    blocks_ngrams: bool
    is_express: bool
    queue: Queue
    virtual_s: float = 0.0  # seconds spent, divided by the lane's weight
    admitted_s: float = -math.inf  # when someone joined last
    running: set[Request] = field(default_factory=set)  # those admitted and not yet released

    @property
    def is_active(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.running or len(self.queue))


class Scheduler:
    """Decides which lane takes the next step, and who joins it."""

    def __init__(self, config: SchedulerConfig | None = None) -> None:
        self.config = config or SchedulerConfig()
        self._lanes: dict[tuple[int, bool, bool], Lane] = {}
        self._now_s = self._looked_s = self._express_s = -math.inf
        self._virtual_s = 0.0  # of the lane that was served last; never goes back

    def __len__(self) -> int:
        return sum(len(lane.queue) for lane in self._lanes.values())

    def add(self, request: Request) -> None:
        """Queue a request.

        Raises:
            EngineOverloadedError: the queue is full.
        """
        if len(self) >= self.config.max_queue:
            raise EngineOverloadedError(
                f"{self.config.max_queue} sentences are waiting already; try again later"
            )
        is_express = request.group_size <= EXPRESS_GROUP
        options = request.options
        key = options.beam_size, options.no_repeat_ngram_size > 0, is_express
        if key not in self._lanes:
            self._lanes[key] = Lane(*key, queue=Queue(by_length=not is_express))
        lane = self._lanes[key]
        if not lane.is_active:
            burst = self.config.burst_s / self.config.express_weight if is_express else 0.0
            lane.virtual_s = max(lane.virtual_s, self._virtual_s - burst)
        lane.queue.add(request)

    def choose(self, now_s: float) -> Lane | None:
        """Return the lane that takes the next step; None if there is nothing to do.

        Requests that were cancelled or whose deadline has passed are dropped first, if the queue
        was not looked through just now: it may be long, and a step short.
        """
        self._now_s = now_s
        if now_s - self._looked_s >= LOOK_EVERY_S:
            self._looked_s = now_s
            for lane in self._lanes.values():
                for request in lane.queue.remove(lambda request: is_unwanted(request, now_s)):
                    fail_late(request)
        active = [lane for lane in self._lanes.values() if lane.is_active]
        if not active:
            return None
        if any(lane.is_express for lane in active):
            self._express_s = now_s
        chosen = min(active, key=lambda lane: (lane.virtual_s, not lane.is_express))
        self._virtual_s = max(self._virtual_s, chosen.virtual_s)
        return chosen

    def admit(self, lane: Lane) -> list[Request]:
        """Let waiting sentences join a lane, as far as the budget reaches; return them.

        The express lane admits at once, or shortly after those before. The other waits until a
        quarter of its rows are free, since joining may move all that is running.
        """
        if not len(lane.queue):
            return []
        config, factor = self.config, self._factor()
        longest = max((len(request.source_ids) for request in lane.running), default=0)
        capacity = self._rows(longest, factor)
        free = capacity - len(lane.running) * lane.beam_size
        is_too_soon = (
            self._now_s - lane.admitted_s < config.express_gap_s
            if lane.is_express
            else free < capacity / 4
        )
        if lane.running and is_too_soon:
            return []
        admitted: list[Request] = []
        num_encoded = 0
        while (request := lane.queue.first()) is not None:
            longest = max(longest, len(request.source_ids))
            num_encoded += len(request.source_ids)
            rows = (len(lane.running) + 1) * lane.beam_size
            fits = rows <= self._rows(longest, factor)
            if not fits and (admitted or lane.running):
                break
            if admitted and num_encoded > factor * config.max_encode_tokens:
                break
            admitted.append(lane.queue.pop())
            lane.running.add(request)
            if not fits:  # alone, and longer than any budget
                break
        if admitted:
            lane.admitted_s = self._now_s
        return admitted

    def turn_rows(self, lane: Lane) -> int:
        """Return how many rows a lane may compute in this turn, or one step."""
        if lane.is_express:
            return self.config.express_turn_rows
        return self.config.turn_rows * self._factor() ** 2

    def _factor(self) -> int:
        """Return how much larger turns may be than when someone would have to wait for them."""
        is_quiet = self._now_s - self._express_s > self.config.quiet_s
        return self.config.quiet_factor if is_quiet else 1

    def _rows(self, longest: int, factor: int) -> int:
        return min(factor * self.config.max_rows, self.config.max_batch_tokens // max(longest, 1))

    def spend(self, lane: Lane, seconds: float) -> None:
        """Charge a lane for the time of its step."""
        lane.virtual_s += seconds / (self.config.express_weight if lane.is_express else 1.0)

    def release(self, lane: Lane, request: Request) -> None:
        """Note that a running request has left its lane."""
        lane.running.discard(request)

    def running(self) -> list[Request]:
        """Return everything that has been admitted and not released."""
        return [request for lane in self._lanes.values() for request in lane.running]

    def drain(self) -> list[Request]:
        """Take everything that waits."""
        lanes = self._lanes.values()
        return [request for lane in lanes for request in lane.queue.remove(lambda _: True)]


def is_unwanted(request: Request, now_s: float) -> bool:
    """Return whether no one waits for the answer any more."""
    is_late = request.deadline_s is not None and now_s > request.deadline_s
    return is_late or request.future.cancelled()


def fail_late(request: Request) -> None:
    """Tell whoever waits for a request that is dropped."""
    if request.future.set_running_or_notify_cancel():
        request.future.set_exception(
            DeadlineExceededError("the sentence waited longer than its time limit; try again later")
        )
