"""The simulation of queues beside the real engine, in the engine's own CPU time.

    python -m tests.benchmarks.queueing_engine --input SENTENCES [--from de] [--requests 500]

The real model, search and scheduler translate requests that come at random times. But the clock is
the CPU time that they need, and where there is nothing to do it jumps to the next request. So what
else runs on the machine makes nobody wait, and the comparison holds on a busy one. There is no HTTP
and no Python around the engine: for these, see `tests.benchmarks.queueing`.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch

from tests.benchmarks.arguments import (
    percentile,
    print_header,
    print_row,
    read_sentences,
    sentences_parser,
)
from tests.benchmarks.decoding.subject import first_target
from tests.benchmarks.queueing import LOADS, arrivals_of, capacity, fitted, simulate
from tests.benchmarks.request_mix import POOL, Sample
from tests.benchmarks.results import results
from tests.benchmarks.simulation import Rates
from translator.engine.native import NativeEngine
from translator.engine.running_batch import RunningBatch
from translator.engine.scheduler import Request, Scheduler, SchedulerConfig
from translator.engine.start import start_engine
from translator.store.model_directory import load_model_directory
from translator.tokens.chunks import source_ids
from translator.tokens.special_ids import SpecialIds

SHORTEST = 0.05  # of the mean
IN_HAND = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True)
class Done:
    """A sentence that was translated: the seconds it took, and its pieces on both sides."""

    seconds: float
    num_source: int
    num_target: int


@dataclass
class Subject:
    """A model, and sentences for it."""

    engine: NativeEngine
    special_ids: SpecialIds
    beam_size: int
    requests: dict[str, Request]

    def request(self, line: str, group_size: int, now_s: float) -> Request:
        """Return a request for a sentence."""
        return replace(self.requests[line], group_size=group_size, queued_s=now_s)


@dataclass
class Run:
    """The engine from a moment when it has nothing to do.

    Attributes:
        now_s: on its clock.
        busy_s: of that, spent on turns.
    """

    subject: Subject
    now_s: float = 0.0
    busy_s: float = 0.0
    scheduler: Scheduler = field(default_factory=Scheduler)

    def __post_init__(self) -> None:
        """Begin with no sentences."""
        model = self.subject.engine._inference
        subject = self.subject
        self._batch = RunningBatch[Request](model, subject.beam_size, subject.special_ids)

    def add(self, line: str, group_size: int = 1) -> Request:
        """Queue a sentence."""
        request = self.subject.request(line, group_size, self.now_s)
        self.scheduler.add(request)
        return request

    def turn(self) -> list[tuple[Request, Done]] | None:
        """Take a turn; return what is done after it, or None if there is nothing to do."""
        lane = self.scheduler.choose(self.now_s)
        if lane is None:
            return None
        newcomers = self.scheduler.admit(lane)
        started_s = time.thread_time()
        if newcomers:
            sources = [request.source_ids for request in newcomers]
            self._batch.admit(newcomers, sources, [request.options for request in newcomers])
        finished = self._batch.step(self.scheduler.turn_rows(lane))
        spent_s = time.thread_time() - started_s
        self.now_s += spent_s
        self.busy_s += spent_s
        self.scheduler.spend(lane, spent_s)
        done = []
        for request, hypotheses in finished:
            self.scheduler.release(lane, request)
            pieces = len(request.source_ids), len(hypotheses[0].ids)
            done.append((request, Done(self.now_s - request.queued_s, *pieces)))
        return done


def closed(subject: Subject, lines: Iterator[str], in_hand: int, count: int) -> list[Done]:
    """Have so many sentences in hand until `count` are done; the last one's time is that of all."""
    run = Run(subject)
    done: list[Done] = []
    for _ in range(in_hand):
        run.add(next(lines))
    while len(done) < count:
        for _, one in run.turn() or []:
            done.append(one)
            run.add(next(lines))
    return [*done, Done(run.now_s, 0, 0)]


def opened(
    subject: Subject, arrivals: Sequence[tuple[float, str, list[float]]]
) -> tuple[list[float], float]:
    """Return how long requests take that come at these times, and the CPU time of all."""
    run, seconds, at = Run(subject), [], 0
    whose: dict[Request, int] = {}
    num_left: dict[int, int] = {}
    while at < len(arrivals) or num_left:
        while at < len(arrivals) and arrivals[at][0] <= run.now_s:
            lines = arrivals[at][1].split("\n")
            whose |= {run.add(line, len(lines)): at for line in lines}
            num_left[at] = len(lines)
            at += 1
        finished = run.turn()
        if finished is None:
            run.now_s = arrivals[at][0]
        for request, _ in finished or []:
            place = whose.pop(request)
            num_left[place] -= 1
            if not num_left[place]:
                del num_left[place]
                seconds.append(run.now_s - arrivals[place][0])
    return seconds, run.busy_s


def load_subject(options: argparse.Namespace) -> Subject:
    """Return the model, and those lines of the input that it reads in one piece."""
    loaded = load_model_directory(options.model)
    engine = start_engine(loaded, 1, "auto")
    assert isinstance(engine, NativeEngine)
    engine.close()  # its thread; the model stays
    target = first_target(loaded.description, options.source_language)
    decoding = loaded.description.decoding
    lines = read_sentences(options.input)
    requests = {}
    for line in random.Random(0).sample(lines, min(POOL, len(lines))):
        chunks = source_ids([line], loaded.tokenizer, target, loaded.description.max_source_ids)
        if len(chunks) == 1:
            requests[line] = Request(chunks[0], decoding)
    return Subject(engine, SpecialIds.of(loaded.tokenizer), decoding.beam_size, requests)


def weigh(subject: Subject) -> tuple[Sample, float]:
    """Return what each sentence takes, from a line through the times of all alone; and the rate."""
    lines = list(subject.requests)
    closed(subject, itertools.cycle(lines), 4, 20)  # warm up
    *alone, whole = closed(subject, itertools.cycle(lines), 1, len(lines))
    pieces = np.array([[1, one.num_source, one.num_target] for one in alone])
    taken = np.array([one.seconds for one in alone])
    expected = pieces @ np.linalg.lstsq(pieces, taken, rcond=None)[0]
    mean = statistics.mean(expected)
    lengths = [max(SHORTEST, float(seconds / mean)) for seconds in expected]
    return Sample(lines, lengths), len(alone) / whole.seconds


@torch.inference_mode()
def measure(options: argparse.Namespace) -> None:
    """Print what one sentence, a batch and requests at random times take, and are said to take."""
    subject = load_subject(options)
    sample, alone = weigh(subject)
    measured = {1: alone}
    for in_hand in IN_HAND[1:]:
        lines = itertools.cycle(random.Random(in_hand).sample(sample.lines, len(sample.lines)))
        *done, whole = closed(subject, lines, in_hand, 100 + 4 * in_hand)
        measured[in_hand] = len(done) / whole.seconds
    gap_s = SchedulerConfig().express_gap_s
    rates = fitted(
        Rates(engine=dict(measured), gap_s=gap_s, places=10**9), measured, lambda: sample.singles(0)
    )
    print("Sentences a second of CPU time, by the number in hand: ", end="")
    print(", ".join(f"{rate:.0f} with {count}" for count, rate in measured.items()) + ".\n")
    full = capacity(rates, sample)
    columns = "load", "requests", "p50 ms", "simulated", "p90 ms", "simulated"
    print_header(*columns, "p99 ms", "simulated", "difference")
    for load in options.loads:
        arrivals = arrivals_of(sample, load * full, options.requests, seed=3)
        found, busy_s = opened(subject, arrivals)
        lengths = [(due_s, lengths) for due_s, _, lengths in arrivals]
        outcome = simulate(rates, lengths, 1, "least_conn", busy_s)
        pairs = [(percentile(found, p), percentile(outcome.seconds, p)) for p in (50, 90, 99)]
        cells = [f"{seconds * 1e3:.0f}" for pair in pairs for seconds in pair]
        difference = f"{pairs[-1][1] / pairs[-1][0] - 1:+.0%}"
        print_row(f"{load:.0%}", len(arrivals), *cells, difference)


def main() -> None:
    """Measure, simulate and print."""
    parser = sentences_parser(__doc__)
    parser.add_argument("--requests", type=int, default=500, help="at each load")
    parser.add_argument("--loads", type=float, nargs="+", default=LOADS, help="of the capacity")
    options = parser.parse_args()
    with results(options.write, "queueing-engine"):
        measure(options)


if __name__ == "__main__":
    main()
