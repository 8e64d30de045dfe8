"""Norms and rounding equal those of PyTorch and NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import level_type
from translator.runtime.kernels.arithmetic import normalise, to_bytes
from translator.runtime.kernels.records import NORM, PANEL, PackedWeights
from translator.search.rows import round_up

pytestmark = NEEDS_INT8


@pytest.mark.parametrize("panels", [1, 2, 5])
@pytest.mark.parametrize("is_positive", [False, True])
@pytest.mark.parametrize("shift", [-9.0, 0.0, 9.0])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_rows_are_rounded_by_steps_of_their_own(
    panels: int, is_positive: bool, shift: float, size: float
) -> None:
    row = np.random.default_rng(panels).normal(shift, 3, 64 * panels).astype(np.float32)
    row *= np.float32(size)
    levels, unit = np.full(64 * panels + 1, 7, level_type()), np.zeros(3, np.float32)
    to_bytes(row.ctypes.data, panels, is_positive, levels.ctypes.data, unit.ctypes.data)
    expected = np.maximum(row, 0) if is_positive else row
    step, lowest = unit[:2].tolist()
    assert step == pytest.approx((max(0, expected.max()) - lowest) / 255, rel=1e-6, abs=1e-30)
    assert lowest == min(0, expected.min())
    np.testing.assert_allclose(lowest + step * levels[:-1], expected, atol=0.501 * step, rtol=1e-6)
    assert levels[-1] == 7, "nothing is written behind the end"
    assert unit[2] == 0


def test_a_row_of_zeros_stays_one() -> None:
    row, levels, unit = np.zeros(64, np.float32), np.ones(64, level_type()), np.ones(2, np.float32)
    to_bytes(row.ctypes.data, 1, False, levels.ctypes.data, unit.ctypes.data)
    assert not levels.any()
    assert unit[0] > 0
    assert unit[1] == 0


@pytest.mark.parametrize("length", [4, 30, 64, 65, 127, 192])
@pytest.mark.parametrize("in_place", [False, True])
def test_layer_norm(length: int, in_place: bool) -> None:
    torch.manual_seed(0)
    norm = torch.nn.LayerNorm(length)
    torch.nn.init.normal_(norm.weight)
    torch.nn.init.normal_(norm.bias)
    weights, x = PackedWeights(), torch.randn(length) * 3 + 1
    room = round_up(length, PANEL)
    for module in (norm, torch.nn.Identity()):
        row = np.zeros(room, np.float32)
        row[:length] = x.numpy()
        out = row if in_place else np.full(room + 1, 7, np.float32)
        record = np.array([weights.norm(module)], NORM)[0]
        normalise(row.ctypes.data, out.ctypes.data, length, record)
        expected = module(x).detach().numpy()
        np.testing.assert_allclose(out[:length], expected, atol=1e-5, rtol=1e-5)
        assert not out[length:room].any()
        assert in_place or out[room] == 7, "nothing is written behind the end"
