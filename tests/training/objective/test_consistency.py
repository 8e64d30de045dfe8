"""Two views: the loss of the papers in float64, its gradient, and what is cut."""

from __future__ import annotations

from typing import Literal

import pytest
import torch
from torch import Tensor

from training.data.encoded import EncodedPair, TrainBatch, make_batch
from training.objective import loss as loss_module
from training.objective.consistency import Weights, consistency_loss, two_views, weights
from training.objective.loss import label_smoothed_loss

PAD, UNK, BOS = 0, 1, 2
KINDS: tuple[Literal["r-drop", "simcut"], ...] = ("r-drop", "simcut")


def reference(states: Tensor, weight: Tensor, targets: Tensor, ε: float, parts: Weights) -> Tensor:
    """Written out in float64."""
    real = targets != PAD
    p, q = ((view @ weight.T).log_softmax(-1)[real] for view in states.chunk(2))
    wanted = torch.full_like(p, ε / (p.size(1) - 1))
    wanted[:, PAD] = 0
    wanted[torch.arange(len(wanted)), targets[real]] += 1 - ε

    def divergence(first: Tensor, second: Tensor) -> Tensor:
        return (first.exp() * (first - second)).sum()

    cross = [-(wanted * view).sum() for view in (p, q)]
    loss = parts.first * cross[0] + parts.second * cross[1]
    return loss + parts.forward * divergence(p, q) + parts.backward * divergence(q, p)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_value_and_gradient_match_the_reference(
    kind: Literal["r-drop", "simcut"], smoothing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loss_module, "CPU_ROWS", 8)  # several chunks
    torch.manual_seed(0)
    targets = torch.randint(1, 40, (3, 7))
    targets[0, 4:] = PAD
    states = torch.randn(6, 7, 16, requires_grad=True)
    weight = torch.randn(40, 16, requires_grad=True)
    parts = weights(kind, 3.0)
    found = consistency_loss(states, weight, targets, pad_id=PAD, smoothing=smoothing, parts=parts)
    exact = [tensor.detach().double().requires_grad_() for tensor in (states, weight)]
    expected = reference(exact[0], exact[1], targets, smoothing, parts)
    torch.testing.assert_close(found.smoothed.double(), expected, rtol=1e-5, atol=1e-4)
    ours = torch.autograd.grad(found.smoothed * 2, (states, weight))
    theirs = torch.autograd.grad(expected * 2, exact)
    for mine, their in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine.double(), their, rtol=1e-3, atol=1e-3)
    assert found.num_targets == 18


def test_the_weights_are_those_of_the_papers() -> None:
    assert weights("r-drop", 5.0) == Weights(first=1, second=1, forward=2.5, backward=2.5)
    assert weights("simcut", 3.0) == Weights(first=1, second=0, forward=3, backward=0)


@pytest.mark.parametrize(("kind", "factor"), [("r-drop", 2), ("simcut", 1)])
def test_equal_views_diverge_by_nothing(kind: Literal["r-drop", "simcut"], factor: int) -> None:
    torch.manual_seed(0)
    targets, states = torch.randint(1, 40, (2, 5)), torch.randn(2, 5, 16)
    weight = torch.randn(40, 16)
    plain = label_smoothed_loss(states, weight, targets, pad_id=PAD, smoothing=0.1)
    both = consistency_loss(
        torch.cat((states, states)),
        weight,
        targets,
        pad_id=PAD,
        smoothing=0.1,
        parts=weights(kind, 3.0),
    )
    torch.testing.assert_close(both.smoothed, factor * plain.smoothed)
    torch.testing.assert_close(both.nll, plain.nll)


def batch_of(count: int, length: int) -> TrainBatch:
    pair = EncodedPair([5] * length, [*([6] * (length - 1)), 3])
    return make_batch([pair, EncodedPair([5], [3])] * count, PAD, BOS)


def test_pieces_are_cut_from_the_second_view_alone() -> None:
    torch.manual_seed(0)
    batch = batch_of(100, 20)
    views = two_views(batch, 0.1, UNK, PAD)
    first, second = views.src.chunk(2)
    assert torch.equal(first, batch.src)
    assert torch.equal(views.tgt_in.chunk(2)[0], batch.tgt_in)
    for before, after in ((batch.src, second), (batch.tgt_in, views.tgt_in.chunk(2)[1])):
        changed = before != after
        assert (after[changed] == UNK).all()
        assert not changed[before == PAD].any()
        assert not changed[before == BOS].any()
        assert 0.07 < changed.sum() / (before > BOS).sum() < 0.13
    assert torch.equal(views.src_mask.chunk(2)[1], batch.src_mask)
    assert views.num_targets == batch.num_targets
    assert torch.equal(two_views(batch, 0.0, UNK, PAD).src.chunk(2)[1], batch.src)
