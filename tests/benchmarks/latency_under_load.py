"""How long short sentences wait while documents run beside them.

    python -m tests.benchmarks.latency_under_load --input SENTENCES [--from de] [--beam-size 1]

Short sentences and documents of 500 sentences arrive as two Poisson processes, whether or not
earlier ones are answered (an open loop). Half of the sentences are short ones (`--short-share`).
The load is a share of the sentences a second that the engine manages with everything at hand.
Latency counts from when a sentence was due, so that a stalled engine cannot hide what it delayed.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import gc
import itertools
import random
import statistics
import threading
import time
from concurrent.futures import Future, wait
from dataclasses import dataclass, field

from tests.benchmarks.arguments import (
    percentile,
    print_header,
    print_row,
    read_sentences,
    sentences_parser,
)
from tests.benchmarks.decoding.subject import first_target
from tests.benchmarks.results import results
from translator.config import DecodingOptions
from translator.engine.port import Engine
from translator.engine.start import start_engine
from translator.search.hypothesis import Hypothesis
from translator.store.model_directory import LoadedModel, load_model_directory
from translator.translate.chunks import source_ids

DOCUMENT = 500
GAP_S = 0.03
SHORT_WORDS = 12
"""A short sentence has at most so many words."""


@dataclass(slots=True)
class Load:
    """What is sent to an engine, and how long each part of it took.

    Attributes:
        shorts: source ids of short sentences.
        documents: source ids of all sentences.
        short_share: of the sentences.
        waited_s: seconds from when a short sentence was due until it was answered.
    """

    engine: Engine
    options: DecodingOptions
    shorts: list[list[int]]
    documents: list[list[int]]
    short_share: float
    waited_s: list[float] = field(default_factory=list)

    def send(self, source_ids: list[int], group_size: int = 1) -> Future[list[Hypothesis]]:
        """Submit one sentence."""
        return self.engine.submit(source_ids, self.options, group_size)

    def lone_seconds(self, gap_s: float = 0.0, count: int = 200) -> list[float]:
        """Return how long short sentences take when nothing else is to be done.

        Args:
            gap_s: between two of them, in the mean: a machine that was idle has cold caches.
            count: how many.
        """
        times, generator = [], random.Random(0)
        for short in self.shorts[:count]:
            time.sleep(gap_s and generator.expovariate(1 / gap_s))
            started = time.perf_counter()
            self.send(short).result()
            times.append(time.perf_counter() - started)
        return times

    def capacity(self, count: int = 2 * DOCUMENT) -> float:
        """Return sentences a second when all are at hand, short ones and those of documents."""
        num_short = round(self.short_share * count)
        shorts, others = itertools.cycle(self.shorts), itertools.cycle(self.documents)
        mixed = [*itertools.islice(shorts, num_short), *itertools.islice(others, count - num_short)]
        started = time.perf_counter()
        wait([self.send(ids, count) for ids in mixed])
        return len(mixed) / (time.perf_counter() - started)

    def run(self, rate: float, seconds: float) -> list[float]:
        """Send `rate` sentences a second for so long; return how long each document took."""
        document_seconds: list[float] = []
        writers = threading.Thread(
            target=self._send_documents,
            args=(rate * (1 - self.short_share), seconds, document_seconds),
        )
        writers.start()
        generator, due, num_sent = random.Random(1), time.perf_counter(), 0
        end = due + seconds
        while (due := due + generator.expovariate(rate * self.short_share)) < end:
            time.sleep(max(0.0, due - time.perf_counter()))
            # not kept, as a service keeps no answers: Python would search them for garbage
            future = self.send(generator.choice(self.shorts))
            future.add_done_callback(functools.partial(self._note, due))
            num_sent += 1
        writers.join()
        while len(self.waited_s) < num_sent:
            time.sleep(0.01)
        return document_seconds

    def _note(self, due: float, _: Future[list[Hypothesis]]) -> None:
        self.waited_s.append(time.perf_counter() - due)

    def _send_documents(self, rate: float, seconds: float, taken: list[float]) -> None:
        generator, due = random.Random(2), time.perf_counter()
        end, readers = due + seconds, []
        while due < end:  # the first at once
            time.sleep(max(0.0, due - time.perf_counter()))
            first = generator.randrange(max(1, len(self.documents) - DOCUMENT))
            sentences = self.documents[first : first + DOCUMENT]
            futures = [self.send(ids, len(sentences)) for ids in sentences]
            reader = threading.Thread(target=_await, args=(futures, due, taken))
            reader.start()
            readers.append(reader)
            due += generator.expovariate(rate / DOCUMENT)
        for reader in readers:
            reader.join()


def _await(futures: list[Future[list[Hypothesis]]], due: float, taken: list[float]) -> None:
    wait(futures)
    taken.append(time.perf_counter() - due)


def make_load(loaded: LoadedModel, lines: list[str], options: argparse.Namespace) -> Load:
    """Start the engine for the sentences of a file."""
    target = first_target(loaded.description, options.source_language)
    decoding = loaded.description.decoding
    if options.beam_size:
        decoding = dataclasses.replace(decoding, beam_size=options.beam_size)
    limit = loaded.description.max_source_ids
    sources = source_ids(lines, loaded.tokenizer, target, limit)
    random.Random(0).shuffle(sources)
    few = [line for line in lines if len(line.split()) <= SHORT_WORDS]
    shorts = source_ids(few, loaded.tokenizer, target, limit)
    random.Random(0).shuffle(shorts)
    engine = start_engine(loaded, options.threads, "auto")
    return Load(engine, decoding, shorts, sources, options.short_share)


def main() -> None:
    """Measure and print."""
    parser = sentences_parser(__doc__)
    parser.add_argument("--beam-size", type=int, help="the model's own by default")
    parser.add_argument("--share", type=float, default=0.7, help="of the capacity")
    parser.add_argument("--short-share", type=float, default=0.5, help="of the sentences")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    if not 0 < options.short_share < 1:
        parser.error(f"--short-share must be between 0 and 1, got {options.short_share}")
    with results(options.write, "latency"):
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Print the waiting times alone and under load, and those of the documents."""
    lines = read_sentences(options.input)
    load = make_load(load_model_directory(options.model), lines, options)
    load.capacity(100)  # warm up
    lone, capacity = load.lone_seconds(), load.capacity()
    now_and_then = load.lone_seconds(GAP_S)
    gc.collect()
    gc.freeze()  # as the service does
    documents = load.run(options.share * capacity, options.seconds)
    load.engine.close()
    print(
        f"{options.threads} thread(s), beam {load.options.beam_size}, {capacity:.0f} sentences/s "
        f"at most; {len(load.waited_s)} short sentences under load, median of {len(documents)} "
        f"documents of {DOCUMENT} sentences {statistics.median(documents):.1f} s.\n"
    )
    print_header("short sentences", "median ms", "p99 ms", "p99 beside the median alone")
    under_load = f"under {options.share:.0%} of the load"
    rows = {"alone": lone, "alone, now and then": now_and_then, under_load: load.waited_s}
    for name, seconds in rows.items():
        p99 = percentile(seconds, 99)
        times = f"{p99 / statistics.median(lone):.1f} ×"
        print_row(name, f"{statistics.median(seconds) * 1e3:.1f}", f"{p99 * 1e3:.1f}", times)


if __name__ == "__main__":
    main()
