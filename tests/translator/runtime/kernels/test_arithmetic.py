"""Norms, activations and rounding equal those of PyTorch and NumPy."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import level_type, levels_meant
from translator.runtime.kernels.arithmetic import GELU, GELU_TANH, SILU, activate, give, normalise
from translator.runtime.kernels.records import FLOAT_LINEAR, INT8_LINEAR, NORM, PANEL, Int8Weights
from translator.runtime.plan import Norm
from translator.search.rows import round_up

pytestmark = NEEDS_INT8


def layer(kind: Any, input_panels: int) -> Any:
    """Return the record of a layer with so many inputs."""
    [one] = np.zeros(1, kind)
    one["input_panels"], one["is_rounded"] = input_panels, kind == INT8_LINEAR
    return one


@pytest.mark.parametrize("is_positive", [False, True])
def test_rows_of_floats_stay_as_they_are(is_positive: bool) -> None:
    row, found = np.arange(-50, 78, dtype=np.float32), np.full(129, 7, np.float32)
    give(layer(FLOAT_LINEAR, 2), row.ctypes.data, is_positive, found.ctypes.data, 0)
    assert (found[:-1] == (np.maximum(row, 0) if is_positive else row)).all()
    assert found[-1] == 7, "nothing is written behind the end"


@pytest.mark.parametrize(
    ("activation", "expected"),
    [
        (GELU, functional.gelu),
        (GELU_TANH, partial(functional.gelu, approximate="tanh")),
        (SILU, functional.silu),
    ],
)
def test_activations(activation: int, expected: Any) -> None:
    row = np.zeros(192, np.float32)
    row[:126] = [*np.linspace(-9, 9, 120), 1e-6, -1e-6, 80, -80, 3e38, -3e38]
    row[128:] = 7
    before = torch.tensor(row)
    activate(row.ctypes.data, 126, activation)
    exact = expected(before[:126].double()).float().numpy()
    np.testing.assert_allclose(row[:126], exact, rtol=1e-5, atol=1e-6)
    assert not row[126:128].any(), "what fills up the last panel stays 0"
    assert (row[128:] == 7).all()


def test_an_activation_without_a_formula_is_no_other() -> None:
    with pytest.raises(ValueError, match="has no formula for this activation"):
        activate(np.ones(64, np.float32).ctypes.data, 3, 99)


@pytest.mark.parametrize(
    ("panels", "shift", "size"),
    [(1, 0.0, 1.0), (2, -9.0, 1.0), (5, 9.0, 1.0), (2, 0.0, 1e-6), (2, 0.0, 1e6), (5, -9.0, 1e6)],
)
@pytest.mark.parametrize("is_positive", [False, True])
def test_rows_are_rounded_by_steps_of_their_own(
    panels: int, is_positive: bool, shift: float, size: float
) -> None:
    row = np.random.default_rng(panels).normal(shift, 3, 64 * panels).astype(np.float32)
    row *= np.float32(size)
    levels, unit = np.full(64 * panels + 1, 7, level_type()), np.zeros(3, np.float32)
    linear = layer(INT8_LINEAR, panels)
    give(linear, row.ctypes.data, is_positive, levels.ctypes.data, unit.ctypes.data)
    expected = np.maximum(row, 0) if is_positive else row
    step, lowest = unit[:2].tolist()
    assert step == pytest.approx((max(0, expected.max()) - lowest) / 255, rel=1e-6, abs=1e-30)
    assert lowest == min(0, expected.min())
    np.testing.assert_allclose(
        lowest + step * levels_meant(levels[:-1]), expected, atol=0.501 * step, rtol=1e-6
    )
    assert levels[-1] == 7, "nothing is written behind the end"
    assert unit[2] == 0


def test_a_row_of_zeros_stays_one() -> None:
    row, levels, unit = np.zeros(64, np.float32), np.ones(64, level_type()), np.ones(2, np.float32)
    linear = layer(INT8_LINEAR, 1)
    give(linear, row.ctypes.data, False, levels.ctypes.data, unit.ctypes.data)
    assert not levels_meant(levels).any()
    assert unit[0] > 0
    assert unit[1] == 0


@pytest.mark.parametrize("length", [4, 30, 64, 65, 127, 513])
@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("mean", [1.0, 100.0])
def test_layer_norm(length: int, in_place: bool, mean: float) -> None:
    torch.manual_seed(0)
    norm = torch.nn.LayerNorm(length)
    torch.nn.init.normal_(norm.weight)
    torch.nn.init.normal_(norm.bias)
    weights, x = Int8Weights(), torch.randn(length) * 3 + mean
    room = round_up(length, PANEL)
    own = Norm(norm.weight.data.numpy(), norm.bias.data.numpy(), norm.eps)
    for module, given in ((norm, own), (torch.nn.Identity(), None)):
        row = np.zeros(room, np.float32)
        row[:length] = x.numpy()
        out = row if in_place else np.full(room + 1, 7, np.float32)
        record = np.array([weights.norm(given)], NORM)[0]
        normalise(row.ctypes.data, out.ctypes.data, length, record)
        expected = module(x).detach().numpy()
        np.testing.assert_allclose(out[:length], expected, atol=1e-4, rtol=1e-4)
        assert not out[length:room].any()
        assert in_place or out[room] == 7, "nothing is written behind the end"


def test_the_norm_of_four_numbers_by_hand() -> None:
    """Their mean is 5 and their variance 5: with eps = 4 what differs from it is divided by 3."""
    weights, row, out = Int8Weights(), np.zeros(64, np.float32), np.zeros(64, np.float32)
    row[:4] = [2, 4, 6, 8]
    norm = Norm(np.array([3.0, 3, 3, 6]), np.array([0.0, 1, 0, 0]), 4.0)
    [record] = np.array([weights.norm(norm)], NORM)
    normalise(row.ctypes.data, out.ctypes.data, 4, record)
    assert out[:4].tolist() == pytest.approx([-3, 0, 1, 6], abs=1e-6)
