"""One step of all sentences of a batch, from the ids that are fed to those that are fed next.

Its search is `search/search.py` rule for rule. Nothing is decided on the CPU: sentences that are
done, and slots that are free, have no live beam; all their continuations are at -inf, and nothing
about them changes.

Letters: B sentences of K beams, T positions of a target, C continuations, V pieces in M sections.
"""

from __future__ import annotations

import torch
from torch import Tensor

from translator.runtime.device.network import DeviceNetwork
from translator.runtime.device.slots import Bucket, Slots
from translator.search.ngram_blocking import EXTRA_CANDIDATES
from translator.search.search import IMPOSSIBLE, MOST_FORCED


def forced(slots: Slots, best: Tensor, ids: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Let sentences that may not choose yet have one continuation, which costs nothing.

    Return log-probabilities and ids, (B, C) as before, and which sentences these are (B, 1).
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
    """Extend every live beam by one id, in place; see `search/search.py` for the rules.

    `numbers` (B, K) int64 are step · K + rank of each of the best K continuations. The decoder can
    read `num_ids` ids, V at most. `best` (B, C) are log-probabilities in full, best first.
    `is_forced` (B, 1) bool are the sentences that may not choose yet, if there may be any. Return
    which beam each beam continues, (B, K) int64.
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


SECTION = 128
"""Pieces that are looked at together; V is a multiple of it."""


def best_candidates(log_probs: Tensor, so_far: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return what the search takes: the best continuations of each sentence, best first.

    The best C numbers lie in the C sections with the largest maxima. So all V are read once for
    their maxima, and only C sections are looked through: `topk` of all would read them five times.

    `log_probs` (B · K, V) are float32 of the next id, V a multiple of `SECTION`, and C is 1 if K
    is. Return log-probabilities in full, of the type of `so_far` (B, K); ids, and which beam each
    continues, int64: (B, C).
    """
    beam_size, vocab_size = so_far.size(1), log_probs.size(1)
    if beam_size == 1:
        best, ids = log_probs.max(1, keepdim=True)
        return so_far + best, ids, torch.zeros_like(ids)
    sections = log_probs.view(len(so_far), -1, SECTION)  # (B, K · M, SECTION)
    num_sections = vocab_size // SECTION
    maxima = sections.amax(2).view(*so_far.shape, num_sections) + so_far[:, :, None]
    few = min(count, beam_size * num_sections)
    _, chosen = maxima.flatten(1).topk(few, sorted=False)
    parts = sections.gather(1, chosen[:, :, None].expand(-1, -1, SECTION))
    parts = parts + so_far.gather(1, chosen // num_sections)[:, :, None]
    best, at = parts.flatten(1).topk(count)
    numbers = chosen.gather(1, at // SECTION) * SECTION + at % SECTION  # of beam and id together
    return best, numbers % vocab_size, numbers // vocab_size


def histories(slots: Slots, length: int) -> Tensor:
    """Return the ids (B, K, T) that the decoder has read of each beam and its forebears."""
    beam_size = slots.next_ids.size(1)
    masks = slots.past_mask[:, :, : length * beam_size]
    # (B, K, T), who of the beams wrote each position
    writers = masks.view(*masks.shape[:2], length, beam_size).argmax(3)
    said = slots.steps[:, : length - 1, 0]  # (B, T - 1, K), what each beam was to be fed next
    said = torch.cat([slots.next_ids[:, None], said], 1)  # what was fed first is never looked at
    return said.gather(2, writers.transpose(1, 2)).transpose(1, 2)


def rank_repeats_last(
    slots: Slots, length: int, most: int, best: Tensor, ids: Tensor, beams: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Rank the continuations that would repeat an n-gram behind all others, at -inf.

    A sentence that could not go on otherwise stays as it is; see `search/ngram_blocking.py`. The
    last of `length` positions has been written, `most` is the largest n, and `best`, `ids` and
    `beams` are (B, C), which are returned in the new order.
    """
    history, fed = histories(slots, length), slots.fed[:, None, None]
    places = torch.arange(length, device=fed.device)
    sizes = slots.ngram_sizes[:, None, None]
    # an n-gram that ends at a place: it begins with an id that the search has chosen
    is_same = (places <= fed) & (places - sizes >= slots.first[:, None, None]) & (sizes > 0)
    for back in range(most - 1):
        # its other ids, from the last but one, beside the last that was fed; a sentence that is
        # done may have been fed more than T
        at = (fed - back).clamp(min=0, max=length - 1)
        last = history.gather(2, at.expand(-1, history.size(1), 1))
        before = history[:, :, (places - 1 - back).clamp(min=0)]
        is_same = is_same & ((before == last) | (back >= sizes - 1))
    chosen = beams[:, :, None].expand(-1, -1, length)
    is_last = history.gather(1, chosen) == ids[:, :, None]
    is_blocked = (is_same.expand(history.shape).gather(1, chosen) & is_last).any(2)  # (B, C)
    is_stuck = (is_blocked | (best == -torch.inf)).all(1, keepdim=True)
    is_blocked = is_blocked & ~is_stuck
    order = is_blocked.to(torch.uint8).sort(dim=1, stable=True).indices
    ranked = best.masked_fill(is_blocked, -torch.inf)
    return ranked.gather(1, order), ids.gather(1, order), beams.gather(1, order)


def take_step(
    network: DeviceNetwork, slots: Slots, positions: Tensor, eos_id: int, bucket: Bucket
) -> None:
    """Take a step with the part of the slots that the bucket says, in place."""
    slots = slots.first_slots(bucket.sentences)
    beam_size, target = slots.next_ids.size(1), bucket.target
    numbers = torch.add(slots.beam_rows[0], slots.fed[:, None], alpha=beam_size)  # (B, K)
    slots.past_mask.scatter_(2, numbers[:, :, None], 0.0)
    logits = network.decode(slots, target, bucket.source, positions)
    if slots.allowed.size(1):
        logits = (logits.view(-1, beam_size, logits.size(1)) + slots.allowed[:, None]).flatten(0, 1)
    log_probs = logits.log_softmax(1, dtype=torch.float32)
    count = 1 if beam_size == 1 else 2 * beam_size
    count += EXTRA_CANDIDATES if bucket.ngram_size else 0
    found = best_candidates(log_probs, slots.log_probs, count)
    if bucket.ngram_size:
        found = rank_repeats_last(slots, target, bucket.ngram_size, *found)
    is_forced = None
    if bucket.is_forced:
        best, ids, is_forced = forced(slots, *found[:2])
        found = best, ids, found[2]
    parents = extend(
        slots, numbers, logits.size(1), network.plan.config.vocab_size, eos_id, *found, is_forced
    )
    if beam_size > 1:
        _continue_others(slots, target, parents)


def _continue_others(slots: Slots, target: int, parents: Tensor) -> None:
    beam_size = parents.size(1)
    rows = (slots.beam_rows[:, :1] + parents).flatten()
    masks = slots.past_mask[:, :, : target * beam_size]
    masks.copy_(masks.flatten(0, 1).index_select(0, rows).view(masks.shape))
    for past in slots.past:
        if past.dim() == 3:  # states; keys and values stay where they are
            past.copy_(past.flatten(0, 1).index_select(0, rows).view(past.shape))
