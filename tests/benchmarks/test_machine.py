"""What is said of the machine is in the right units."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from tests.alone import run_alone
from tests.benchmarks import machine
from tests.cpu import NEEDS_INT8

MEMORY = """
import numpy as np
from tests.benchmarks.machine import resident_mb

before = resident_mb()
block = np.ones(64 * 2**20, np.uint8)
assert 50 < resident_mb() - before < 90
assert block.all()
"""


def test_memory_is_in_megabytes() -> None:
    """In a process of its own: in this one, other tests may just be giving memory back."""
    run_alone(MEMORY)


def test_rates_are_work_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def half_a_second(work: Callable[[], object], repeats: int) -> float:
        work()
        return 0.5

    monkeypatch.setattr(machine, "median_seconds", half_a_second)
    assert machine.matrix_gflops(torch.float32, rows=1000) == pytest.approx(2 * 2 * 1.048576)


@NEEDS_INT8
def test_the_rate_of_int8_is_measured_with_a_product_that_exists() -> None:
    assert machine.int8_gops(rows=16) > 0
