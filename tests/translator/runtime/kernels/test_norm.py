"""The norm of a row, by hand and against the equation in many digits."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from tests.cpu import NEEDS_INT8
from translator.runtime.kernels import norm

pytestmark = NEEDS_INT8


@numba.njit  # type: ignore[untyped-decorator]
def norm_panels(
    row: int, to: int, panels: int, length: int, eps: Any, weight: int, bias: int
) -> None:
    norm.norm_panels(row, to, panels, length, eps, weight, bias)


@numba.njit  # type: ignore[untyped-decorator]
def copy_panels(row: int, to: int, panels: int, least: Any) -> None:
    norm.copy_panels(row, to, panels, least)


def normed(values: Any, weight: Any, bias: Any, eps: float) -> Any:
    """Return what the kernel makes of one row, and what it writes behind it."""
    length = len(values)
    panels = (length + 63) // 64
    filled = np.zeros((3, 64 * panels), np.float32)
    filled[:, :length] = values, weight, bias
    out = np.full(64 * panels + 1, 7, np.float32)
    addresses = filled[0].ctypes.data, out.ctypes.data, panels, length, np.float32(eps)
    norm_panels(*addresses, filled[1].ctypes.data, filled[2].ctypes.data)
    assert out[-1] == 7, "nothing is written behind the end"
    assert not out[length:-1].any(), "what fills up the last panel is 0"
    return out[:length]


def test_four_numbers_by_hand() -> None:
    """Their mean is 5 and their variance 5: with eps = 4 what differs from it is divided by 3."""
    found = normed([2, 4, 6, 8], [3, 3, 3, 6], [0, 1, 0, 0], eps=4.0)
    assert found.tolist() == pytest.approx([-3, 0, 1, 6], abs=1e-6)


@pytest.mark.parametrize("length", [1, 30, 64, 65, 192, 513])
@pytest.mark.parametrize("mean", [0.0, 100.0])
def test_against_the_equation(length: int, mean: float) -> None:
    generator = np.random.default_rng(length)
    values = generator.normal(mean, 2, length).astype(np.float32)
    weight, bias = generator.normal(size=(2, length)).astype(np.float32)
    exact = values.astype(float)
    deviation = np.sqrt(exact.var() + 1e-5)
    expected = (exact - exact.mean()) / deviation * weight + bias
    np.testing.assert_allclose(normed(values, weight, bias, 1e-5), expected, atol=1e-4, rtol=1e-4)


def test_no_norm_is_a_copy() -> None:
    row, out = np.arange(128, dtype=np.float32), np.full(129, 7, np.float32)
    for least in (-np.inf, 9.0):
        copy_panels(row.ctypes.data, out.ctypes.data, 2, np.float32(least))
        assert (out[:-1] == np.maximum(row, least)).all()
        assert out[-1] == 7
