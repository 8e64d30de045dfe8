"""A model of the service in numbers: replicas with an engine each, behind nginx.

A replica is one core. Two kinds of work share it, as the system's scheduler lets threads share it:

- Python's share of each request (HTTP, JSON, text to ids and back), a fixed time of the core.
- The engine, which translates all sentences in hand at once. Its rate depends on how many there
  are: a batch of eight takes far less than eight times as long as one sentence. All in hand go on
  alike, and a sentence is done when it has had its length. Newcomers to an engine at work wait
  until a short time after those before them, as `translator.engine.scheduler` has it.

A request is answered when its last sentence is. nginx gives a request to the replica that has
fewest in hand, or to each in turn. Time on the way (client, nginx, network) is added to each.

Source: Kleinrock 1976, volume 2, §4.4 (processor sharing).
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Balance = Literal["least_conn", "round_robin"]
EPSILON_S = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Rates:
    """What a replica can do, from a measurement.

    Attributes:
        engine: sentences of mean length a second, of an engine alone on its core, by the number in
            hand; between two numbers it is interpolated.
        request_s: of the core for each request, besides its sentences.
        path_s: on the way, for each request.
        gap_s: that newcomers wait after those before them, if the engine is at work.
        slots: sentences in the batch; more wait.
        places: requests in hand; one more is refused.
    """

    engine: dict[int, float]
    request_s: float = 0.0
    path_s: float = 0.0
    gap_s: float = 0.0
    slots: int = 32
    places: int = 48

    def engine_rate(self, num_sentences: int) -> float:
        """Return sentences a second with so many in hand."""
        known = sorted(self.engine)
        for few, many in itertools.pairwise(known):
            if few <= num_sentences <= many:
                share = (num_sentences - few) / (many - few)
                return self.engine[few] + share * (self.engine[many] - self.engine[few])
        return self.engine[known[0] if num_sentences < known[0] else known[-1]]

    def faster(self, factor: float) -> Rates:
        """Return the same with another speed of the core."""
        engine = {number: rate * factor for number, rate in self.engine.items()}
        return replace(self, engine=engine, request_s=self.request_s / factor)


@dataclass(eq=False, slots=True)
class Job:
    """A request in a replica.

    Attributes:
        arrived_s: when.
        lengths: of its sentences, in parts of the mean; one of 0 needs no engine.
        num_left: sentences that are not done.
    """

    arrived_s: float
    lengths: Sequence[float]
    num_left: int = 0


@dataclass(eq=False, slots=True)
class Replica:
    """One core: what it has in hand, and how far that is.

    All requests in Python's hands go on alike, and so do all sentences in the batch. So one number
    for each of the two says how far they are.
    """

    rates: Rates
    in_hand: int = 0
    version: int = 0
    sentence_seconds: float = 0.0
    busy_s: float = 0.0
    _now_s: float = 0.0
    _python: list[tuple[float, int, Job]] = field(default_factory=list)
    _python_s: float = 0.0
    _batch: list[tuple[float, int, Job]] = field(default_factory=list)
    _batch_length: float = 0.0
    _waiting: deque[tuple[float, Job]] = field(default_factory=deque)
    _joined_s: float = -math.inf
    _count: Iterator[int] = field(default_factory=itertools.count)

    def add(self, job: Job, now_s: float) -> None:
        """Take a request."""
        self.advance(now_s)
        self.in_hand += 1
        due_s = self._python_s + self.rates.request_s
        heapq.heappush(self._python, (due_s, next(self._count), job))

    def _speeds(self) -> tuple[float, float]:
        """Return how fast a request goes on in Python's hands, and a sentence in the batch."""
        share = 1 / (len(self._python) + bool(self._batch))
        size = len(self._batch)
        rate = self.rates.engine_rate(size) / size if size else 0.0
        return share, share * rate

    def next_s(self) -> float:
        """Return when something happens next."""
        if not (self._python or self._batch):
            return self._now_s if self._waiting else math.inf
        python, batch = self._speeds()
        times = [math.inf]
        if self._python:
            times.append((self._python[0][0] - self._python_s) / python)
        if self._batch:
            times.append((self._batch[0][0] - self._batch_length) / batch)
        soon_s = self._now_s + max(0.0, min(times))
        if self._waiting and len(self._batch) < self.rates.slots:
            soon_s = min(soon_s, max(self._now_s, self._joined_s + self.rates.gap_s))
        return soon_s

    def advance(self, now_s: float) -> None:
        """Let time pass in which nothing happens."""
        passed_s = now_s - self._now_s
        if self._python or self._batch:
            python, batch = self._speeds()
            self.busy_s += passed_s
            self._python_s += python * passed_s
            self._batch_length += batch * passed_s
        self.sentence_seconds += passed_s * (len(self._batch) + len(self._waiting))
        self._now_s = now_s

    def step(self, now_s: float) -> list[Job]:
        """Do what is due now; return the requests that are answered."""
        self.advance(now_s)
        answered: list[Job] = []
        python, batch = self._speeds() if self._python or self._batch else (0.0, 0.0)
        prepared_s = self._python_s + EPSILON_S * python
        done_length = self._batch_length + EPSILON_S * batch
        while self._python and self._python[0][0] <= prepared_s:
            job = heapq.heappop(self._python)[2]
            lengths = [length for length in job.lengths if length > 0]
            job.num_left = len(lengths)
            self._waiting.extend((length, job) for length in lengths)
            if not lengths:
                answered.append(job)
        while self._batch and self._batch[0][0] <= done_length:
            job = heapq.heappop(self._batch)[2]
            job.num_left -= 1
            if not job.num_left:
                answered.append(job)
        if not self._batch or now_s >= self._joined_s + self.rates.gap_s - EPSILON_S:
            self._join(now_s)
        self.in_hand -= len(answered)
        return answered

    def _join(self, now_s: float) -> None:
        if self._waiting and len(self._batch) < self.rates.slots:
            self._joined_s = now_s
        while self._waiting and len(self._batch) < self.rates.slots:
            length, job = self._waiting.popleft()
            due = self._batch_length + length
            heapq.heappush(self._batch, (due, next(self._count), job))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the requests of one run.

    Attributes:
        seconds: of each that was answered, in the order of their ends.
        num_refused: for lack of a place.
        sentences_in_hand: of a replica, in the mean over the time.
        busy_s: of all cores.
    """

    seconds: list[float]
    num_refused: int
    sentences_in_hand: float
    busy_s: float


class Cluster:
    """Replicas, and which of them a request goes to."""

    def __init__(self, rates: Rates, num_replicas: int, balance: Balance = "least_conn") -> None:
        """Begin with empty ones."""
        self._rates, self._balance = rates, balance
        self.replicas = [Replica(rates) for _ in range(num_replicas)]
        self._events: list[tuple[float, int, int]] = []
        self._turn = 0
        self.num_refused = 0

    def add(self, job: Job, now_s: float) -> None:
        """Give a request to a replica, or refuse it."""
        count = len(self.replicas)
        order = [(self._turn + n) % count for n in range(count)]  # equal ones come in turn
        if self._balance == "least_conn":
            place = min(order, key=lambda n: self.replicas[n].in_hand)
        else:
            place = order[0]
        self._turn = (place + 1) % count
        if self.replicas[place].in_hand >= self._rates.places:
            self.num_refused += 1
            return
        self.replicas[place].add(job, now_s)
        self._plan(place)

    def next_s(self) -> float:
        """Return when something happens next."""
        while self._events and self._events[0][2] != self.replicas[self._events[0][1]].version:
            heapq.heappop(self._events)
        return self._events[0][0] if self._events else math.inf

    def step(self) -> tuple[float, list[Job]]:
        """Go on to what happens next; return when that is, and the requests that are answered."""
        now_s, place, _ = heapq.heappop(self._events)
        answered = self.replicas[place].step(now_s)
        self._plan(place)
        return now_s, answered

    def _plan(self, place: int) -> None:
        replica = self.replicas[place]
        replica.version += 1
        due_s = replica.next_s()
        if due_s < math.inf:
            heapq.heappush(self._events, (due_s, place, replica.version))


def run_open(
    rates: Rates,
    arrivals: Sequence[tuple[float, Sequence[float]]],
    num_replicas: int = 1,
    balance: Balance = "least_conn",
) -> Outcome:
    """Return what becomes of requests that come whether or not earlier ones are answered.

    Args:
        rates: of each replica.
        arrivals: seconds, and the lengths of the sentences that come then, in order.
        num_replicas: how many.
        balance: which one a request goes to.
    """
    cluster = Cluster(rates, num_replicas, balance)
    seconds: list[float] = []
    now_s = 0.0
    for arrived_s, lengths in itertools.chain(arrivals, [(math.inf, [])]):
        while cluster.next_s() <= arrived_s and cluster.next_s() < math.inf:
            now_s, answered = cluster.step()
            seconds += [now_s - job.arrived_s + rates.path_s for job in answered]
        if arrived_s < math.inf:
            cluster.add(Job(arrived_s, lengths), arrived_s)
    held = sum(replica.sentence_seconds for replica in cluster.replicas)
    in_hand = held / (num_replicas * now_s) if now_s else 0.0
    busy_s = sum(replica.busy_s for replica in cluster.replicas)
    return Outcome(seconds, cluster.num_refused, in_hand, busy_s)


def run_closed(
    rates: Rates, requests: Iterator[Sequence[float]], num_clients: int, count: int
) -> float:
    """Return requests a second of one replica, whose clients each send the next when answered."""
    cluster = Cluster(rates, 1)
    for _ in range(num_clients):
        cluster.add(Job(0.0, next(requests)), 0.0)
    coming: list[float] = []  # requests on their way
    num_done, now_s = 0, 0.0
    while num_done < count:
        if coming and coming[0] <= cluster.next_s():
            now_s = heapq.heappop(coming)
            cluster.add(Job(now_s, next(requests)), now_s)
            continue
        now_s, answered = cluster.step()
        num_done += len(answered)
        for _ in answered:
            heapq.heappush(coming, now_s + rates.path_s)
    return num_done / now_s
