"""The best continuations of sentences, out of all log-probabilities.

Letters: B sentences of K beams, V pieces in M chunks, C continuations, T positions.
"""

from __future__ import annotations

import torch
from torch import Tensor

from translator.runtime.device.slots import Slots

CHUNK = 128
"""Pieces that are looked at together; V is a multiple of it."""


def best_candidates(log_probs: Tensor, so_far: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return what the search takes: the best continuations of each sentence, best first.

    The best C numbers lie in the C chunks with the largest maxima. So all V are read once for their
    maxima, and only C chunks are looked through: `topk` of all would read them five times.

    Args:
        log_probs: (B · K, V) float32 of the next id, V a multiple of `CHUNK`.
        so_far: (B, K), of the beams.
        count: C, which is 1 if K is.

    Returns:
        log-probabilities in full, of the type of `so_far`; ids, and which beam each continues,
        int64: (B, C).
    """
    beam_size, vocab_size = so_far.size(1), log_probs.size(1)
    if beam_size == 1:
        best, ids = log_probs.max(1, keepdim=True)
        return so_far + best, ids, torch.zeros_like(ids)
    chunks = log_probs.view(len(so_far), -1, CHUNK)  # (B, K · M, CHUNK)
    num_chunks = vocab_size // CHUNK
    maxima = chunks.amax(2).view(*so_far.shape, num_chunks) + so_far[:, :, None]
    few = min(count, beam_size * num_chunks)
    _, chosen = maxima.flatten(1).topk(few, sorted=False)
    parts = chunks.gather(1, chosen[:, :, None].expand(-1, -1, CHUNK))
    parts = parts + so_far.gather(1, chosen // num_chunks)[:, :, None]
    best, at = parts.flatten(1).topk(count)
    numbers = chosen.gather(1, at // CHUNK) * CHUNK + at % CHUNK  # of beam and id together
    return best, numbers % vocab_size, numbers // vocab_size


def histories(slots: Slots, length: int) -> Tensor:
    """Return the ids (B, K, T) that the decoder has read of each beam and its forebears.

    Args:
        slots: of B sentences, in which the last position has been written.
        length: T.
    """
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

    A sentence that could not go on otherwise stays as it is; see `search/ngram_blocking.py`.

    Args:
        slots: of B sentences, in which the last position has been written.
        length: T.
        most: the largest n of these sentences.
        best: (B, C) log-probabilities of the continuations, best first.
        ids: (B, C) their last ids.
        beams: (B, C) which beam each of them continues.

    Returns:
        the three of them in the new order.
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
