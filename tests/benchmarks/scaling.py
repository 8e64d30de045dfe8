"""What a large load takes in cores, memory, money and everything else, from figures measured here.

    python -m tests.benchmarks.scaling --input SENTENCES [--from de --to en] [--seconds 8]

Measured are: sentences that a core translates a second, by length, while the other core does the
same; the memory of a worker; how long a replica takes to start; requests a second through HTTP, and
their bytes; and what each request asks of the Redis. The rest is arithmetic (`capacity_plan.py`,
where the assumptions and prices are). It takes about four minutes, and needs two cores on which
nothing else runs, nginx and redis-server.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import multiprocessing
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from redis import Redis

from tests.benchmarks.arguments import (
    add_source,
    print_header,
    print_row,
    read_sentences,
    results_parser,
)
from tests.benchmarks.capacity_plan import COLUMNS, LOAD, PEAK, Plan, bulk, rows, serving
from tests.benchmarks.results import results
from tests.load import Reply, closed_loop, request_bytes
from tests.replicas import Replica, nginx, replicas
from tests.service.redis_server import Redis as RedisServer
from translator.config import DecodingOptions
from translator.engine.scheduler import EXPRESS_GROUP
from translator.pipeline.translator import DEFAULT_MODEL, Translator

WORDS = ((1, 5), (6, 10), (11, 20), (21, 30), (31, 60))
AT_ONCE = 100
CLIENTS = 24
REDIS_A_SECOND = 100_000
"""Simple commands that one Redis answers, as its makers state for one core."""

NGINX_A_SECOND = 10_000
"""Requests a core of nginx passes on, with a new connection for each; a cautious figure."""

SENTENCES = {1: 0.6, 2: 0.2, 3: 0.1, 5: 0.07, EXPRESS_GROUP: 0.03}
"""Of a request, with the share that has so many; requests of more wait in another lane."""

NOTHING = "12 345"
"""A text without letters, which the engine never sees."""


class Bench:
    """The clients, and what they ask."""

    def __init__(self, port: int, options: argparse.Namespace) -> None:
        """Ask a server on this machine."""
        self._port, self._options = port, options

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


def _good(replies: list[Reply]) -> list[Reply]:
    bad = next((reply for reply in replies if not reply.is_good), None)
    if bad or not replies:
        raise SystemExit(f"error: the service has answered {bad}")
    return replies


def requests_of(lines: list[str]) -> Iterator[str]:
    """Yield texts of one to eight sentences without end."""
    generator = random.Random(0)
    while True:
        [count] = generator.choices([*SENTENCES], [*SENTENCES.values()])
        yield "\n".join(generator.choices(lines, k=count))


def core_rate(
    core: int,
    begin_s: float,
    seconds: float,
    model: Path,
    lines: list[str],
    languages: Sequence[str],
) -> tuple[float, float]:
    """Return sentences a second on one core, in the model's own search and in greedy search."""
    os.sched_setaffinity(0, {core})
    source, target = languages
    found = []
    with Translator.load(model, threads=1) as translator:
        own = translator.description.decoding
        left = itertools.cycle(lines)
        translator.translate(lines[:AT_ONCE], source=source, target=target)  # warm up
        for options in (own, DecodingOptions(beam_size=1)):
            time.sleep(max(0.0, begin_s - time.time()))
            started, count = time.perf_counter(), 0
            while time.perf_counter() < started + seconds:
                some = [*itertools.islice(left, AT_ONCE)]
                translator.translate(some, source=source, target=target, options=options)
                count += len(some)
            found.append(count / (time.perf_counter() - started))
            begin_s = max(begin_s, time.time())
    return found[0], found[1]


def print_lengths(options: argparse.Namespace, lines: list[str], cores: list[int]) -> float:
    """Print sentences a core-second by length; return that of the whole input."""
    print_header("words", "sentences", "sentences/s of a core", "in greedy search")
    kinds = {f"{few} to {many}": [few, many] for few, many in WORDS}
    for name, (few, many) in {**kinds, "all": [1, 10_000]}.items():
        some = [line for line in lines if few <= len(line.split()) <= many]
        if len(some) < AT_ONCE:
            continue
        languages = options.source_language, options.target_language
        begin_s = time.time() + 6  # until both have loaded
        with multiprocessing.get_context("spawn").Pool(len(cores)) as pool:
            work = [(n, begin_s, options.seconds, options.model, some, languages) for n in cores]
            pairs = pool.starmap(core_rate, work)
        own, greedy = (statistics.mean(rate) for rate in zip(*pairs, strict=True))
        print_row(name, f"{len(some):,}", f"{own:.1f}", f"{greedy:.1f}")
    return float(own)


@dataclass(frozen=True)
class Served:
    """What one replica on a core does.

    Attributes:
        start_s: until it answers.
        memory_mb: of its processes.
        singles, mixed: requests a second, of one sentence and of `SENTENCES`.
        empty: requests a second that need no translation.
        sent, received: bytes of a request and of its answer, heads included.
        commands: of the Redis for a request with a key and a limit.
    """

    start_s: float
    memory_mb: float
    singles: float
    mixed: float
    empty: float
    sent: float
    received: float
    commands: float


@contextmanager
def redis_server() -> Iterator[str]:
    """Run a Redis, and yield its URL."""
    if shutil.which("redis-server") is None:
        raise SystemExit("error: this needs redis-server")
    server = RedisServer()
    try:
        yield server.url
    finally:
        server.stop()


def memory_mb(replica: Replica) -> float:
    """Return the megabytes that a replica's two processes have, shared pages counted once."""
    total = 0
    for pid in replica.pids:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        line = next(line for line in text.splitlines() if line.startswith("Pss:"))
        total += int(line.split()[1])
    return total / 1024


def serve(options: argparse.Namespace, lines: list[str], cores: list[int], folder: Path) -> Served:
    """Return what one replica does behind nginx, with its clients on the other core."""
    with redis_server() as url:
        settings = {
            "TRANSLATOR_MODEL": str(options.model),
            "TRANSLATOR_ACCESS_LOG": "off",
            "TRANSLATOR_RATE_LIMIT": "1000000 per minute",
            "TRANSLATOR_RATE_LIMIT_STORAGE": url,
            "TRANSLATOR_API_KEYS": "optional",
            "TRANSLATOR_KEYS_STORAGE": url,
        }
        begin_s = time.monotonic()
        with replicas(folder, 1, settings, cores[:1]) as [replica]:
            start_s = time.monotonic() - begin_s
            os.sched_setaffinity(0, {*cores[1:]})  # these clients, and nginx
            with nginx(folder, [replica.port]) as port:
                bench, seconds = Bench(port, options), options.seconds
                texts = itertools.cycle(lines)
                bench.closed(texts, 4, seconds)  # warm up
                singles = bench.closed(texts, CLIENTS, seconds)
                mixed = bench.closed(requests_of(lines), CLIENTS, seconds)
                empty = bench.closed(itertools.repeat(NOTHING), CLIENTS, seconds)
                return Served(
                    start_s=start_s,
                    memory_mb=memory_mb(replica),
                    singles=len(singles) / seconds,
                    mixed=len(mixed) / seconds,
                    empty=len(empty) / seconds,
                    sent=statistics.mean(len(bench.request(line)) for line in lines[:500]),
                    received=statistics.mean(reply.num_bytes for reply in singles),
                    commands=commands(url, bench, lines),
                )


def commands(url: str, bench: Bench, lines: list[str]) -> float:
    """Return how many commands the Redis gets for a request with a key and a limit."""
    with Redis.from_url(url) as client:
        before = client.info("stats")["total_commands_processed"]
        replies = bench.closed(itertools.cycle(lines), 1, 2.0)
        after = client.info("stats")["total_commands_processed"]
    return float((after - before - 1) / len(replies)) + 1  # and one that looks for the key


def print_served(served: Served) -> None:
    """Print what one replica does."""
    print()
    print_header("one replica, on one core", "")
    print_row("answers after its start", f"{served.start_s:.1f} s")
    print_row("memory, worker and main process", f"{served.memory_mb:.0f} MB")
    print_row("requests/s of one sentence", f"{served.singles:.1f}")
    print_row("requests/s of the mix", f"{served.mixed:.1f}")
    print_row("requests/s that need no translation", f"{served.empty:.0f}")
    print_row("bytes of a request of one sentence", f"{served.sent:.0f}")
    print_row("bytes of its answer", f"{served.received:.0f}")
    print_row("commands to the Redis, with a key and a limit", f"{served.commands:.1f}")


def print_plans(day: Plan, night: Plan, memory_gb: float) -> None:
    """Print machines and money."""
    print(
        f"\nOne hundred million requests a day are {day.rate / PEAK:,.0f} a second, and "
        f"{day.rate:,.0f} in the busiest hour. Each core answers {day.per_core:.1f} a second at "
        f"most, and is to have {LOAD:.0%} of that: **{day.cores:,.0f} cores**, "
        f"{day.cores * memory_gb:,.0f} GB.\n\n"
        f"One billion sentences in eight hours are {night.rate:,.0f} a second. Each core "
        f"translates {night.per_core:.1f} at most: **{night.cores:,.0f} cores**, "
        f"{night.cores * memory_gb:,.0f} GB.\n"
    )
    print_header(*COLUMNS)
    for cells in rows(day, night, memory_gb):
        print_row(*cells)


def print_bottlenecks(day: Plan, night: Plan, served: Served) -> None:
    """Print what else the busiest hour takes, beside what one of each can do."""
    print()
    print_header("in the busiest hour", "a second", "one of them is to do", "so many are needed")
    sentences = day.rate * sum(count * share for count, share in SENTENCES.items())
    python = served.mixed / served.empty
    asked = day.rate * served.commands
    for name, rate, unit, needed in (
        ("sentences through the engine", sentences, "cores", day.cores * (1 - python)),
        ("requests through Python", day.rate, "cores", day.cores * python),
        ("requests through nginx", day.rate, "cores", day.rate / NGINX_A_SECOND),
        ("commands to the Redis", asked, "servers", asked / REDIS_A_SECOND),
    ):
        print_row(name, f"{rate:,.0f}", f"{rate / needed:,.0f}", f"{needed:,.1f} {unit}")
    both = day.rate * (served.sent + served.received) * 8 / 1e6
    print_row(
        "bits from and to clients", f"{both:,.0f} million", "10,000 million", "1 network card"
    )
    by_night = night.rate * (served.sent + served.received) * 8 / 1e6
    print(
        f"\nThe night's sentences are at most {by_night:,.0f} million bits a second, all machines "
        f"together. A new replica answers {served.start_s:.0f} s after its process has begun."
    )


def main() -> None:
    """Measure and print."""
    parser = results_parser(__doc__)
    add_source(parser)
    parser.add_argument("--to", dest="target_language", default="en")
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--seconds", type=float, default=8, help="of each measurement")
    options = parser.parse_args()
    lines = read_sentences(options.input)
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise SystemExit("error: this needs two cores: one for a replica, one for its clients")
    with results(options.write, "scaling"), tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        sentences = print_lengths(options, lines, cores)
        served = serve(options, lines, cores, Path(folder))
        print_served(served)
        day, night = serving(served.mixed), bulk(sentences)
        print_plans(day, night, served.memory_mb / 1024)
        print_bottlenecks(day, night, served)


if __name__ == "__main__":
    main()
