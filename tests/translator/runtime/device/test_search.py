"""The search on a device finds what the pure search finds, to the last bit of a score."""

from __future__ import annotations

import itertools
import random

import pytest
import torch

from tests.translator.runtime.device.slot_values import DeviceBeams, Searched
from tests.translator.search.dense import advance
from tests.translator.search.test_search import PENALTIES, ToyModel, begin, feed
from translator.config import DecodingOptions
from translator.runtime.device.step import forced
from translator.search.hypothesis import Hypothesis


def random_options(generator: random.Random, beam_size: int) -> DecodingOptions:
    return DecodingOptions(
        beam_size=beam_size,
        num_hypotheses=generator.randint(1, beam_size),
        length_penalty=generator.choice(PENALTIES),
        alpha=generator.choice([0.0, 0.6, 1.0, 2.0]),
    )


def pure(model: ToyModel, wanted: Searched) -> tuple[list[Hypothesis], int]:
    """Return what the pure search finds, and how many steps it takes."""
    sentence = begin(wanted.limit, wanted.options)
    for steps in itertools.count():
        if sentence.is_done:
            return sentence.results(), steps
        advance(sentence, feed(model, sentence))
    raise AssertionError


@pytest.mark.parametrize("beam_size", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", range(8))
def test_it_finds_what_the_pure_search_finds(beam_size: int, seed: int) -> None:
    generator = random.Random(seed)
    vocab_size = generator.randint(2, 7)
    models = [
        ToyModel(100 * seed + number, vocab_size, eos_bias=generator.choice([-2.0, 0.0, 1.0]))
        for number in range(12)
    ]
    wanted = [
        Searched(random_options(generator, beam_size), generator.randint(1, 9)) for _ in models
    ]
    beams = DeviceBeams(wanted, vocab_size, beam_size)
    while not beams.is_done:
        rows = [
            torch.stack([model.log_probs(prefix) for prefix in fed])
            for model, fed in zip(models, beams.fed, strict=True)
        ]
        beams.advance(torch.stack(rows))
    for model, one, found, sentence in zip(
        models, wanted, beams.results(), beams.sentences, strict=True
    ):
        expected, steps = pure(model, one)
        assert [(h.ids, h.finish_reason) for h in found] == [
            (h.ids, h.finish_reason) for h in expected
        ]
        assert [h.score for h in found] == [h.score for h in expected]
        assert [h.log_prob for h in found] == pytest.approx([h.log_prob for h in expected])
        assert sentence.age == steps, "it ends at the same step"


def test_company_that_is_done_and_free_slots_stay_as_they_are() -> None:
    options = DecodingOptions(beam_size=2, num_hypotheses=2)
    beams = DeviceBeams([Searched(options, 1), Searched(options, 6)], 4, 2)
    model = ToyModel(1, eos_bias=-3.0)
    beams.advance(model.log_probs(()).expand(2, 2, 4))
    assert beams.slots.is_live.tolist() == [False, True]
    before = [one[0].clone() for one in (beams.slots.scores, beams.slots.ends, beams.slots.fed)]
    written = beams.slots.steps[0, 0].clone()
    for _ in range(3):
        beams.advance(torch.stack([model.log_probs(p) for p in beams.fed[1]]).expand(2, 2, 4))
    after = [one[0] for one in (beams.slots.scores, beams.slots.ends, beams.slots.fed)]
    assert all(torch.equal(one, other) for one, other in zip(before, after, strict=True))
    assert torch.equal(beams.slots.steps[0, 0], written)


def test_what_is_not_a_number_is_never_taken() -> None:
    """A model that is broken ends with nothing, as in the pure search."""
    beams = DeviceBeams([Searched(DecodingOptions(beam_size=2), 5)], 4, 2)
    beams.advance(torch.full((1, 2, 4), torch.nan))
    assert beams.is_done
    [[found]] = beams.results()
    assert (found.ids, found.score) == ((), -torch.inf)


def test_who_may_not_choose_has_one_continuation_that_costs_nothing() -> None:
    beams = DeviceBeams([Searched(DecodingOptions(beam_size=2), 5)] * 2, 9, 2)
    beams.slots.first[0] = 1
    beams.slots.forced[0, 0] = 7
    best, ids = torch.tensor([[-1.0, -2.0]] * 2), torch.tensor([[3, 4]] * 2)
    found, chosen, is_forced = forced(beams.slots, best, ids)
    assert is_forced.tolist() == [[True], [False]]
    assert found.tolist() == [[0.0, -torch.inf], [-1.0, -2.0]]
    assert (chosen[0, 0].item(), chosen[1].tolist()) == (7, [3, 4])
