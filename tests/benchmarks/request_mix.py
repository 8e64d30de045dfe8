"""What clients of the service ask in benchmarks: requests of one to eight sentences."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tests.load import Reply, closed_loop, open_loop, request_bytes
from translator.engine.scheduler import EXPRESS_GROUP
from translator.store.model_directory import LoadedModel
from translator.translate.chunks import source_ids

SENTENCES = {1: 0.6, 2: 0.2, 3: 0.1, 5: 0.07, EXPRESS_GROUP: 0.03}
"""Of a request, with the share that has so many; requests of more wait in another lane."""

SENTENCES_MEAN = sum(count * share for count, share in SENTENCES.items())
"""Of a request."""

POOL = 400
NOTHING = "12 345"
"""A text without letters, which the engine never sees."""


@dataclass(frozen=True)
class Sample:
    """Sentences, and what each takes of the engine, in parts of the mean."""

    lines: list[str]
    lengths: list[float]

    def draw(self, generator: random.Random) -> tuple[str, list[float]]:
        """Return the text of a request, and the lengths of its sentences."""
        [count] = generator.choices([*SENTENCES], [*SENTENCES.values()])
        chosen = generator.choices(range(len(self.lines)), k=count)
        return "\n".join(self.lines[n] for n in chosen), [self.lengths[n] for n in chosen]

    def mix(self, seed: int) -> Iterator[tuple[str, list[float]]]:
        """Yield requests without end."""
        generator = random.Random(seed)
        while True:
            yield self.draw(generator)

    def singles(self, seed: int) -> Iterator[list[float]]:
        """Yield the lengths of requests of one sentence without end."""
        generator = random.Random(seed)
        while True:
            yield [generator.choice(self.lengths)]


class Bench:
    """The clients, and what they ask."""

    def __init__(self, port: int, options: argparse.Namespace) -> None:
        """Ask a server on this machine."""
        self._port, self._options = port, options
        self.target: str = options.target_language

    def request(self, text: str) -> bytes:
        """Return a request for a translation."""
        languages = {
            "source": self._options.source_language,
            "target": self._options.target_language,
        }
        return request_bytes(text, **languages)

    def closed(self, texts: Iterator[str], num_clients: int, seconds: float) -> list[Reply]:
        """Return what clients that never pause are answered in so long."""
        requests = map(self.request, texts)
        return _good(asyncio.run(closed_loop(self._port, requests, num_clients, seconds)))

    def open(self, arrivals: Sequence[tuple[float, str]]) -> list[Reply]:
        """Return what is answered to texts that come at these times."""
        requests = [(due_s, self.request(text)) for due_s, text in arrivals]
        return asyncio.run(open_loop(self._port, requests))


def _good(replies: list[Reply]) -> list[Reply]:
    bad = next((reply for reply in replies if not reply.is_good), None)
    if bad or not replies:
        raise SystemExit(f"error: the service has answered {bad}")
    return replies


def weigh(bench: Bench, loaded: LoadedModel, lines: list[str], seconds: float) -> Sample:
    """Return the sample, each length from the pieces of a sentence and of its translation.

    How much a piece counts comes from a line through the times of sentences that were alone.
    """
    pool = random.Random(0).sample(lines, min(POOL, len(lines)))
    empty = bench.closed(itertools.repeat(NOTHING), 1, seconds / 3)
    replies = bench.closed(itertools.cycle(pool), 1, seconds)
    translations = [json.loads(reply.body)["translatedText"] for reply in replies]
    limit = loaded.description.max_source_ids

    def pieces(texts: list[str]) -> list[int]:
        target = bench.target  # which of the languages makes no difference to the number
        chunks = (source_ids([text], loaded.tokenizer, target, limit) for text in texts)
        return [sum(map(len, one)) for one in chunks]

    sources = pieces([pool[n % len(pool)] for n in range(len(replies))])
    rows = [[1, *both] for both in zip(sources, pieces(translations), strict=True)]
    taken = [reply.seconds for reply in replies]
    fixed, of_source, of_target = np.linalg.lstsq(np.array(rows), np.array(taken), rcond=None)[0]
    fixed -= statistics.mean(reply.seconds for reply in empty)
    ratio = sum(row[2] for row in rows) / sum(sources)
    alone = [max(1e-3, fixed + (of_source + ratio * of_target) * count) for count in pieces(pool)]
    mean = statistics.mean(alone)
    return Sample(pool, [seconds / mean for seconds in alone])
