"""The arithmetic of machines and money, with numbers that can be worked out by hand."""

from __future__ import annotations

import pytest

from tests.benchmarks.capacity_plan import COLUMNS, MACHINES, Machine, bulk, rows, serving

SMALL = Machine("small", cores=4, memory_gb=8, price=1.0, currency="$", month="2025-01")


def test_a_day_of_requests() -> None:
    """864,000 a day are 10 a second and 25 at the peak; at 70 % of 5 a core, that is 7.1 cores."""
    plan = serving(5.0, 864_000)
    assert [plan.rate, plan.cores] == pytest.approx([25, 25 / 3.5])
    assert plan.machines(SMALL, memory_gb=1) == 2


def test_a_night_of_sentences() -> None:
    """288,000 in eight hours are 10 a second; at 85 % of 2 a core, that is 5.9 cores."""
    plan = bulk(2.0, 288_000)
    assert [plan.rate, plan.cores] == pytest.approx([10, 10 / 1.7])
    assert plan.machines(SMALL, memory_gb=1) == 2


def test_a_machine_with_little_memory_uses_fewer_of_its_cores() -> None:
    assert bulk(2.0, 288_000).machines(SMALL, memory_gb=3) == 3
    assert bulk(2.0, 288_000).machines(SMALL, memory_gb=30) == 6


def test_every_machine_has_a_row_with_a_month_of_its_price() -> None:
    found = [*rows(serving(20.0), bulk(80.0), 0.5)]
    assert [row[0] for row in found] == [machine.name for machine in MACHINES]
    assert {len(row) for row in found} == {len(COLUMNS)}
    [first, *_] = found
    assert first[2] == "$ 0.411 (2025-06)"
    # 34,722 a second, of 80 a core and 85 %: 510.6 cores, 64 machines for eight hours
    assert first[6:8] == ("64", "$ 210")
    assert first[8] == "$ 0.21"
