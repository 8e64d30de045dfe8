"""The arithmetic of one step of beam search, in two halves that TorchScript compiles.

Between them stands what only Python can do: writing down the hypotheses that are finished.
"""

from __future__ import annotations

import torch
from torch import Tensor


def choose(
    beam_log_probs: Tensor,
    log_probs: Tensor,
    ids: Tensor,
    lengths: Tensor,
    max_lengths: Tensor,
    eos_id: int,
    count: int,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Find the best continuations of each sentence, and which of them are finished.

    Args:
        beam_log_probs: (B, K) float32, -inf for a dead beam.
        log_probs: (B, K, X) of any float type, of the best ids after each beam.
        ids: (B, K, X) int64, these ids.
        lengths: (B,) int64, ids in each live beam.
        max_lengths: (B,) int64, most ids a sentence may have, EOS included.
        eos_id: id that ends a sentence.
        count: C continuations a sentence; K·X if that is less.

    Returns:
        log-probabilities, ids and parents (B, C) of the continuations, best first; `at_limit` (B,),
        whether this step is a sentence's last; `finishing` (B, C), which continuations are final.
    """
    beam_size = beam_log_probs.size(1)
    totals = log_probs.float() + beam_log_probs[:, :, None]
    # a stable sort: of equals, the earlier beam comes first
    best, places = totals.flatten(1).sort(stable=True, dim=1, descending=True)  # (B, K * X)
    best, places = best[:, :count], places[:, :count]
    best_ids = ids.flatten(1).gather(1, places)
    parents = places.div(log_probs.size(2), rounding_mode="floor")
    at_limit = lengths + 1 >= max_lengths
    finishing = (best_ids == eos_id) | at_limit[:, None]
    finishing &= best > -float("inf")
    finishing[:, beam_size:] = False
    return best, best_ids, parents, at_limit, finishing


def go_on(
    log_probs: Tensor,
    ids: Tensor,
    parents: Tensor,
    at_limit: Tensor,
    thresholds: Tensor,
    bars: Tensor,
    limit_penalties: Tensor,
    next_penalties: Tensor,
    tokens: Tensor,
    eos_id: int,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Choose the beams that live on, and find the sentences that are done.

    Args:
        log_probs: (B, C), of the continuations.
        ids: (B, C), of the continuations.
        parents: (B, C), which beam each continues.
        at_limit: (B,), whether this step is a sentence's last.
        thresholds: (B,), see `BeamState`.
        bars: (B,), see `BeamState`.
        limit_penalties: (B,), length penalty at the sentence's limit.
        next_penalties: (B,), length penalty of a beam that ends in the next step.
        tokens: (B, K, t), ids of the beams before this step.
        eos_id: id that ends a sentence.

    Returns:
        log-probabilities, ids and parents (B, K) of the live beams, -inf and EOS where one is dead,
        in the order of `staying_order`;
        `done` (B,); `tokens` (B, K, t + 1).
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
        best = log_probs[:, 0]
        done = at_limit | (thresholds >= best / limit_penalties) | (bars >= best / next_penalties)
        order = staying_order(parents)
        log_probs, ids = log_probs.gather(1, order), ids.gather(1, order)
        parents = parents.gather(1, order)
    live = log_probs.masked_fill(done[:, None], -float("inf"))
    next_ids = ids.masked_fill(live == -float("inf"), eos_id)
    history = tokens
    if beam_size > 1:
        history = tokens.gather(1, parents[:, :, None].expand(-1, -1, tokens.size(2)))
    return live, next_ids, parents, done, torch.cat((history, next_ids[:, :, None]), dim=2)


def staying_order(parents: Tensor) -> Tensor:
    """Order beams so that as many as possible stay in the row of the beam they continue.

    The best continuation of a beam takes its row, the others those of beams that none continues:
    a row that stays needs no copying of its keys and values.

    Args:
        parents: (B, K) int64, which beam each of the live ones continues, best first.

    Returns:
        (B, K) int64, which of them each row holds.
    """
    beam_size = parents.size(1)
    ranks = torch.arange(beam_size, device=parents.device)
    is_same = parents[:, :, None] == parents[:, None, :]  # (B, K, K)
    is_first = ~(is_same & (ranks[None, :] < ranks[:, None])).any(dim=2)
    is_taken = torch.zeros_like(parents).scatter_(1, parents, 1)
    free_rows = is_taken.argsort(stable=True, dim=1)  # those that none continues come first
    place = (~is_first).cumsum(dim=1).sub_(1).clamp_(min=0)
    rows = torch.where(is_first, parents, free_rows.gather(1, place))
    return rows.argsort(dim=1)
