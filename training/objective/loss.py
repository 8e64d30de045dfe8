"""The training loss: label-smoothed cross-entropy, summed, with the plain one beside it.

The output projection is part of the loss: the logits (N, V) are the largest tensors of a small
model, so they are formed, scored and differentiated a few hundred rows at a time and never kept.

Part of a batch is padding. A CPU picks the real positions out first. The number of them decides the
shape of the result, so a GPU would make the CPU wait for it: there all positions are scored, and
padding weighs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

CPU_ROWS, GPU_ROWS = 256, 8192  # that fit a CPU's cache; that fill a GPU

RowScorer = Callable[[Tensor, Tensor, Tensor | None, int, float], tuple[Tensor, Tensor]]


@dataclass(frozen=True, slots=True)
class LossSum:
    """Sums over the real target pieces of a batch; divide by `num_targets` of the whole step.

    Attributes:
        smoothed: scalar, what is minimised, in nats.
        nll: scalar, negative log-likelihood without smoothing, in nats, without gradient;
            exp(nll / num_targets) is the perplexity.
    """

    smoothed: Tensor
    nll: Tensor


def label_smoothed_loss(
    states: Tensor,
    weight: Tensor,
    targets: Tensor,
    *,
    pad_id: int,
    smoothing: float,
    picks_real: bool = True,
    scorer: RowScorer | None = None,
) -> LossSum:
    """Return cross-entropy of softmax(states · weightᵀ) against smoothed targets.

    The target distribution is (1 - ε) on the reference piece plus ε spread evenly over all pieces
    but padding. Sums and softmax are float32; under autocast the products are bfloat16.

    Args:
        states: (..., D) decoder outputs.
        weight: (V, D) output embedding.
        targets: (...) int64; positions that are `pad_id` contribute nothing.
        pad_id: id of padding.
        smoothing: ε in [0, 1); 0 is plain cross-entropy.
        picks_real: leave padding out; else it is scored, and weighs nothing.
        scorer: `score_rows`, or the same compiled.

    Returns:
        sums in float32; zero, with zero gradient, if every target is padding.

    Source: Szegedy et al. 2016, §7; Vaswani et al. 2017, §5.4.
    """
    is_real = targets != pad_id
    weights = None if picks_real else is_real.flatten()  # (N,)
    if picks_real:
        states, targets = states[is_real], targets[is_real]  # (N, D), (N,)
    smoothed, nll = _CrossEntropyInBlocks.apply(  # type: ignore[no-untyped-call]
        states.reshape(-1, weight.size(1)),
        weight,
        targets.flatten(),
        weights,
        (pad_id, smoothing),
        _autocast_dtype(states),
        scorer or score_rows,
    )
    return LossSum(smoothed, nll)


def _blocks(targets: Tensor) -> Iterator[slice]:
    """Yield the rows of `targets` (N,) that are scored together."""
    count = CPU_ROWS if targets.device.type == "cpu" else GPU_ROWS
    for start in range(0, targets.numel(), count):
        yield slice(start, start + count)


def _autocast_dtype(states: Tensor) -> torch.dtype:
    """Return the type that matrix products of `states` have under the autocast in force."""
    device = states.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else torch.float32


class _CrossEntropyInBlocks(torch.autograd.Function):
    """Projection, softmax and loss in one, with the gradient computed on the way forward."""

    @staticmethod
    def forward(
        ctx: Any,
        states: Tensor,
        weight: Tensor,
        targets: Tensor,
        weights: Tensor | None,
        settings: tuple[int, float],
        dtype: torch.dtype,
        scorer: RowScorer,
    ) -> tuple[Tensor, Tensor]:
        needs_grad = ctx.needs_input_grad[0] or ctx.needs_input_grad[1]
        projection = weight.to(dtype)
        sums = torch.zeros(2, dtype=torch.float32, device=states.device)
        grad_states = torch.zeros_like(states) if needs_grad else None
        grad_weight = torch.zeros_like(weight) if needs_grad else None
        for rows in _blocks(targets):
            block = states[rows].to(dtype)
            heed = None if weights is None else weights[rows]
            loss, gradient = scorer(block @ projection.T, targets[rows], heed, *settings)
            sums += loss
            if grad_states is not None and grad_weight is not None:
                grad_logits = gradient.to(dtype)
                grad_states[rows] = _weighted(grad_logits @ projection, heed)
                grad_weight += grad_logits.T @ _weighted(block, heed)
        smoothed, nll = sums.unbind()
        smoothed, nll = smoothed.clone(), nll.clone()
        ctx.save_for_backward(grad_states, grad_weight)
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(nll)
        return smoothed, nll

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_loss: Tensor | None, _: None) -> tuple[Tensor | None, ...]:
        num_settings = len(ctx.needs_input_grad) - 2
        if grad_loss is None:
            return (None,) * len(ctx.needs_input_grad)
        grad_states, grad_weight = ctx.saved_tensors
        return grad_states * grad_loss, grad_weight * grad_loss, *(None,) * num_settings


def _weighted(rows: Tensor, weights: Tensor | None) -> Tensor:
    """Return `rows` (N, D), with zeros where `weights` (N,) are."""
    return rows if weights is None else rows * weights[:, None].to(rows.dtype)


def score_rows(
    logits: Tensor, targets: Tensor, weights: Tensor | None, pad_id: int, smoothing: float
) -> tuple[Tensor, Tensor]:
    """Return the loss of some rows, and its gradient.

    Args:
        logits: (N, V).
        targets: (N,) int64.
        weights: (N,) of 0 and 1, by which rows of the loss are multiplied; all 1 if None.
        pad_id: id of padding.
        smoothing: ε.

    Returns:
        (2,): the smoothed and the plain loss, summed over rows.
        (N, V) float32: the gradient of the smoothed loss of each row, *without* its weight.
    """
    exact = logits.float()
    probs = exact.softmax(dim=1)
    sums = _score(exact, probs, targets, weights, pad_id, smoothing)
    return sums, _to_gradient(probs, targets, pad_id, smoothing)


def _score(
    logits: Tensor,
    probs: Tensor,
    targets: Tensor,
    weights: Tensor | None,
    pad_id: int,
    smoothing: float,
) -> Tensor:
    """Return (2,): the smoothed and the plain loss, summed over rows.

    The normaliser of a row follows from its likeliest piece, whose probability cannot underflow:
    one exponential an element serves loss and gradient. Arguments are those of `score_rows`, with
    `logits` in float32 and `probs` (N, V), their softmax.
    """
    normalisers = logits.amax(dim=1, keepdim=True) - probs.amax(dim=1, keepdim=True).log()
    nll = _weighted(normalisers - logits.gather(1, targets[:, None]), weights).sum()
    if not smoothing:
        return torch.stack((nll, nll))
    others = logits.size(1) - 1
    if weights is None:
        total = logits.sum() - logits[:, pad_id].sum()
    else:
        total = _weighted(logits.sum(dim=1, keepdim=True) - logits[:, pad_id, None], weights).sum()
    uniform = _weighted(normalisers, weights).sum() - total / others
    return torch.stack(((1 - smoothing) * nll + smoothing * uniform, nll))


def _to_gradient(probs: Tensor, targets: Tensor, pad_id: int, smoothing: float) -> Tensor:
    """Turn probabilities (N, V), in place, into the gradient of the loss on the logits.

    d loss / d logits = softmax - target distribution.
    """
    share = smoothing / (probs.size(1) - 1)
    if smoothing:
        probs -= share
        probs[:, pad_id] += share
    rows = torch.arange(targets.numel(), device=targets.device)
    probs[rows, targets] -= 1 - smoothing
    return probs
