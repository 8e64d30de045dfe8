"""Rounded inputs: the values the int8 engine tells apart, in training only, and on command."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from training.objective.rounding import InputRounding, rounded


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_values_are_those_of_the_engine_row_by_row(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    x = ((torch.randn(5, 7, 1000) + 0.5) * torch.tensor([0.01, 1, 3, 5, 100])[:, None, None]).to(
        dtype
    )
    for row, found in zip(x.flatten(0, 1).float(), rounded(x).flatten(0, 1).float(), strict=True):
        low, high = float(row.min()), float(row.max())
        step = (high - low) / 255
        assert 100 < len(found.unique()) <= 256
        assert found.min() == pytest.approx(low)
        assert found.max() == pytest.approx(high, rel=1e-2 if dtype == torch.bfloat16 else 1e-5)
        error = (row - found).abs() / step
        assert error.max() <= (0.501 if dtype == torch.float32 else 1.2)


def test_positive_inputs_keep_zero() -> None:
    x = torch.tensor([3.0, 3.5, 255.0])
    assert rounded(x).tolist() == [3.0, 4.0, 255.0]
    assert rounded(-x).tolist() == [-3.0, -3.0, -255.0]
    assert rounded(torch.zeros(2)).tolist() == [0.0, 0.0]


def test_the_gradient_passes() -> None:
    x = torch.tensor([0.1, 2.6, 255.0], requires_grad=True)
    (rounded(x) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [1.0, 2.0, 3.0]


def test_only_when_switched_on_and_only_in_training() -> None:
    layer = nn.Linear(2, 1, bias=False)
    layer.weight.data = torch.tensor([[1.0, 0.0]])
    rounding = InputRounding(layer)
    x = torch.tensor([[0.4, 255.0]])
    assert layer(x)[0].item() == pytest.approx(0.4)
    rounding.is_on = True
    assert layer(x)[0].item() == 0.0
    layer.eval()
    assert layer(x)[0].item() == pytest.approx(0.4)
