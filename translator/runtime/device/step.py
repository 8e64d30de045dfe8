"""One step of all sentences in hand, from the ids that are fed to those that are fed next.

Nothing in it depends on what the numbers are, so that a GPU can do it without the CPU.

Letters: B sentences of K beams, T positions of a target, C continuations, V pieces.
"""

from __future__ import annotations

import torch
from torch import Tensor

from translator.runtime.device.buckets import Bucket
from translator.runtime.device.candidates import best_candidates, rank_repeats_last
from translator.runtime.device.network import DeviceNetwork
from translator.runtime.device.search import extend, forced
from translator.runtime.device.slots import Slots
from translator.search.ngram_blocking import EXTRA_CANDIDATES


def take_step(
    network: DeviceNetwork, slots: Slots, positions: Tensor, eos_id: int, bucket: Bucket
) -> None:
    """Take a step.

    Args:
        network: the model.
        slots: of the sentences; all that changes, changes in them.
        positions: vectors of the decoder's positions.
        eos_id: id that ends a sentence.
        bucket: which part of the slots is looked at.
    """
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
    """Let beams have the past of those that they continue."""
    beam_size = parents.size(1)
    rows = (slots.beam_rows[:, :1] + parents).flatten()
    masks = slots.past_mask[:, :, : target * beam_size]
    masks.copy_(masks.flatten(0, 1).index_select(0, rows).view(masks.shape))
    for past in slots.past:
        if past.dim() == 3:  # states; keys and values stay where they are
            past.copy_(past.flatten(0, 1).index_select(0, rows).view(past.shape))
