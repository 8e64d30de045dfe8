"""What clients that are rude, too many or too slow take from the others.

    python -m tests.benchmarks.rude_clients --input SENTENCES [--from de --to en] [--only rude]

The service is started in its default set-up for each of three measurements:

- `rude`: a client sends a sentence five times a second, each on a new connection, while 300 others
  are rude: half a head, a slow body, nothing at all, an answer that is not read, or all of these.
  Those that are thrown out come back. Availability is the share answered 200 within ten seconds.
- `overload`: clients that never pause find the capacity; then twice as many requests a second
  arrive, whether or not earlier ones are answered. Goodput is what is answered 200.
- `hang`: the worker is stopped by SIGSTOP; counted are the seconds until the service answers again.

All clients use asyncio, and the rude ones are a process of their own, so that none is in another's
way.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.arguments import percentile
from tests.ports import free_port
from translator.cli.info import describe

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 10.0
WARM_UP_S = 15.0
CLIENTS = 32
HEAD = "POST /translate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
RUDE = {
    "half a head": (b"POST /translate HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"a"),
    "slow body": (f"{HEAD}Content-Length: 1000000\r\n\r\n".encode(), b"a"),
    "nothing": (b"", b""),
    "unread answer": (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 200, b""),
}
"""What a rude client sends at once, and then every second."""


@dataclass(frozen=True)
class Answer:
    """How a request ended: its status, 0 if there was none, and the seconds it took."""

    status: int
    seconds: float


async def be_rude(port: int, kind: str) -> None:
    """Be one rude client, that comes back when it is thrown out, until cancelled."""
    first, drip = RUDE[kind]
    while True:
        writer = None
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            writer.write(first)
            while not (reader.at_eof() or writer.transport.is_closing()):
                writer.write(drip)
                await asyncio.sleep(1)
        except OSError:
            await asyncio.sleep(1)
        finally:
            if writer is not None:
                writer.transport.abort()


def be_rude_together(port: int, kinds: list[str], count: int) -> None:
    """Be many rude clients, of all kinds in turn, until killed."""

    async def together() -> None:
        await asyncio.gather(
            *(be_rude(port, kind) for kind in itertools.islice(itertools.cycle(kinds), count))
        )

    asyncio.run(together())


@contextmanager
def rude_clients(port: int, kinds: list[str], count: int) -> Iterator[None]:
    """Have rude clients in a process of their own meanwhile."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=be_rude_together, args=(port, kinds, count), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


async def ask(port: int, body: bytes) -> Answer:
    """Have one sentence translated, on a connection of its own."""
    started, status, writer = time.perf_counter(), 0, None
    with suppress(OSError, TimeoutError, ValueError, IndexError):
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = f"{HEAD}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
            writer.write(head.encode() + body)
            answer = await reader.read()
            status = int(answer.split(b" ", 2)[1])
    if writer is not None:
        writer.transport.abort()
    return Answer(status, time.perf_counter() - started)


async def arrive(port: int, bodies: Iterator[bytes], rate: float, seconds: float) -> list[Answer]:
    """Ask `rate` times a second, whether or not earlier ones are answered."""
    tasks, begin = [], time.perf_counter()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, begin + number / rate - time.perf_counter()))
        tasks.append(asyncio.create_task(ask(port, next(bodies))))
    return [await task for task in tasks]


async def capacity(port: int, bodies: Iterator[bytes], clients: int, seconds: float) -> float:
    """Return the requests a second that clients get answered who never pause."""
    end = time.perf_counter() + seconds

    async def client() -> int:
        num_good = 0
        while time.perf_counter() < end:
            num_good += (await ask(port, next(bodies))).status == 200
        return num_good

    return sum(await asyncio.gather(*(client() for _ in range(clients)))) / seconds


class Service:
    """The service in its default set-up, as a process of its own."""

    def __init__(self) -> None:
        """Start it on a free port, and wait until it is healthy."""
        self.port = free_port()
        environment = {**os.environ, "TRANSLATOR_PORT": str(self.port)}
        command = [sys.executable, "-m", "gunicorn", "--config", "service/gunicorn.conf.py"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL
        )
        self.wait(lambda: asyncio.run(ask(self.port, b"{}")).status == 400)

    def wait(self, is_reached: Callable[[], bool]) -> float:
        """Return the seconds until something is so."""
        started = time.perf_counter()
        while not is_reached():
            if self._process.poll() is not None or time.perf_counter() > started + 300:
                raise SystemExit("error: the service does not start; start it by hand to see why")
            time.sleep(0.2)
        return time.perf_counter() - started

    @property
    def worker(self) -> int:
        """Return the process id of its worker."""
        pid = self._process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    def stop(self) -> None:
        """Stop it."""
        self._process.terminate()
        self._process.wait()


@contextmanager
def service(bodies: Iterator[bytes]) -> Iterator[Service]:
    """Have the service running meanwhile, and all that it compiles compiled."""
    running = Service()
    try:
        asyncio.run(capacity(running.port, bodies, 8, WARM_UP_S))
        yield running
    finally:
        running.stop()


def row(*cells: object) -> None:
    """Print one line of the table."""
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def measure_rude(bodies: Iterator[bytes], options: argparse.Namespace) -> None:
    """Print availability and p95 beside rude clients of each kind."""
    with service(bodies) as running:
        for kinds in ([], *([kind] for kind in RUDE), list(RUDE)):
            with rude_clients(running.port, kinds, options.count if kinds else 0):
                time.sleep(3)
                answers = asyncio.run(arrive(running.port, bodies, 5, options.seconds))
            good = [answer.seconds for answer in answers if answer.status == 200]
            p95 = percentile(good, 95) if good else float("nan")
            name = "all kinds" if len(kinds) > 1 else "".join(kinds) or "nobody rude"
            row(name, f"{len(good) / len(answers):.1%} available", f"p95 {p95:.2f} s")


def measure_overload(bodies: Iterator[bytes], options: argparse.Namespace) -> None:
    """Print goodput at twice the capacity, and how fast the rest was refused."""
    with service(bodies) as running:
        full = asyncio.run(capacity(running.port, bodies, CLIENTS, options.seconds / 2))
        answers = asyncio.run(arrive(running.port, bodies, 2 * full, options.seconds))
    good = [answer.seconds for answer in answers if answer.status == 200]
    refusals = [answer.seconds for answer in answers if answer.status == 503]
    goodput, p95 = len(good) / options.seconds, percentile(good or [0.0], 95)
    row("capacity", f"{full:.1f} requests/s", f"{CLIENTS} clients that never pause")
    row(
        "twice of it",
        f"{goodput:.1f} requests/s good = {goodput / full:.0%}",
        f"median {statistics.median(good or [0.0]):.2f} s, p95 {p95:.2f} s",
    )
    row("refused", len(refusals), f"p95 {percentile(refusals or [0.0], 95):.3f} s")
    row("neither", len(answers) - len(good) - len(refusals), "")


def measure_hang(bodies: Iterator[bytes], _: argparse.Namespace) -> None:
    """Print how long it takes to replace a worker that hangs."""
    with service(bodies) as running:
        os.kill(running.worker, signal.SIGSTOP)
        seconds = running.wait(lambda: asyncio.run(ask(running.port, next(bodies))).status == 200)
    row("worker stopped", f"answers after {seconds:.1f} s", "")


MEASUREMENTS = {"rude": measure_rude, "overload": measure_overload, "hang": measure_hang}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", type=Path, required=True, help="sentences, one a line")
    parser.add_argument("--from", dest="source_language", default="de", help="of --input")
    parser.add_argument("--to", dest="target_language", default="en")
    parser.add_argument("--only", choices=MEASUREMENTS, help="one measurement; all by default")
    parser.add_argument("--count", type=int, default=300, help="of rude clients")
    parser.add_argument("--seconds", type=float, default=30, help="of each measurement")
    options = parser.parse_args()
    lines = [line for line in options.input.read_text(encoding="utf-8").splitlines() if line]
    if not lines:
        parser.error(f"--input: {options.input} has no sentences")
    languages = {"source": options.source_language, "target": options.target_language}
    bodies = itertools.cycle([json.dumps({"q": line, **languages}).encode() for line in lines])
    print(f"{describe()}; {options.count} rude clients, {options.seconds:.0f} s")
    row("meanwhile", "found", "in detail")
    row("---", "---", "---")
    for name, measure in MEASUREMENTS.items():
        if options.only in (None, name):
            measure(bodies, options)


if __name__ == "__main__":
    main()
