"""Beam search over all log-probabilities at once, to be compared with what the engine does."""

from __future__ import annotations

import math

from torch import Tensor

from translator.decoding.beam_state import BeamState, Step
from translator.decoding.search import extend, num_candidates


def advance(state: BeamState, log_probs: Tensor, forbidden_ids: Tensor | None = None) -> Step:
    """Extend every live beam by one id, given the log-probabilities of all of them.

    Args:
        state: before the step.
        log_probs: (B, K, V) of any float type, none above 0; -inf is allowed anywhere.
        forbidden_ids: (F,) int64, ids that are never produced, such as padding.

    Raises:
        ValueError: if `log_probs` is not (B, K, V).
    """
    if log_probs.dim() != 3 or log_probs.shape[:2] != state.log_probs.shape:
        expected, shape = tuple(state.log_probs.shape), tuple(log_probs.shape)
        raise ValueError(f"log_probs must be (B, K, V) with B, K = {expected}, got {shape}")
    if forbidden_ids is not None:
        log_probs = log_probs.index_fill(2, forbidden_ids, -math.inf)
    count, vocab_size = num_candidates(state.beam_size), log_probs.size(2)
    totals = (log_probs.float() + state.log_probs[:, :, None]).flatten(1)
    # a stable sort: of equals, the earlier beam comes first
    best, places = totals.sort(stable=True, dim=1, descending=True)  # (B, K * V)
    best, places = best[:, :count], places[:, :count]
    beams = places.div(vocab_size, rounding_mode="floor")
    return extend(state, best, places - beams * vocab_size, beams)
