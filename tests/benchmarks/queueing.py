"""How long requests wait, by load and number of replicas: a simulation, held against a measurement.

    python -m tests.benchmarks.queueing --input SENTENCES [--from de --to en] [--seconds 40]

Two services run on a core each, behind nginx with the configuration of `service/deploy`. One of
them alone says how fast a replica is, when 1, 2, 4 … clients each ask the next as soon as they are
answered. From that the simulation says how long requests take that come at random, and the same
requests are then sent, at the same times, to one replica and to two. The clients share the second
core with nginx, and with the second replica.

A request has 1 to 8 sentences (`request_mix.py`: put your own shares there), drawn from the input.
Requests come at random times (a Poisson process), whether or not earlier ones are answered. The
load is a share of what the replicas answer when there is always more to do.

At the end, a table of the simulation alone, for more replicas than this machine has cores. It takes
about seven minutes, and needs two cores on which nothing else runs.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.arguments import (
    add_source,
    percentile,
    print_header,
    print_row,
    read_sentences,
    results_parser,
)
from tests.benchmarks.request_mix import NOTHING, SENTENCES_MEAN, Bench, Sample, weigh
from tests.benchmarks.results import results
from tests.benchmarks.simulation import Balance, Outcome, Rates, run_closed, run_open
from tests.replicas import Replica, nginx, replicas
from translator.engine.scheduler import SchedulerConfig
from translator.store.model_directory import load_model_directory
from translator.translate.translator import DEFAULT_MODEL

CLIENTS = (1, 2, 4, 8, 16)
MANY_CLIENTS = 24
QUIET = 0.8
NOT_QUIET = "other programs had the cores meanwhile: this row says nothing of the simulation"
"""Said if replicas have had less of the CPU than this share of their load."""

LOADS = (0.5, 0.7, 0.85)
TABLE_LOADS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)
TABLE_REPLICAS = (1, 2, 4, 16)
TABLE_REQUESTS = 10_000


def pin_clients(cores: set[int]) -> None:
    """Keep this process, and nginx which it starts, on these cores."""
    os.sched_setaffinity(0, cores)


def fitted(
    rates: Rates, measured: Mapping[int, float], requests: Callable[[], Iterator[Sequence[float]]]
) -> Rates:
    """Return the rates with which the simulation does what was measured.

    Args:
        rates: to begin with; one for each that was measured, in the same order.
        measured: requests a second, by how many clients always have one in hand.
        requests: begins anew with the lengths of their sentences.
    """
    for _ in range(5):
        found = [run_closed(rates, requests(), count, 1500) for count in measured]
        ratios = [rate / one for rate, one in zip(measured.values(), found, strict=True)]
        engine = {
            count: rate * ratio
            for (count, rate), ratio in zip(rates.engine.items(), ratios, strict=True)
        }
        rates = replace(rates, engine=engine)
    return rates


def calibrate(bench: Bench, sample: Sample, seconds: float) -> Rates:
    """Return the rates of one replica, with which the simulation's are those of the measurement."""
    nothing = itertools.repeat(NOTHING)
    alone = statistics.mean(reply.seconds for reply in bench.closed(nothing, 1, seconds / 3))
    request_s = seconds / len(bench.closed(nothing, 16, seconds))
    measured = {}
    for count in CLIENTS:
        texts = (text for text, _ in sample.mix(0))
        measured[count] = len(bench.closed(texts, count, seconds)) / seconds
    rates = Rates(
        engine={
            round(count * SENTENCES_MEAN): SENTENCES_MEAN / max(1e-4, 1 / rate - request_s)
            for count, rate in measured.items()
        },
        request_s=request_s,
        path_s=max(0.0, alone - request_s),
        gap_s=SchedulerConfig().express_gap_s,
    )
    rates = fitted(rates, measured, lambda: (lengths for _, lengths in sample.mix(0)))
    print_header("requests in hand", "a second, measured", "sentences/s of the engine alone")
    for (count, rate), engine in zip(measured.items(), rates.engine.values(), strict=True):
        print_row(count, f"{rate:.1f}", f"{engine:.1f}")
    print(
        f"\nBesides, a request takes {rates.request_s * 1e3:.2f} ms of the core, and "
        f"{rates.path_s * 1e3:.2f} ms on its way.\n"
    )
    return rates


def capacity(rates: Rates, sample: Sample) -> float:
    """Return requests a second of a replica that always has more to do, in the simulation."""
    lengths = (lengths for _, lengths in sample.mix(1))
    return run_closed(rates, lengths, MANY_CLIENTS, 3000)


def arrivals_of(
    sample: Sample, rate: float, count: int, seed: int
) -> list[tuple[float, str, list[float]]]:
    """Return requests that come at random times, `rate` a second in the mean."""
    generator, due_s = random.Random(seed), 0.0
    found = []
    for text, lengths in itertools.islice(sample.mix(seed), count):
        due_s += generator.expovariate(rate)
        found.append((due_s, text, lengths))
    return found


def simulate(
    rates: Rates,
    arrivals: Sequence[tuple[float, list[float]]],
    num_replicas: int,
    balance: Balance,
    cpu_s: float,
) -> Outcome:
    """Return what the simulation makes of these requests, on cores as fast as they were meanwhile.

    How fast that was, the CPU time says that the replicas have had: from minute to minute, cores of
    virtual machines differ by some percent, which double waiting times where the load is high.
    """
    for _ in range(4):
        outcome = run_open(rates, arrivals, num_replicas, balance)
        rates = rates.faster(outcome.busy_s / cpu_s)
    return outcome


def compare(
    bench: Bench,
    rates: Rates,
    sample: Sample,
    running: Sequence[Replica],
    options: argparse.Namespace,
) -> Rates:
    """Print rows of measured and simulated times; return the rates that fit this arrangement."""
    num_replicas = len(running)
    texts = (text for text, _ in sample.mix(2))
    seconds = options.seconds / 3
    full = len(bench.closed(texts, MANY_CLIENTS * num_replicas, seconds)) / seconds
    for _ in range(2):
        rates = rates.faster(full / num_replicas / capacity(rates, sample))
    for load in options.loads:
        rate = load * full
        arrivals = arrivals_of(sample, rate, round(rate * options.seconds), seed=3)
        before_s = sum(replica.cpu_s() for replica in running)
        replies = bench.open([(due_s, text) for due_s, text, _ in arrivals])
        cpu_s = sum(replica.cpu_s() for replica in running) - before_s
        good = [reply.seconds for reply in replies if reply.is_good]
        lengths = [(due_s, lengths) for due_s, _, lengths in arrivals]
        outcome = simulate(rates, lengths, num_replicas, options.balance, cpu_s)
        found = [(percentile(good, p), percentile(outcome.seconds, p)) for p in (50, 99)]
        print_row(
            num_replicas,
            f"{load:.0%}",
            f"{rate:.1f}",
            f"{cpu_s / num_replicas / options.seconds:.0%}",
            *(f"{seconds * 1e3:.0f}" for pair in found for seconds in pair),
            f"{found[1][1] / found[1][0] - 1:+.0%}",
            f"{len(replies) - len(good)} / {outcome.num_refused}",
        )
        if cpu_s / num_replicas / options.seconds < QUIET * load:
            print(NOT_QUIET, file=sys.stderr)
    return rates


def print_table(rates: Rates, sample: Sample) -> None:
    """Print what the simulation says of more replicas and other loads."""
    alone = capacity(rates, sample)
    print(f"\nThe simulation alone; a replica answers {alone:.1f} requests a second at most.\n")
    columns = [f"{count} replica{'s' * (count > 1)}" for count in TABLE_REPLICAS]
    print_header("load", *columns, "16 in turn", "sentences in hand of one")
    balances: list[tuple[int, Balance]] = [(count, "least_conn") for count in TABLE_REPLICAS]
    for load in TABLE_LOADS:
        cells, held = [], []
        for count, balance in [*balances, (16, "round_robin")]:
            rate = load * alone * count
            requests = arrivals_of(sample, rate, TABLE_REQUESTS, seed=4)
            arrivals = [(due_s, lengths) for due_s, _, lengths in requests]
            outcome = run_open(replace(rates, places=10**9), arrivals, count, balance)
            p50, p99 = (1e3 * percentile(outcome.seconds, p) for p in (50, 99))
            cells.append(f"{p50:.0f} / {p99:.0f}")
            held.append(outcome.sentences_in_hand)
        print_row(f"{load:.0%}", *cells, f"{held[1]:.1f}")


def main() -> None:
    """Measure, simulate and print."""
    parser = results_parser(__doc__)
    add_source(parser)
    parser.add_argument("--to", dest="target_language", default="en")
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--seconds", type=float, default=40, help="of each load")
    parser.add_argument("--loads", type=float, nargs="+", default=LOADS, help="of the capacity")
    parser.add_argument("--replicas", type=int, nargs="+", default=[1, 2], help="that run")
    parser.add_argument("--balance", choices=("least_conn", "round_robin"), default="least_conn")
    options = parser.parse_args()
    with results(options.write, "queueing"), tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        measure(options, Path(folder))


def measure(options: argparse.Namespace, folder: Path) -> None:
    """Print all tables."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise SystemExit("error: this needs two cores: one for a replica, one for its clients")
    settings = {"TRANSLATOR_MODEL": str(options.model), "TRANSLATOR_ACCESS_LOG": "off"}
    with replicas(folder, max(options.replicas), settings, cores) as running:
        ports = [replica.port for replica in running]
        pin_clients(set(cores[1:]))
        with nginx(folder, ports[:1]) as port:
            bench = Bench(port, options)
            part_s = options.seconds / 6
            bench.closed(itertools.cycle(read_sentences(options.input)), 4, part_s)  # warm up
            loaded = load_model_directory(options.model)
            sample = weigh(bench, loaded, read_sentences(options.input), 1.5 * part_s)
            rates = calibrate(bench, sample, part_s)
        columns = "replicas", "load", "requests/s", "cores busy", "p50 ms", "simulated"
        print_header(*columns, "p99 ms", "simulated", "difference", "refused")
        for count in options.replicas:
            pin_clients(set(cores[1:] if count == 1 else cores))
            balance = "least_conn;" if options.balance == "least_conn" else ""
            with nginx(folder, ports[:count], balance) as port:
                fitted = compare(Bench(port, options), rates, sample, running[:count], options)
    print_table(fitted, sample)


if __name__ == "__main__":
    main()
