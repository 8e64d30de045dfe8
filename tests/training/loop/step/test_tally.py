"""Sums over steps, without those that were skipped."""

from __future__ import annotations

import math

import pytest
import torch

from training.loop.step.tally import Counts, Tally


def add(tally: Tally, nll: float, num_targets: int, norm: float) -> None:
    found = torch.tensor(norm)
    tally.add(
        torch.tensor(nll, dtype=torch.float64), torch.tensor(num_targets), found, found.isfinite()
    )


def test_it_adds_up_and_begins_anew_once_it_is_read() -> None:
    tally = Tally(torch.device("cpu"))
    add(tally, 2.5, 3, norm=1.0)
    add(tally, 0.25, 4, norm=0.5)
    assert tally.read() == Counts(2.75, 7, 0, 0, 0.5)
    assert tally.read() == Counts(0.0, 0, 0, 0, 0.5)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_skipped_step_counts_for_nothing_but_itself(bad: float) -> None:
    tally = Tally(torch.device("cpu"))
    add(tally, 2.5, 3, norm=1.0)
    add(tally, bad, 4, norm=bad)
    assert tally.read() == Counts(2.5, 3, 1, 1, 1.0)


def test_those_in_a_row_are_counted_across_questions() -> None:
    tally = Tally(torch.device("cpu"))
    for norm in (math.nan, math.nan, 1.0, math.nan):
        add(tally, 1.0, 1, norm)
    assert tally.read().most_in_a_row == 2
    add(tally, 1.0, 1, math.nan)
    assert tally.read().most_in_a_row == 2, "one before the question, one behind it"
    add(tally, 1.0, 1, 1.0)
    assert tally.read().most_in_a_row == 0
