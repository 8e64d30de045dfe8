"""Several steps at once are as many steps one by one."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tests.cpu import NEEDS_VNNI
from tests.translator.model.int8.test_model import OUTPUTS, SPECIAL, answers, random_sources
from translator.config import DecodingOptions
from translator.decoding.beam import BeamSearch
from translator.decoding.int8_steps import ROWS_IN_A_TURN, Int8Steps
from translator.decoding.running_batch import decode_batch
from translator.model.int8.model import Int8Model
from translator.model.int8.slots import Slots
from translator.model.transformer import Transformer

pytestmark = NEEDS_VNNI


@pytest.fixture
def decided(model: Transformer) -> Transformer:
    """Return a model that ends sentences at various lengths."""
    with torch.no_grad():
        model.embedding.weight[3] *= 3
    return model


@pytest.mark.parametrize(
    "options",
    [
        {"beam_size": 1},
        {"beam_size": 4, "num_hypotheses": 3},
        {"beam_size": 5, "length_penalty": "gnmt", "no_repeat_ngram_size": 2},
        {"beam_size": 40},
    ],
)
@torch.inference_mode()
def test_several_steps_are_as_many_single_ones(
    decided: Transformer, options: dict[str, Any]
) -> None:
    own = DecodingOptions(**options)
    several = Int8Steps(decided, SPECIAL.forbidden_ids, outputs=OUTPUTS)
    single = Int8Model(decided, SPECIAL.forbidden_ids, outputs=OUTPUTS)
    sources = random_sources(24)
    for count in (1, 2, 3):
        for first in range(0, len(sources), count):
            some = sources[first : first + count]
            expected = decode_batch(single, some, own, SPECIAL)
            assert answers(decode_batch(several, some, own, SPECIAL)) == answers(expected)


def begun(model: Int8Steps, count: int, beam_size: int, limit: int) -> tuple[BeamSearch, Slots]:
    """Let sentences begin that may have `limit` ids each."""
    search = BeamSearch(beam_size, SPECIAL.bos_id, SPECIAL.eos_id)
    search.add([limit] * count, [DecodingOptions(beam_size=beam_size)] * count)
    return search, model.slots(model.encode([[4, 10, 11, 3]] * count), beam_size)


@pytest.mark.parametrize(("count", "beam_size"), [(1, 1), (1, 4), (2, 4), (3, 4), (9, 4), (1, 64)])
@torch.inference_mode()
def test_there_are_as_many_steps_as_have_rows_for_one_turn(
    model: Transformer, count: int, beam_size: int
) -> None:
    with torch.no_grad():
        model.embedding.weight[3] = 0  # sentences that hardly end
    ours = Int8Steps(model, SPECIAL.forbidden_ids)
    search, slots = begun(ours, count, beam_size, 100)
    assert ours.advance(search, slots) == []
    expected = max(1, ROWS_IN_A_TURN // (count * beam_size))
    room = 16  # of a source this short
    assert slots.most_steps == min(expected, room) == len(search.ids(0, 0))


@torch.inference_mode()
def test_the_steps_end_with_the_first_sentence_that_is_done(model: Transformer) -> None:
    ours = Int8Steps(model, SPECIAL.forbidden_ids)
    search, slots = begun(ours, 1, 4, limit=3)
    assert ours.advance(search, slots) == [0]
    assert slots.most_steps == 3


@torch.inference_mode()
def test_ids_that_do_not_exist_are_refused(model: Transformer) -> None:
    ours = Int8Steps(model, SPECIAL.forbidden_ids)
    search, slots = begun(ours, 1, 2, limit=9)
    search.next_ids[:] = model.config.vocab_size
    with pytest.raises(ValueError, match=r"ids must be in 0\.\."):
        ours.advance(search, slots)
