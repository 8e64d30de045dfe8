"""The search for all sentences at once, as tensors: `search/search.py` rule for rule.

Nothing is decided on the CPU. Sentences that are done, and slots that are free, have no live beam:
all their continuations are at -inf, and nothing about them changes.

Letters: B sentences of K beams, C continuations of each, V pieces.
"""

from __future__ import annotations

import torch
from torch import Tensor

from translator.runtime.device.slots import Slots
from translator.search.search import IMPOSSIBLE, MOST_FORCED


def forced(slots: Slots, best: Tensor, ids: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Let sentences that may not choose yet have one continuation, which costs nothing.

    Args:
        slots: of B sentences.
        best: (B, C) log-probabilities of the continuations, best first.
        ids: (B, C) their last ids.

    Returns:
        log-probabilities and ids, and which sentences these are (B, 1).
    """
    is_forced = (slots.fed < slots.first)[:, None]
    wanted = slots.forced.gather(1, slots.fed.clamp(max=MOST_FORCED - 1)[:, None])
    is_first = torch.arange(best.size(1), device=best.device) == 0
    one = torch.zeros_like(best).masked_fill(~is_first, -torch.inf)
    one = one + slots.log_probs[:, :1]  # -inf if the sentence has been given up
    return torch.where(is_forced, one, best), torch.where(is_forced, wanted, ids), is_forced


def extend(
    slots: Slots,
    numbers: Tensor,
    vocab_size: int,
    num_ids: int,
    eos_id: int,
    best: Tensor,
    ids: Tensor,
    beams: Tensor,
    is_forced: Tensor | None = None,
) -> Tensor:
    """Extend every live beam by one id; see `search/search.py` for the rules.

    Args:
        slots: of B sentences, whose search goes on in place.
        numbers: (B, K) int64, the step · K + rank of each of the best K continuations.
        vocab_size: V, of the output layer.
        num_ids: that the decoder can read, V at most.
        eos_id: id that ends a sentence.
        best: (B, C) log-probabilities of the best continuations in full, best first.
        ids: (B, C) int64, their last ids.
        beams: (B, C) int64, which beam each of them continues.
        is_forced: (B, 1) bool, sentences that may not choose yet, if there may be any.

    Returns:
        (B, K) int64, which beam each beam continues.
    """
    beam_size, fed = slots.next_ids.size(1), slots.fed
    best = torch.where(best > IMPOSSIBLE, best, -torch.inf)  # what is not a number, too
    ends = (ids == eos_id) | (fed >= slots.last)[:, None]
    if is_forced is not None:
        ends = ends & ~is_forced
    # the best that do not end become the live beams; equals stay in order
    live, order = best.masked_fill(ends, -torch.inf).sort(dim=1, descending=True, stable=True)
    order = order[:, :beam_size]
    next_ids, parents = ids.gather(1, order), beams.gather(1, order)
    # those of the best K that end are finished, and rank behind finished ones that are as good
    # (B, 2), of ending now, and behind one more id
    penalties = slots.penalties.unfold(1, 2, 1)[slots.row, fed]
    ended = torch.where(ends[:, :beam_size], best[:, :beam_size], -torch.inf) / penalties[:, :1]
    scores, rank = torch.cat([slots.scores, ended], 1).sort(dim=1, descending=True, stable=True)
    slots.ends.copy_(torch.cat([slots.ends, numbers], 1).gather(1, rank[:, :beam_size]))
    slots.scores.copy_(scores[:, :beam_size])
    # rules (a) and (b); without a live beam (b) holds
    first, worst = live[:, :1], scores[:, beam_size - 1 : beam_size]
    cannot_win = (scores[:, :1] >= first / penalties[:, 1:]) & (worst > -torch.inf)
    is_done = cannot_win | (scores.gather(1, slots.wanted) >= first / slots.last_penalty)
    slots.log_probs.copy_(live[:, :beam_size].masked_fill(is_done, -torch.inf))
    torch.clamp(next_ids, max=num_ids - 1, out=slots.next_ids)  # dead beams have any
    codes = beams[:, :beam_size] * vocab_size + ids[:, :beam_size]
    slots.steps.index_put_((slots.row, fed), torch.stack([next_ids, parents, codes], 1))
    fed.add_(slots.is_live)  # of who is done, nothing more is written down
    torch.logical_not(is_done[:, 0], out=slots.is_live)
    return parents
