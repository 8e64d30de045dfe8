"""Vectors of positions, against their formulas in Python's own arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from translator.config import ModelConfig
from translator.model.positions import (
    position_vectors,
    sinusoidal_fairseq,
    sinusoidal_halves,
    sinusoidal_positions,
)
from translator.search.rows import Array


@pytest.mark.parametrize("d_model", [8, 7])
def test_positions_follow_the_formula(d_model: int) -> None:
    table = sinusoidal_positions(np.array([0, 3, 5000]), d_model)
    for row, position in enumerate((0, 3, 5000)):
        for i in range(d_model):
            angle = position / 10000 ** ((i - i % 2) / d_model)
            expected = math.cos(angle) if i % 2 else math.sin(angle)
            assert table[row, i].item() == pytest.approx(expected, abs=2e-3 if position else 1e-7)


def test_positions_do_not_collide() -> None:
    many = sinusoidal_positions(np.arange(3000), 16)
    assert many.dtype == np.float32
    assert len(np.unique(many, axis=0)) == 3000


@pytest.mark.parametrize(
    ("scheme", "exponent"),
    [(sinusoidal_halves, lambda i: 2 * i / 12), (sinusoidal_fairseq, lambda i: i / 5)],
)
def test_halves_are_sines_then_cosines(
    scheme: Callable[[Array, int], Array], exponent: Callable[[int], float]
) -> None:
    table = scheme(np.array([0, 3, 900]), 12)
    assert table.dtype == np.float32
    for row, position in enumerate((0, 3, 900)):
        for i in range(6):
            angle = position / 10000 ** exponent(i)
            assert table[row, i].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[row, 6 + i].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_odd_widths_lack_a_cosine_or_end_in_zero() -> None:
    assert sinusoidal_halves(np.arange(4), 7).shape == (4, 7)
    assert sinusoidal_fairseq(np.arange(4), 7).shape == (4, 7)
    assert not sinusoidal_fairseq(np.arange(4), 7)[:, 6].any()


def test_an_offset_is_where_the_first_piece_stands() -> None:
    config = ModelConfig(vocab_size=9, d_model=8, positions="sinusoidal_fairseq", position_offset=2)
    expected = sinusoidal_fairseq(np.arange(2, 6), 8)
    assert np.array_equal(position_vectors(config, 4), expected)
