"""Powers of two, their sums and softmax equal those of PyTorch and NumPy."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from translator.model.recurrence import recur
from translator.runtime.kernels import panels as kernels

pytestmark = NEEDS_INT8


@numba.njit  # type: ignore[untyped-decorator]
def power_of_two(x: Any) -> Any:
    return kernels.power_of_two(x)


@numba.njit  # type: ignore[untyped-decorator]
def sum_of_powers(address: int, panels: int, highest: Any) -> Any:
    return kernels.sum_of_powers(address, panels, highest)


@numba.njit  # type: ignore[untyped-decorator]
def softmax(address: int, length: int) -> None:
    kernels.softmax(address, length)


def test_powers_of_two() -> None:
    for x in np.linspace(-120, 10, 10_001, dtype=np.float32):
        assert power_of_two(x) == pytest.approx(2.0 ** float(x), rel=3e-7)
    for x in (-1e3, -1e9, -3e38, -np.inf):
        assert power_of_two(np.float32(x)) == 0


@pytest.mark.parametrize("panels", [1, 2, 16])
def test_sums_of_powers(panels: int) -> None:
    logits = np.random.default_rng(0).normal(0, 5, 64 * panels).astype(np.float32)
    logits[5] = -1e9
    found = sum_of_powers(logits.ctypes.data, panels, np.float32(7.5))
    assert found == pytest.approx(np.exp2(logits.astype(float) - 7.5).sum(), rel=1e-6)


@pytest.mark.parametrize("length", [1, 15, 16, 17, 200])
def test_softmax(length: int) -> None:
    scores = np.random.default_rng(0).normal(0, 5, length).astype(np.float32)
    row = np.full(16 * ((length + 15) // 16) + 1, 99, np.float32)
    row[:length] = scores
    softmax(row.ctypes.data, length)
    expected = torch.tensor(scores * np.log(2)).softmax(0).numpy()
    np.testing.assert_allclose(row[:length], expected, rtol=1e-5)
    assert row[-1] == 99, "only the last vector is filled up"


@numba.njit  # type: ignore[untyped-decorator]
def recur_panels(candidates: int, gates: int, before: int, after: int, x: int, panels: int) -> None:
    kernels.recur_panels(candidates, gates, before, after, x, panels)


@pytest.mark.parametrize("panels", [1, 3])
def test_a_state_goes_on(panels: int) -> None:
    generator = np.random.default_rng(0)
    candidates, gates, before, x = generator.normal(0, 3, (4, 64 * panels)).astype(np.float32)
    gates[:4] = [200, -200, np.float32(-3e38), np.float32(3e38)]
    after, sums = np.full_like(before, 99), x.copy()
    recur_panels(*(one.ctypes.data for one in (candidates, gates, before, after, sums)), panels)
    z, c = torch.tensor(candidates).double(), torch.tensor(before).double()
    expected = recur(z, torch.tensor(gates).double(), c)
    np.testing.assert_allclose(after, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(sums, x + after.clip(0), rtol=1e-6)
    assert after[0] == pytest.approx(before[0], rel=1e-6), "a gate that is open keeps all"
    assert after[1] == candidates[1]
