"""The loss against a float64 reference and against autograd."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from training.loss import label_smoothed_loss

PAD = 0


def reference(
    states: Tensor, weight: Tensor, targets: Tensor, smoothing: float
) -> tuple[Tensor, Tensor]:
    """Written out: cross-entropy against an explicit target distribution, in float64."""
    log_probs = (states.double() @ weight.double().T).log_softmax(-1)
    vocab_size = weight.size(0)
    smoothed, nll = log_probs.new_zeros(()), log_probs.new_zeros(())
    for row, target in zip(log_probs.flatten(0, -2), targets.flatten(), strict=True):
        if target == PAD:
            continue
        wanted = torch.full_like(row, smoothing / (vocab_size - 1))
        wanted[PAD] = 0.0
        wanted[target] += 1 - smoothing
        smoothed = smoothed - (wanted * row).sum()
        nll = nll - row[target]
    return smoothed, nll


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("rows", [3, 300])  # times 4: within one chunk, and across three
def test_value_and_gradient_match_the_reference(smoothing: float, rows: int) -> None:
    torch.manual_seed(0)
    states = torch.randn(rows, 4, 8, requires_grad=True)
    weight = torch.randn(11, 8, requires_grad=True)
    targets = torch.randint(0, 11, (rows, 4))
    loss = label_smoothed_loss(states, weight, targets, pad_id=PAD, smoothing=smoothing)
    smoothed, nll = reference(states, weight, targets, smoothing)
    torch.testing.assert_close(loss.smoothed.double(), smoothed, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(loss.nll.double(), nll.detach(), rtol=1e-5, atol=1e-5)
    assert loss.num_targets == int((targets != PAD).sum())
    ours = torch.autograd.grad(loss.smoothed * 3, (states, weight))
    theirs = torch.autograd.grad(smoothed * 3, (states, weight))
    for mine, expected in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, expected, rtol=1e-4, atol=1e-4)


def test_padding_has_no_part_in_the_gradient() -> None:
    states = torch.randn(2, 3, 8, requires_grad=True)
    targets = torch.tensor([[4, 5, PAD], [6, PAD, PAD]])
    weight = torch.randn(11, 8)
    label_smoothed_loss(states, weight, targets, pad_id=PAD, smoothing=0.1).smoothed.backward()
    assert states.grad is not None
    assert (states.grad[targets == PAD] == 0).all()
    assert (states.grad[targets != PAD] != 0).any(dim=-1).all()


def test_a_batch_of_padding_is_zero_with_zero_gradient() -> None:
    states = torch.randn(2, 3, 8, requires_grad=True)
    weight = torch.randn(11, 8, requires_grad=True)
    targets = torch.full((2, 3), PAD)
    loss = label_smoothed_loss(states, weight, targets, pad_id=PAD, smoothing=0.1)
    assert (loss.smoothed.item(), loss.nll.item(), loss.num_targets) == (0.0, 0.0, 0)
    for gradient in torch.autograd.grad(loss.smoothed, (states, weight)):
        assert (gradient == 0).all()


def test_perplexity_comes_from_the_unsmoothed_loss() -> None:
    states = torch.zeros(5, 8)  # every piece equally likely
    loss = label_smoothed_loss(
        states, torch.randn(11, 8), torch.arange(1, 6), pad_id=PAD, smoothing=0.3
    )
    assert math.exp(loss.nll.item() / loss.num_targets) == pytest.approx(11)


def test_bfloat16_stays_close() -> None:
    torch.manual_seed(0)
    states, weight = torch.randn(40, 16), torch.randn(30, 16, requires_grad=True)
    targets = torch.randint(1, 30, (40,))
    exact = label_smoothed_loss(states, weight, targets, pad_id=PAD, smoothing=0.1)
    with torch.autocast("cpu", torch.bfloat16):
        low = label_smoothed_loss(states, weight, targets, pad_id=PAD, smoothing=0.1)
    assert low.smoothed.dtype == torch.float32
    torch.testing.assert_close(low.smoothed, exact.smoothed, rtol=0.01, atol=0.0)


def test_evaluation_needs_no_gradient() -> None:
    weight = torch.randn(11, 8, requires_grad=True)
    with torch.inference_mode():
        loss = label_smoothed_loss(
            torch.randn(3, 8), weight, torch.tensor([1, 2, 3]), pad_id=PAD, smoothing=0.0
        )
    assert loss.smoothed.item() == pytest.approx(loss.nll.item())
