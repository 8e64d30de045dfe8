"""Rounded inputs: the values the int8 engine tells apart, in training only, and on command."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from training.rounding import InputRounding, rounded


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_values_are_those_of_the_engine(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    x = (torch.randn(50, 40) + 0.5).to(dtype)
    low, high = float(x.min()), float(x.max())
    scale = (high - low) / 255
    zero_point = round(-low / scale)
    expected = torch.fake_quantize_per_tensor_affine(x.float(), scale, zero_point, 0, 255)
    assert 100 < len(rounded(x).unique()) <= 256
    expected = expected.to(dtype).float()
    error = (rounded(x).float() - expected).abs().max()
    assert error <= (1e-6 if dtype == torch.float32 else 0.1 * scale)


def test_positive_inputs_keep_zero() -> None:
    x = torch.tensor([3.0, 3.5, 255.0])
    assert rounded(x).tolist() == [3.0, 4.0, 255.0]
    assert rounded(torch.zeros(2)).tolist() == [0.0, 0.0]


def test_the_gradient_passes() -> None:
    x = torch.tensor([0.1, 2.6, 255.0], requires_grad=True)
    (rounded(x) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [1.0, 2.0, 3.0]


def test_only_when_switched_on_and_only_in_training() -> None:
    layer = nn.Linear(1, 1, bias=False)
    nn.init.ones_(layer.weight)
    rounding = InputRounding(layer)
    x = torch.tensor([[0.4], [255.0]])
    assert layer(x)[0].item() == pytest.approx(0.4)
    rounding.is_on = True
    assert layer(x)[0].item() == 0.0
    layer.eval()
    assert layer(x)[0].item() == pytest.approx(0.4)
