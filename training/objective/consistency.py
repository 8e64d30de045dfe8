"""Two views of each batch that should be translated alike: R-Drop and SimCut.

The same pairs are read twice, with other dropout and, in the second view, with some pieces cut out;
besides the cross-entropy, the divergence between the two predictions is minimised. The most
effective regularisation known for small corpora, at the price of two passes a batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from training.config import Consistency
from training.data.encoded import TrainBatch
from training.objective.loss import (
    ChunkedLoss,
    LossSum,
    autocast_dtype,
    chunks,
    score,
    to_gradient_,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """What each part of the loss of two views counts.

    Attributes:
        first: cross-entropy of the first view.
        second: cross-entropy of the second view.
        forward: KL(first ‖ second).
        backward: KL(second ‖ first).
    """

    first: float
    second: float
    forward: float
    backward: float


def weights(consistency: Consistency, alpha: float) -> Weights:
    """Return the weights of a published loss.

    `r-drop`: CE₁ + CE₂ + α · ½ (KL(1 ‖ 2) + KL(2 ‖ 1)); `simcut`: CE₁ + α · KL(1 ‖ 2).

    Source: Liang et al. 2021, Eq. 4; Gao et al. 2022, Eq. 2 (both sides get the gradient).
    """
    if consistency == "simcut":
        return Weights(first=1.0, second=0.0, forward=alpha, backward=0.0)
    return Weights(first=1.0, second=1.0, forward=alpha / 2, backward=alpha / 2)


def two_views(batch: TrainBatch, cut: float, unk_id: int, pad_id: int) -> TrainBatch:
    """Return the batch twice over, the second time with pieces cut out of what is read.

    Args:
        batch: of B pairs.
        cut: probability for each piece read by the encoder or the decoder, BOS excepted.
        unk_id: stands in the place of a cut piece.
        pad_id: is never cut.

    Returns:
        a batch of 2B rows; `num_targets` still counts each target once.

    Source: Gao et al. 2022, §3 (there a cut piece is a vector of zeros, here `<unk>`).
    """

    def twice(ids: Tensor, first: int) -> Tensor:
        if not cut:
            return torch.cat((ids, ids))
        is_cut = torch.rand(ids.shape, device=ids.device) < cut
        is_cut &= ids != pad_id
        is_cut[:, :first] = False
        return torch.cat((ids, ids.masked_fill(is_cut, unk_id)))

    return TrainBatch(
        src=twice(batch.src, 0),
        src_mask=torch.cat((batch.src_mask, batch.src_mask)),
        tgt_in=twice(batch.tgt_in, 1),
        tgt_out=batch.tgt_out,
        num_targets=batch.num_targets,
    )


def consistency_loss(
    states: Tensor,
    weight: Tensor,
    targets: Tensor,
    *,
    pad_id: int,
    smoothing: float,
    parts: Weights,
) -> LossSum:
    """Return the loss of two views, summed over the real targets.

    Args:
        states: (2B, T, D) decoder outputs, all first views before all second ones.
        weight: (V, D) output embedding.
        targets: (B, T) int64; positions that are `pad_id` contribute nothing.
        pad_id: id of padding.
        smoothing: of the cross-entropies; see `label_smoothed_loss`.
        parts: weights of the four terms.

    Returns:
        sums in float32; `nll` is the first view's.
    """
    is_real = targets != pad_id
    first, second = states.chunk(2)
    smoothed, nll = _TwoViews.apply(  # type: ignore[no-untyped-call]
        torch.stack((first[is_real], second[is_real])),  # (2, N, D)
        weight,
        targets[is_real],
        pad_id,
        smoothing,
        parts,
        autocast_dtype(states),
    )
    return LossSum(smoothed, nll, int(is_real.sum()))


class _TwoViews(ChunkedLoss):
    """Projection, softmax and all four terms in one, a few hundred rows at a time."""

    @staticmethod
    def forward(
        ctx: Any,
        states: Tensor,
        weight: Tensor,
        targets: Tensor,
        pad_id: int,
        smoothing: float,
        parts: Weights,
        dtype: torch.dtype,
    ) -> tuple[Tensor, Tensor]:
        projection = weight.to(dtype)
        total, nll = states.new_zeros(2, dtype=torch.float32).unbind()
        total, nll = total.clone(), nll.clone()
        grad_states, grad_weight = torch.zeros_like(states), torch.zeros_like(weight)
        for rows in chunks(targets, share=2):
            chunk = states[:, rows].to(dtype)  # (2, n, D)
            logits = (chunk @ projection.T).float()  # (2, n, V)
            value, plain, gradient = _both(logits, targets[rows], pad_id, smoothing, parts)
            total += value
            nll += plain
            gradient = gradient.to(dtype)
            grad_states[:, rows] = gradient @ projection
            grad_weight += gradient.flatten(0, 1).T @ chunk.flatten(0, 1)
        ChunkedLoss.keep(ctx, grad_states, grad_weight, nll)
        return total, nll


def _both(
    logits: Tensor, targets: Tensor, pad_id: int, smoothing: float, parts: Weights
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the loss, the first view's plain loss, and the gradient on `logits` (2, n, V).

    With p, q the two distributions and δ = log p - log q, d KL(p ‖ q) is p (δ - KL) on the logits
    of p and q - p on those of q.
    """
    probs = logits.softmax(dim=2)
    scores = [
        score(*views, targets, pad_id, smoothing) for views in zip(logits, probs, strict=True)
    ]
    (first, first_normalisers), (second, second_normalisers) = scores
    gap = logits[0] - logits[1] - (first_normalisers - second_normalisers)  # (n, V)
    p, q = probs
    forward = (p * gap).sum(dim=1, keepdim=True)  # (n, 1): KL(p ‖ q)
    backward = -(q * gap).sum(dim=1, keepdim=True)
    change = q - p
    extra = (
        p * (gap - forward) * parts.forward - change * parts.backward,
        change * parts.forward - q * (gap + backward) * parts.backward,
    )
    loss = parts.first * first[0] + parts.second * second[0]
    loss = loss + parts.forward * forward.sum() + parts.backward * backward.sum()
    for view, share in enumerate((parts.first, parts.second)):
        if share:
            to_gradient_(probs[view], targets, pad_id, smoothing).mul_(share).add_(extra[view])
        else:
            probs[view] = extra[view]
    return loss, first[1], probs
