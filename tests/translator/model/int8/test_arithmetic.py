"""Norms, rounding and powers of two equal those of PyTorch and NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_VNNI
from translator.model.int8.arithmetic import normalise, power_of_two, softmax, to_bytes
from translator.model.int8.records import NORM, Weights

pytestmark = NEEDS_VNNI


def test_powers_of_two() -> None:
    for x in np.linspace(-120, 0, 10_001, dtype=np.float32):
        assert power_of_two(x) == pytest.approx(2.0 ** float(x), rel=3e-7)
    assert power_of_two(np.float32(-1e9)) < 1e-37


@pytest.mark.parametrize("length", [1, 15, 16, 17, 200])
def test_softmax(length: int) -> None:
    scores = np.random.default_rng(0).normal(0, 5, length).astype(np.float32)
    row = np.concatenate([scores, np.array([99.0], np.float32)])
    softmax(row, length)
    expected = torch.tensor(scores * np.log(2)).softmax(0).numpy()
    np.testing.assert_allclose(row[:length], expected, rtol=1e-5)
    assert row[length] == 99


def test_rounding_saturates() -> None:
    row, out = np.array([-9, -1, -0.26, 0, 0.24, 0.26, 1, 99], np.float32), np.zeros(8, np.uint8)
    to_bytes(row, out, 8, np.float32(2), np.float32(10.5))
    assert out.tolist() == [0, 8, 9, 10, 10, 11, 12, 208]
    to_bytes(1e6 * row, out, 8, np.float32(2), np.float32(10.5))
    assert out.tolist() == [0, 0, 0, 10, 255, 255, 255, 255]


@pytest.mark.parametrize("length", [4, 30, 192])
def test_layer_norm(length: int) -> None:
    torch.manual_seed(0)
    norm = torch.nn.LayerNorm(length)
    torch.nn.init.normal_(norm.weight)
    torch.nn.init.normal_(norm.bias)
    weights, x = Weights({}), torch.randn(length) * 3 + 1
    out = np.zeros(length, np.float32)
    normalise(x.numpy(), out, length, np.array([weights.norm(norm)], NORM)[0])
    np.testing.assert_allclose(out, norm(x).detach().numpy(), atol=1e-5, rtol=1e-5)
    normalise(x.numpy(), out, length, np.array([weights.norm(torch.nn.Identity())], NORM)[0])
    assert out.tolist() == x.tolist()
