"""The best continuations are those that sorting everything finds."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
import torch

from tests.translator.runtime.device.slot_values import DeviceBeams, Searched
from translator.config import DecodingOptions
from translator.runtime.device.step import SECTION, best_candidates, histories, rank_repeats_last
from translator.search.ngram_blocking import rank_repeats_last as rank_purely


@pytest.mark.parametrize(("beam_size", "count"), [(1, 1), (2, 4), (4, 8), (4, 40), (3, 200)])
@pytest.mark.parametrize("num_sections", [1, 3, 20])
def test_best_candidates_are_the_first_of_all(
    beam_size: int, count: int, num_sections: int
) -> None:
    generator = torch.Generator().manual_seed(beam_size + count + num_sections)
    log_probs = torch.randn(5 * beam_size, num_sections * SECTION, generator=generator)
    log_probs = (log_probs * 4).log_softmax(1)
    so_far = -10 * torch.rand(5, beam_size, generator=generator)
    so_far[2, 1:] = -torch.inf  # dead beams
    best, ids, beams = best_candidates(log_probs, so_far, count)
    totals = log_probs.view(5, beam_size, -1) + so_far[:, :, None]
    expected, places = totals.flatten(1).sort(dim=1, descending=True, stable=True)
    assert torch.equal(best, expected[:, :count])
    is_alive = best > -torch.inf
    assert torch.equal((beams * log_probs.size(1) + ids)[is_alive], places[:, :count][is_alive])


def test_a_greedy_sum_keeps_its_digits() -> None:
    so_far, log_probs = (
        torch.tensor([[-1e-12]], dtype=torch.float64),
        torch.full((1, SECTION), -2.0),
    )
    log_probs[0, 5] = -1.0
    best, ids, beams = best_candidates(log_probs, so_far, 1)
    assert (best.item(), ids.item(), beams.item()) == (-1.0 - 1e-12, 5, 0)


def said(generator: random.Random, length: int, beam_size: int) -> DeviceBeams:
    """Return searches for one sentence whose beams have said so many ids, and been written."""
    options = DecodingOptions(beam_size=beam_size, no_repeat_ngram_size=2)
    beams = DeviceBeams([Searched(options, length + 2)], 5, beam_size)
    slots = beams.slots
    slots.next_ids.fill_(4)
    for step in range(length + 1):
        written = slots.fed[0].item() * beam_size + torch.arange(beam_size)
        slots.past_mask[0].scatter_(1, written[:, None], 0.0)
        if step == length:
            break
        logits = torch.tensor([[generator.gauss(0, 1) for _ in range(5)] for _ in range(beam_size)])
        logits[:, 0] = -9.0  # no EOS
        before = beams.fed[0]
        beams.advance(logits.log_softmax(1)[None])
        parents = [before.index(one[:-1]) for one in beams.fed[0]]
        slots.past_mask.copy_(slots.past_mask[:, parents])
    return beams


@pytest.mark.parametrize("seed", range(6))
def test_beams_know_what_their_forebears_said(seed: int) -> None:
    beams = said(random.Random(seed), 6, 3)
    found = histories(beams.slots, 8)[0]
    assert [tuple(row[1:7]) for row in found.tolist()] == beams.fed[0]


@pytest.mark.parametrize("ngram_size", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_repeats_are_ranked_as_in_the_pure_search(seed: int, ngram_size: int) -> None:
    generator = random.Random(seed)
    length, beam_size = generator.randint(1, 9), 3
    beams = said(generator, length, beam_size)
    beams.slots.ngram_sizes.fill_(ngram_size)
    best = -torch.rand(1, 12, generator=torch.Generator().manual_seed(seed)).sort().values
    pairs = generator.sample([(k, i) for k in range(beam_size) for i in range(1, 5)], 12)
    chosen = torch.tensor(pairs)
    found = rank_repeats_last(
        beams.slots, length + 3, ngram_size, best, chosen[None, :, 1], chosen[None, :, 0]
    )
    expected = best[0].numpy().copy(), chosen[:, 1].numpy().copy(), chosen[:, 0].numpy().copy()
    rank_purely(np.array(beams.fed[0], np.int32), length, ngram_size, *expected)
    for one, other in zip(found, expected, strict=True):
        assert one[0].tolist() == other.tolist()
    assert all(one >= other for one, other in pairwise(found[0][0].tolist()))
