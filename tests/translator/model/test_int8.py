"""Matrices in 8 bits: rows are rounded by a scale of their own, and what is rounded stays so."""

from __future__ import annotations

import numpy as np
import pytest

from translator.model.int8 import ROWS_AT_ONCE, to_int8
from translator.search.rows import Array


def test_rows_by_hand() -> None:
    rows = [[0.5, -1.0, 0.25], [254.0, 2.0, -3.0], [0.0, 0.0, 0.0]]
    found = to_int8(np.array(rows, np.float32))
    assert found.levels.tolist() == [[64, -127, 32], [127, 1, -2], [0, 0, 0]]
    assert found.scales.tolist() == pytest.approx([1 / 127, 2.0, 1e-8 / 127])
    assert found.floats()[1].tolist() == [254.0, 2.0, -4.0]
    assert found.nbytes == 9 + 3 * 4


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_no_number_moves_by_more_than_half_a_level(dtype: type) -> None:
    random = np.random.default_rng(0)
    matrix: Array = random.normal(size=(ROWS_AT_ONCE + 3, 20)).astype(dtype)
    found = to_int8(matrix)
    error = np.abs(found.floats() - matrix.astype(np.float32)) / found.scales[:, None]
    assert error.max() <= 0.5001
    assert (np.abs(found.levels).max(axis=1) == 127).all()


def test_what_has_been_rounded_is_not_rounded_again() -> None:
    random = np.random.default_rng(0)
    scales = np.exp(random.uniform(size=(5000, 1)))
    once = to_int8((random.normal(size=(5000, 64)) * scales).astype(np.float32))
    again = to_int8(once.floats())
    assert np.array_equal(again.levels, once.levels)
    np.testing.assert_allclose(again.scales, once.scales, rtol=2e-7, atol=0)
