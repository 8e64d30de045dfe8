"""Several steps at once are as many steps one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.compiled.test_model import SPECIAL, answers, random_sources
from translator.config import DecodingOptions, ModelConfig
from translator.engine.running_batch import ALL_ROWS, RunningBatch
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled.memory.slots import CompiledSlots
from translator.runtime.compiled.steps import CompiledRuntime
from translator.search.beam import BeamSearch
from translator.search.hypothesis import Hypothesis

pytestmark = NEEDS_INT8


@pytest.fixture(params=["self_attention", "ssru"])
def model(model_config: ModelConfig, request: pytest.FixtureRequest) -> Transformer:
    torch.manual_seed(0)
    return make_model(replace(model_config, decoder=request.param)).eval()


@pytest.fixture
def decided(model: Transformer) -> Transformer:
    """Return a model that ends sentences at various lengths."""
    with torch.no_grad():
        model.embedding.weight[3] *= 3
    return model


def one_by_one(
    model: CompiledRuntime, sources: list[list[int]], options: DecodingOptions
) -> list[list[Hypothesis]]:
    """Translate with a call of the model for every step of a sentence, and a search in Python."""
    found = []
    for source in sources:
        search = BeamSearch(options.beam_size, SPECIAL.bos_id, SPECIAL.eos_id)
        search.add([options.max_length(len(source))], [options])
        slots, done = model.slots(model.encode([source]), options.beam_size), list[int]()
        while not done:
            so_far = None if options.beam_size == 1 else search.log_probs
            best = model.step(search.next_ids, slots, search.num_candidates, so_far)
            done = search.extend(*best)
            slots.reorder(search.parents)
        found.append(search.results(0))
    return found


@pytest.mark.parametrize(
    "options",
    [
        {"beam_size": 1},
        {"beam_size": 4, "num_hypotheses": 3},
        {"beam_size": 5, "length_penalty": "gnmt", "no_repeat_ngram_size": 2},
        {"beam_size": 40},
    ],
)
@pytest.mark.parametrize("turn_rows", [0, 20, ALL_ROWS])
@pytest.mark.parametrize("waits", [False, True])
@torch.inference_mode()
def test_several_steps_are_as_many_single_ones(
    decided: Transformer,
    options: dict[str, Any],
    turn_rows: int,
    waits: bool,
) -> None:
    own = DecodingOptions(**options)
    several = CompiledRuntime(arrange(decided, SPECIAL.forbidden_ids))
    sources = random_sources(12)
    expected = dict(enumerate(one_by_one(several, sources, own)))
    batch, found = RunningBatch[int](several, own.beam_size, SPECIAL), dict[int, Any]()
    while len(found) < len(sources):
        new = range(len(found) + len(batch), min(len(sources), len(found) + 4))
        if new:
            batch.admit(new, [sources[key] for key in new], [own] * len(new))
        found |= dict(batch.step(turn_rows, waits))
    assert answers([found[key] for key in expected]) == answers(list(expected.values()))


def begun(
    model: CompiledRuntime, limits: list[int], beam_size: int
) -> tuple[BeamSearch, CompiledSlots]:
    """Let sentences begin that may have so many ids each."""
    search = BeamSearch(beam_size, SPECIAL.bos_id, SPECIAL.eos_id)
    search.add(limits, [DecodingOptions(beam_size=beam_size)] * len(limits))
    return search, model.slots(model.encode([[4, 10, 11, 3]] * len(limits)), beam_size)


@pytest.mark.parametrize(("count", "beam_size"), [(1, 1), (1, 4), (2, 4), (3, 4), (9, 4), (1, 64)])
@torch.inference_mode()
def test_there_are_as_many_steps_as_have_rows_for_one_turn(
    model: Transformer, count: int, beam_size: int
) -> None:
    with torch.no_grad():
        model.embedding.weight[3] = 0  # sentences that hardly end
    ours = CompiledRuntime(arrange(model, SPECIAL.forbidden_ids))
    search, slots = begun(ours, [100] * count, beam_size)
    assert ours.advance(search, slots, 32, waits=True) == []
    expected = max(1, 32 // (count * beam_size))
    room = 16  # of a source this short
    assert slots.most_steps == min(expected, room) == len(search.ids(0, 0))


@pytest.mark.parametrize(("waits", "done", "num_steps"), [(False, [1], 3), (True, [1, 0], 5)])
@torch.inference_mode()
def test_who_is_done_waits_or_ends_the_turn(
    model: Transformer, waits: bool, done: list[int], num_steps: int
) -> None:
    with torch.no_grad():
        model.embedding.weight[3] = 0
    ours = CompiledRuntime(arrange(model, SPECIAL.forbidden_ids))
    search, slots = begun(ours, [5, 3], 2)
    assert ours.advance(search, slots, ALL_ROWS, waits) == done
    assert slots.most_steps == num_steps


@torch.inference_mode()
def test_ids_that_do_not_exist_are_refused(model: Transformer) -> None:
    ours = CompiledRuntime(arrange(model, SPECIAL.forbidden_ids))
    search, slots = begun(ours, [9], 2)
    search.next_ids[:] = model.config.vocab_size
    with pytest.raises(ValueError, match=r"ids must be in 0\.\."):
        ours.advance(search, slots, 1, waits=False)
