"""The training loss: label-smoothed cross-entropy, summed, with the plain one beside it.

The output projection is part of the loss: the logits (N, V) are the largest tensors of a small
model, so they are formed, scored and differentiated a few hundred rows at a time and never kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

CPU_ROWS, GPU_ROWS = 256, 8192  # that fit a CPU's cache; that fill a GPU


@dataclass(frozen=True, slots=True)
class LossSum:
    """Sums over the real target pieces of a batch; divide by `num_targets` of the whole step.

    Attributes:
        smoothed: scalar, what is minimised, in nats.
        nll: scalar, negative log-likelihood without smoothing, in nats, without gradient;
            exp(nll / num_targets) is the perplexity.
        num_targets: real target pieces, EOS included.
    """

    smoothed: Tensor
    nll: Tensor
    num_targets: int


def label_smoothed_loss(
    states: Tensor, weight: Tensor, targets: Tensor, *, pad_id: int, smoothing: float
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

    Returns:
        sums in float32; zero, with zero gradient, if every target is padding.

    Source: Szegedy et al. 2016, §7; Vaswani et al. 2017, §5.4.
    """
    is_real = targets != pad_id
    real_states, real_targets = states[is_real], targets[is_real]  # (N, D), (N,)
    smoothed, nll = _ChunkedCrossEntropy.apply(  # type: ignore[no-untyped-call]
        real_states, weight, real_targets, pad_id, smoothing, _autocast_dtype(states)
    )
    return LossSum(smoothed, nll, real_targets.numel())


def _chunks(targets: Tensor) -> Iterator[slice]:
    """Yield the rows of `targets` (N,) that are scored together."""
    count = CPU_ROWS if targets.device.type == "cpu" else GPU_ROWS
    for start in range(0, targets.numel(), count):
        yield slice(start, start + count)


def _autocast_dtype(states: Tensor) -> torch.dtype:
    """Return the type that matrix products of `states` have under the autocast in force."""
    device = states.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else torch.float32


class _ChunkedCrossEntropy(torch.autograd.Function):
    """Projection, softmax and loss in one, with the gradient computed on the way forward."""

    @staticmethod
    def forward(
        ctx: Any,
        states: Tensor,
        weight: Tensor,
        targets: Tensor,
        pad_id: int,
        smoothing: float,
        dtype: torch.dtype,
    ) -> tuple[Tensor, Tensor]:
        needs_grad = ctx.needs_input_grad[0] or ctx.needs_input_grad[1]
        projection = weight.to(dtype)
        sums = torch.zeros(2, dtype=torch.float32, device=states.device)
        grad_states = torch.zeros_like(states) if needs_grad else None
        grad_weight = torch.zeros_like(weight) if needs_grad else None
        for rows in _chunks(targets):
            chunk = states[rows].to(dtype)
            logits = (chunk @ projection.T).float()
            probs = logits.softmax(dim=1)
            sums += _score(logits, probs, targets[rows], pad_id, smoothing)
            if grad_states is not None and grad_weight is not None:
                grad_logits = _to_gradient(probs, targets[rows], pad_id, smoothing).to(dtype)
                grad_states[rows] = grad_logits @ projection
                grad_weight += grad_logits.T @ chunk
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


def _score(logits: Tensor, probs: Tensor, targets: Tensor, pad_id: int, smoothing: float) -> Tensor:
    """Return (2,): the smoothed and the plain loss, summed over rows.

    The normaliser of a row follows from its likeliest piece, whose probability cannot underflow:
    one exponential an element serves loss and gradient.

    Args:
        logits: (N, V) float32.
        probs: (N, V), their softmax.
        targets: (N,) int64.
        pad_id: id of padding.
        smoothing: ε.
    """
    normalisers = logits.amax(dim=1, keepdim=True) - probs.amax(dim=1, keepdim=True).log()
    nll = (normalisers - logits.gather(1, targets[:, None])).sum()
    if not smoothing:
        return torch.stack((nll, nll))
    others = logits.size(1) - 1
    uniform = normalisers.sum() - (logits.sum() - logits[:, pad_id].sum()) / others
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
