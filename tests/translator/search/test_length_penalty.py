"""What search divides by, by hand."""

from __future__ import annotations

import math
from typing import get_args

import pytest

from translator.config import DecodingOptions, LengthPenalty
from translator.search.length_penalty import NAMES, length_penalty, penalty


@pytest.mark.parametrize(
    ("name", "alpha", "length", "expected"),
    [
        ("gnmt", 0.6, 20, 2.354),
        ("average", 0.6, 20, 6.034),
        ("none", 0.6, 20, 1.0),
        ("average", 1.0, 7, 7.0),
        ("gnmt", 1.0, 1, 1.0),
        ("gnmt", 0.0, 9, 1.0),
    ],
)
def test_length_penalty(name: LengthPenalty, alpha: float, length: int, expected: float) -> None:
    options = DecodingOptions(length_penalty=name, alpha=alpha)
    assert length_penalty(length, options) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0, 5.0])
def test_longer_is_never_divided_by_less(name: LengthPenalty, alpha: float) -> None:
    """The search relies on it to know when no beam can win any more."""
    found = [penalty(length, NAMES.index(name), alpha) for length in range(1, 200)]
    assert found == sorted(found)
    assert all(math.isfinite(one) and one >= 1 for one in found)


def test_every_name_has_a_penalty_of_its_own() -> None:
    assert get_args(LengthPenalty) == NAMES
    assert len({penalty(9, place, 1.0) for place in range(len(NAMES))}) == len(NAMES)
