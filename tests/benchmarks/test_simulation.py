"""The model of the service: what can be worked out by hand, and what queueing theory knows."""

from __future__ import annotations

import itertools
import random
import statistics

import pytest

from tests.benchmarks.simulation import Rates, run_closed, run_open

PLAIN = Rates(engine={1: 1.0}, places=10_000, slots=10_000)
BATCHING = Rates(engine={1: 100.0, 2: 180.0, 8: 400.0}, request_s=0.001, places=10_000)


def poisson(rate: float, count: int, seed: int = 0) -> list[tuple[float, list[float]]]:
    """Return requests of one sentence, whose lengths are exponential with mean 1."""
    generator, now_s, found = random.Random(seed), 0.0, []
    for _ in range(count):
        now_s += generator.expovariate(rate)
        found.append((now_s, [generator.expovariate(1.0)]))
    return found


def test_one_sentence_alone_takes_its_length_and_the_way() -> None:
    rates = Rates(engine={1: 2.0}, request_s=0.25, path_s=0.1)
    assert run_open(rates, [(5.0, [3.0])]).seconds == [pytest.approx(0.1 + 0.25 + 1.5)]
    assert run_open(rates, [(0.0, [0.0])]).seconds == [pytest.approx(0.1 + 0.25)]


def test_two_share_the_engine() -> None:
    """The first has had 1 of 2 when the second joins; both then go on at half the rate."""
    seconds = run_open(PLAIN, [(0.0, [2.0]), (1.0, [3.0])]).seconds
    assert seconds == [pytest.approx(3.0), pytest.approx(4.0)]


def test_a_request_waits_for_its_last_sentence() -> None:
    rates = Rates(engine={1: 1.0, 2: 2.0})
    assert run_open(rates, [(0.0, [1.0, 5.0])]).seconds == [pytest.approx(5.0)]


def test_python_and_the_engine_share_the_core() -> None:
    """While the second request is prepared, for 2 s at half the core, the first has 1 s of it."""
    rates = Rates(engine={1: 1.0, 2: 2.0}, request_s=1.0)
    seconds = run_open(rates, [(0.0, [2.0]), (1.0, [4.0])]).seconds
    # by 3 s the first has had 1 of its 2; then both go on at full rate
    assert seconds == [pytest.approx(4.0), pytest.approx(7.0 - 1.0)]


def test_newcomers_wait_for_the_gap() -> None:
    rates = Rates(engine={1: 1.0, 2: 2.0}, gap_s=1.5)
    seconds = run_open(rates, [(0.0, [3.0]), (1.0, [2.0])]).seconds
    assert seconds == [pytest.approx(3.0), pytest.approx(0.5 + 2.0)]


def test_what_finds_no_slot_waits_and_what_finds_no_place_is_refused() -> None:
    rates = Rates(engine={1: 1.0}, slots=1, places=2)
    outcome = run_open(rates, [(0.0, [1.0]), (0.0, [1.0]), (0.5, [1.0]), (1.5, [1.0])])
    assert outcome.num_refused == 1
    assert outcome.seconds == [pytest.approx(1.0), pytest.approx(2.0), pytest.approx(1.5)]


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_one_replica_is_as_processor_sharing_has_it(load: float) -> None:
    """The mean time of M/M/1 with processor sharing is 1 / (1 - load)."""
    outcome = run_open(PLAIN, poisson(load, 40_000))
    assert statistics.mean(outcome.seconds) == pytest.approx(1 / (1 - load), rel=0.08)
    assert outcome.sentences_in_hand == pytest.approx(load / (1 - load), rel=0.1)
    assert outcome.busy_s == pytest.approx(40_000, rel=0.03)  # of mean length 1 each


def test_replicas_that_come_in_turn_are_slower_than_the_freest_one() -> None:
    arrivals = poisson(3.2, 20_000)
    means = [
        statistics.mean(run_open(PLAIN, arrivals, 4, balance).seconds)
        for balance in ("least_conn", "round_robin")
    ]
    assert means[0] < 0.7 * means[1]
    assert means[1] < 1 / (1 - 0.8)  # of random choice: each in turn is better


def test_clients_that_never_pause_find_the_rate_of_their_number() -> None:
    ones = itertools.repeat([1.0])
    assert run_closed(PLAIN, ones, 4, 100) == pytest.approx(1.0, rel=0.01)
    few, many = (run_closed(BATCHING, ones, count, 4000) for count in (1, 8))
    assert few == pytest.approx(1 / (0.001 + 0.01), rel=0.01)
    assert many == pytest.approx(1 / (0.001 + 1 / 400), rel=0.02)


def test_rates_between_two_numbers_are_interpolated() -> None:
    assert BATCHING.engine_rate(1) == 100
    assert BATCHING.engine_rate(5) == pytest.approx(290)
    assert BATCHING.engine_rate(50) == 400
    assert BATCHING.faster(2).engine_rate(8) == 800
