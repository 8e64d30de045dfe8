"""The arithmetic of one step of beam search, in two halves that TorchScript compiles.

Between them stands what only Python can do: writing down the hypotheses that are finished.
"""

from __future__ import annotations

import torch
from torch import Tensor


def find_finishing(
    log_probs: Tensor,
    ids: Tensor,
    lengths: Tensor,
    max_lengths: Tensor,
    eos_id: int,
    beam_size: int,
) -> tuple[Tensor, Tensor]:
    """Find which continuations are final.

    Args:
        log_probs: (B, C) of the best continuations of each sentence, best first; -inf for one of a
            dead beam.
        ids: (B, C) int64, their last ids.
        lengths: (B,) int64, ids in each live beam.
        max_lengths: (B,) int64, most ids a sentence may have, EOS included.
        eos_id: id that ends a sentence.
        beam_size: K; only the best K may finish.

    Returns:
        `at_limit` (B,), whether this step is a sentence's last; `finishing` (B, K at most).
    """
    at_limit = lengths + 1 >= max_lengths
    finishing = (ids[:, :beam_size] == eos_id) | at_limit[:, None]
    finishing &= log_probs[:, :beam_size] > -float("inf")
    return at_limit, finishing


def go_on(
    log_probs: Tensor,
    ids: Tensor,
    parents: Tensor,
    at_limit: Tensor,
    thresholds: Tensor,
    bars: Tensor,
    limit_penalties: Tensor,
    lengths: Tensor,
    exponents: Tensor,
    is_gnmt: Tensor,
    tokens: Tensor,
    eos_id: int,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Choose the beams that live on, and find the sentences that are done.

    Args:
        log_probs: (B, C), of the continuations, best first.
        ids: (B, C), of the continuations.
        parents: (B, C), which beam each continues.
        at_limit: (B,), whether this step is a sentence's last.
        thresholds: (B,), see `BeamState`.
        bars: (B,), see `BeamState`.
        limit_penalties: (B,), length penalty at the sentence's limit.
        lengths: (B,), ids of the beams before this step.
        exponents: (B,), see `BeamState`.
        is_gnmt: (B,), see `BeamState`.
        tokens: (B, K, t), ids of the beams before this step.
        eos_id: id that ends a sentence.

    Returns:
        log-probabilities, ids and parents (B, K) of the live beams, best first, -inf and EOS where
        one is dead; `done` (B,); `tokens` (B, K, t + 1).
    """
    beam_size = tokens.size(1)
    is_eos = ids == eos_id
    if beam_size == 1:  # nothing to choose: an EOS has just finished the whole sentence
        dead = log_probs[:, 0] == -float("inf")
        done = at_limit | is_eos[:, 0] | dead
    else:  # at most K of the 2K end in EOS, one per beam; a stable sort keeps the others' order
        columns = is_eos.byte().argsort(stable=True, dim=1)[:, :beam_size]  # (B, K)
        log_probs, ids = log_probs.gather(1, columns), ids.gather(1, columns)
        parents = parents.gather(1, columns)
        # the penalty of a beam that ends in the next step: the ids so far, this step's, and EOS
        ahead = lengths + 2
        penalties = torch.where(is_gnmt, (5 + ahead) / 6, ahead.float()) ** exponents
        best = log_probs[:, 0]
        done = at_limit | (thresholds >= best / limit_penalties) | (bars >= best / penalties)
    live = log_probs.masked_fill(done[:, None], -float("inf"))
    next_ids = ids.masked_fill(live == -float("inf"), eos_id)
    history = tokens
    if beam_size > 1:
        history = tokens.gather(1, parents[:, :, None].expand(-1, -1, tokens.size(2)))
    return live, next_ids, parents, done, torch.cat((history, next_ids[:, :, None]), dim=2)
