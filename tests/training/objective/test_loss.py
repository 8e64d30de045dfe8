"""The loss against a float64 reference and against autograd."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from training.objective.loss import CPU_ROWS, label_smoothed_loss

PAD = 0


def reference(
    states: Tensor, weight: Tensor, targets: Tensor, smoothing: float
) -> tuple[Tensor, Tensor]:
    """Written out: cross-entropy against an explicit target distribution, in float64."""
    log_probs = (states.double() @ weight.double().T).log_softmax(-1).flatten(0, -2)
    real, vocab_size = targets.flatten() != PAD, weight.size(0)
    chosen = torch.eye(vocab_size, dtype=torch.float64)[targets.flatten()]
    expected = chosen * (1 - smoothing) + smoothing / (vocab_size - 1)
    expected[:, PAD] = 0.0
    each = torch.stack([-(expected * log_probs).sum(1), -(chosen * log_probs).sum(1)])
    smoothed, nll = each[:, real].sum(1)
    return smoothed, nll


@pytest.mark.parametrize("picks_real", [True, False])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("rows", [1, *(CPU_ROWS + more for more in (-1, 0, 1)), 2 * CPU_ROWS + 76])
def test_value_and_gradient_match_the_reference(
    smoothing: float, rows: int, picks_real: bool
) -> None:
    """Whatever the number of rows: chunks meet without gap or overlap."""
    torch.manual_seed(rows)
    states = torch.randn(rows, 4, 8, requires_grad=True)
    weight = torch.randn(11, 8, requires_grad=True)
    targets = torch.randint(0, 11, (rows, 4))
    targets[0, 0] = 5
    loss = label_smoothed_loss(
        states, weight, targets, pad_id=PAD, smoothing=smoothing, picks_real=picks_real
    )
    smoothed, nll = reference(states, weight, targets, smoothing)
    torch.testing.assert_close(loss.smoothed.double(), smoothed, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(loss.nll.double(), nll.detach(), rtol=1e-5, atol=1e-5)
    ours = torch.autograd.grad(loss.smoothed / rows, (states, weight))
    theirs = torch.autograd.grad(smoothed / rows, (states, weight))
    for mine, expected in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("picks_real", [True, False])
def test_padding_has_no_part_in_the_gradient(picks_real: bool) -> None:
    states = torch.randn(2, 3, 8, requires_grad=True)
    targets = torch.tensor([[4, 5, PAD], [6, PAD, PAD]])
    weight = torch.randn(11, 8)
    loss = label_smoothed_loss(
        states, weight, targets, pad_id=PAD, smoothing=0.1, picks_real=picks_real
    )
    loss.smoothed.backward()
    assert states.grad is not None
    assert (states.grad[targets == PAD] == 0).all()
    assert (states.grad[targets != PAD] != 0).any(dim=-1).all()


@pytest.mark.parametrize("picks_real", [True, False])
def test_a_batch_of_padding_is_zero_with_zero_gradient(picks_real: bool) -> None:
    states = torch.randn(2, 3, 8, requires_grad=True)
    weight = torch.randn(11, 8, requires_grad=True)
    targets = torch.full((2, 3), PAD)
    loss = label_smoothed_loss(
        states, weight, targets, pad_id=PAD, smoothing=0.1, picks_real=picks_real
    )
    assert (loss.smoothed.item(), loss.nll.item()) == (0.0, 0.0)
    for gradient in torch.autograd.grad(loss.smoothed, (states, weight)):
        assert (gradient == 0).all()


def test_perplexity_comes_from_the_unsmoothed_loss() -> None:
    states = torch.zeros(5, 8)  # every piece equally likely
    loss = label_smoothed_loss(
        states, torch.randn(11, 8), torch.arange(1, 6), pad_id=PAD, smoothing=0.3
    )
    assert math.exp(loss.nll.item() / 5) == pytest.approx(11)


def test_evaluation_needs_no_gradient() -> None:
    weight = torch.randn(11, 8, requires_grad=True)
    with torch.inference_mode():
        loss = label_smoothed_loss(
            torch.randn(3, 8), weight, torch.tensor([1, 2, 3]), pad_id=PAD, smoothing=0.0
        )
    assert loss.smoothed.item() == pytest.approx(loss.nll.item())


def test_smoothing_leaves_the_plain_loss_alone() -> None:
    states, weight, targets = torch.randn(20, 8), torch.randn(11, 8), torch.arange(20) % 11
    losses = [
        label_smoothed_loss(states, weight, targets, pad_id=PAD, smoothing=s) for s in (0.0, 0.3)
    ]
    assert losses[0].nll == losses[1].nll == losses[0].smoothed
    assert losses[0].smoothed != losses[1].smoothed
    assert not losses[1].nll.requires_grad


def test_padding_gets_no_share_of_the_smoothing() -> None:
    weight = torch.zeros(4, 3)
    weight[PAD, 0] = 50.0  # a model that is almost sure of padding ...
    sure = torch.tensor([[1.0, 0.0, 0.0]])
    loss = label_smoothed_loss(sure, weight, torch.tensor([2]), pad_id=PAD, smoothing=0.9)
    assert loss.smoothed.item() == pytest.approx(50.0, rel=1e-4)  # ... gets nothing for it


def test_values_and_gradients_in_bfloat16_stay_close() -> None:
    torch.manual_seed(0)
    targets = torch.randint(0, 30, (700,))
    losses, gradients = [], []
    for enabled in (False, True):
        generator = torch.Generator().manual_seed(1)
        states = torch.randn(700, 16, generator=generator).requires_grad_()
        weight = torch.randn(30, 16, generator=generator).requires_grad_()
        with torch.autocast("cpu", torch.bfloat16, enabled=enabled):
            loss = label_smoothed_loss(states, weight, targets, pad_id=PAD, smoothing=0.1)
        assert loss.smoothed.dtype == torch.float32
        losses.append(loss.smoothed.detach())
        gradients.append(torch.autograd.grad(loss.smoothed, (states, weight)))
    torch.testing.assert_close(losses[1], losses[0], rtol=0.01, atol=0.0)
    for exact, low in zip(*gradients, strict=True):
        assert low.dtype == torch.float32
        assert ((low - exact).norm() / exact.norm()).item() < 0.02
    assert not gradients[1][0][targets == PAD].any()


def test_large_scores_stay_finite() -> None:
    states = torch.full((3, 8), 300.0, requires_grad=True)
    weight = torch.full((11, 8), 30.0)
    weight[4] = -30.0
    loss = label_smoothed_loss(states, weight, torch.tensor([4, 4, 1]), pad_id=PAD, smoothing=0.1)
    assert loss.smoothed.isfinite()
    assert torch.autograd.grad(loss.smoothed, states)[0].isfinite().all()
