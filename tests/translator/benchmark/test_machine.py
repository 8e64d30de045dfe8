"""What is said of the machine is in the right units."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
import torch

from tests.alone import run_alone
from tests.cpu import NEEDS_INT8
from translator.benchmark import machine


def test_the_machine_is_described_on_one_line() -> None:
    found = machine.describe()
    assert "\n" not in found
    assert found.endswith(f"cores, torch {torch.__version__}")


MEMORY = """
import numpy as np
from translator.benchmark.machine import resident_mb

before = resident_mb()
block = np.ones(64 * 2**20, np.uint8)
assert 50 < resident_mb() - before < 90
assert block.all()
"""


def test_memory_is_in_megabytes() -> None:
    """In a process of its own: in this one, other tests may just be giving memory back."""
    run_alone(MEMORY)


def test_the_median_leaves_the_first_call_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s, cost_s = [0.0], iter([9.0, 1.0, 5.0, 2.0])

    def work() -> None:
        now_s[0] += next(cost_s)

    monkeypatch.setattr(time, "perf_counter", lambda: now_s[0])
    assert machine.median_seconds(work, 3) == 2


def test_rates_are_work_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def half_a_second(work: Callable[[], object], repeats: int) -> float:
        work()
        return 0.5

    monkeypatch.setattr(machine, "median_seconds", half_a_second)
    assert machine.matrix_gflops(torch.float32, rows=1000) == pytest.approx(2 * 2 * 1.048576)
    assert machine.read_gigabytes_per_s() == pytest.approx(2 * 0.268435456)


@NEEDS_INT8
def test_the_rate_of_int8_is_measured_with_a_product_that_exists() -> None:
    assert machine.int8_gops(rows=16) > 0
