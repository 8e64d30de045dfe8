"""Dropout beyond its mean: any shape, any precision, and the gradient."""

from __future__ import annotations

import pytest
import torch

from translator.model.dropout import Dropout, dropout


@pytest.mark.parametrize("probability", [0.1, 0.25, 0.5, 0.9])
def test_share_and_scale(probability: float) -> None:
    torch.manual_seed(0)
    threshold = round(probability * 256)
    dropped = dropout(torch.full((400_000,), 3.0), probability, training=True)
    assert (dropped == 0).double().mean().item() == pytest.approx(threshold / 256, abs=0.004)
    kept = dropped[dropped != 0]
    torch.testing.assert_close(kept, torch.full_like(kept, 3.0 * 256 / (256 - threshold)))
    assert dropped.double().mean().item() == pytest.approx(3.0, rel=0.02)


@pytest.mark.parametrize("shape", [(0,), (), (1,), (7,), (8,), (3, 5), (2, 0, 4)])
def test_any_shape(shape: tuple[int, ...]) -> None:
    dropped = dropout(torch.ones(shape), 0.5, training=True)
    assert dropped.shape == shape
    assert set(dropped.flatten().tolist()) <= {0.0, 2.0}


def test_a_transposed_tensor_keeps_its_elements() -> None:
    torch.manual_seed(0)
    x = torch.arange(1.0, 1001.0).view(20, 50).T
    dropped = dropout(x, 0.5, training=True)
    assert torch.equal(dropped, torch.where(dropped == 0, 0.0, x * 2))


def test_the_gradient_is_dropped_with_the_value() -> None:
    x = torch.ones(1000, requires_grad=True)
    dropped = dropout(x, 0.5, training=True)
    dropped.sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, dropped.detach())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
def test_precision_is_kept(dtype: torch.dtype) -> None:
    dropped = dropout(torch.ones(64, dtype=dtype), 0.5, training=True)
    assert dropped.dtype == dtype
    assert set(dropped.tolist()) == {0.0, 2.0}


def test_two_calls_differ_and_the_seed_decides() -> None:
    layer, x = Dropout(0.5).train(), torch.ones(256)
    torch.manual_seed(1)
    first, second = layer(x), layer(x)
    assert not torch.equal(first, second)
    torch.manual_seed(1)
    assert torch.equal(layer(x), first)
    assert torch.equal(layer(x), second)


def test_evaluation_draws_no_random_numbers() -> None:
    layer, x = Dropout(0.5).eval(), torch.ones(4)
    before = torch.get_rng_state()
    assert layer(x) is x
    assert torch.equal(torch.get_rng_state(), before)


def test_every_element_is_dropped_independently() -> None:
    torch.manual_seed(0)
    kept = (dropout(torch.ones(200_000, 8), 0.5, training=True) != 0).float()
    correlation = torch.corrcoef(kept.T) - torch.eye(8)
    assert correlation.abs().max() < 0.01
    assert (kept.mean(dim=0) - 0.5).abs().max() < 0.01
