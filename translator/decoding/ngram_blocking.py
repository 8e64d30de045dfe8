"""Search that never says the same n ids twice, for sentences in which it ran in circles.

Source: Paulus et al. 2018, §2.5.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from translator.decoding.beam_state import BeamState

EXTRA_CANDIDATES = 32
"""Continuations that are looked at besides, so that enough are left when some are blocked."""


def without_repeats(
    state: BeamState, log_probs: Tensor, ids: Tensor, beams: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Rank the continuations that would repeat an n-gram behind all others, at -inf.

    Sentences whose options have no `no_repeat_ngram_size` stay as they are, and so does one that
    could not go on otherwise.

    Args:
        state: before the step.
        log_probs: (B, C), of the continuations, best first.
        ids: (B, C) int64, their last ids.
        beams: (B, C) int64, which beam each of them continues.

    Returns:
        the same three, sorted anew.
    """
    blocked = torch.zeros_like(ids, dtype=torch.bool)
    for row, own in enumerate(state.options):
        size, length = own.no_repeat_ngram_size, int(state.lengths[row])
        if not size or length < size:
            continue
        said = state.tokens[row, :, state.tokens.size(2) - length :].tolist()
        forbidden = [_following(history, size) for history in said]
        pairs = zip(ids[row].tolist(), beams[row].tolist(), strict=True)
        blocked[row] = torch.tensor([last_id in forbidden[beam] for last_id, beam in pairs])
    blocked &= ~(blocked | log_probs.isneginf()).all(dim=1, keepdim=True)
    log_probs, order = log_probs.masked_fill(blocked, -math.inf).sort(
        dim=1, descending=True, stable=True
    )
    return log_probs, ids.gather(1, order), beams.gather(1, order)


def _following(history: list[int], size: int) -> set[int]:
    """Return the ids that have followed the last `size` - 1 ids of `history` before."""
    last = history[len(history) - size + 1 :]
    starts = range(len(history) - size + 1)
    return {history[i + size - 1] for i in starts if history[i : i + size - 1] == last}
