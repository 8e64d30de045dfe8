"""Slots: growth, companions of other ages, reordering, leaving, and all of it at once."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import torch

from tests.translator.runtime.torchscript.test_inference import SOURCES, full, log_probs
from translator.model.transformer import Transformer
from translator.runtime.torchscript.inference import InferenceModel
from translator.runtime.torchscript.kv_cache import (
    LOWEST,
    FloatMemory,
    FloatSlots,
    in_blocks,
    length_mask,
)


def memory(*lengths: int) -> FloatMemory:
    """Memories whose keys and values are the number of the sentence; 2 heads of 3."""
    batch, longest = len(lengths), in_blocks(max(lengths))
    numbers = torch.arange(1.0, batch + 1)[:, None, None, None]
    shapes = (batch, 2, 3, longest), (batch, 2, longest, 3)
    return FloatMemory(
        lengths, [(numbers.repeat(1, *shapes[0][1:]), numbers.repeat(1, *shapes[1][1:]))]
    )


def write(slots: FloatSlots, value: float) -> None:
    """Write one position in every row, as a step of the decoder does."""
    slots.make_room()
    places = slice(slots.width, slots.width + slots.beam_size)
    slots.caches[0][:, :, :, places] = value
    if slots.mask is not None:
        slots.mask[:, :, places].diagonal(0, 1, 2).zero_()
    slots.move_on()


def values(slots: FloatSlots, sentence: int, beam: int = 0) -> list[float]:
    """Return what one row sees."""
    written = slots.caches[0][1, sentence, 1, : slots.width, 2]
    if slots.mask is None:
        return [float(value) for value in written]
    return [float(v) for v in written[slots.mask[sentence, beam, : slots.width] == 0]]


@pytest.mark.parametrize("beam_size", [1, 3])
def test_room_grows_when_full_and_keeps_what_was_written(beam_size: int) -> None:
    slots = FloatSlots(memory(4, 4), beam_size)
    for step in range(40):
        write(slots, step)
    assert values(slots, 1, beam_size - 1) == list(range(40))


def test_sentences_that_began_together_need_no_mask() -> None:
    slots = FloatSlots(memory(16, 16), beam_size=1)
    write(slots, 1.0)
    assert slots.mask is None
    assert slots.memory_mask is None


@pytest.mark.parametrize("beam_size", [1, 2])
def test_a_newcomer_sees_nothing_of_what_was_before_it(beam_size: int) -> None:
    slots = FloatSlots(memory(16, 16), beam_size)
    for step in range(3):
        write(slots, step + 1)
    slots.keep([1])
    slots.join(memory(14))
    assert slots.positions.tolist() == [3, 0]
    write(slots, 9)
    assert values(slots, 0, beam_size - 1) == [1, 2, 3, 9]
    assert values(slots, 1, beam_size - 1) == [9]
    assert torch.isfinite(slots.caches[0][:, :, :, : slots.width]).all()
    assert slots.memory_mask is not None
    assert slots.memory_mask[:, 0, 0].tolist() == [[0.0] * 16, [0.0] * 14 + [LOWEST] * 2]


def test_the_past_is_forgotten_when_those_who_have_it_leave() -> None:
    slots = FloatSlots(memory(19), beam_size=1)
    for step in range(5):
        write(slots, step)
    slots.join(memory(17))
    write(slots, 5)
    slots.keep([1])
    assert (slots.longest, slots.num_sentences, slots.memory.lengths) == (1, 1, (17,))
    assert values(slots, 0) == [5]
    for step in range(6, 150):
        write(slots, step)
    assert (slots.width, slots.mask) == (145, None), "one that is alone needs none"
    assert values(slots, 0) == list(range(5, 150))


def test_a_beam_that_continues_another_has_its_past_and_the_rest_is_cleared_away() -> None:
    slots = FloatSlots(memory(4, 4), beam_size=2)
    for step in range(2):
        write(slots, 0)
        slots.caches[0][:, :, :, 2 * step] = torch.tensor([10 + step, 20 + step])[:, None, None]
    slots.reorder(np.array([[0, 0], [1, 0]]))
    assert (values(slots, 0, 0), values(slots, 0, 1)) == ([10, 11], [10, 11])
    assert (values(slots, 1, 0), values(slots, 1, 1)) == ([0, 0], [20, 21])
    slots.keep([0])
    for step in range(2, 100):
        write(slots, step)
    assert slots.width == 2 * 100 - 2, "of four places no one sees two"
    for beam in (0, 1):
        assert values(slots, 0, beam) == [10, 11, *range(2, 100)]


def test_one_who_joins_takes_a_free_slot_and_no_one_else_moves() -> None:
    slots = FloatSlots(memory(17, 16, 14, 13, 12, 11), beam_size=1)
    write(slots, 1)
    slots.keep([0, 5, 2, 3])
    before = slots.caches[0].data_ptr()
    slots.join(memory(12))
    assert slots.caches[0].data_ptr() == before
    assert slots.memory.lengths == (17, 11, 14, 13, 12)
    found = slots.memory.keys_values[0]
    assert found[0][:, 0, 0, 0].tolist() == found[1][:, 0, 0, 0].tolist() == [1, 6, 3, 4, 1]
    assert values(slots, 1) == [1]
    assert values(slots, 4) == []
    assert torch.isfinite(slots.caches[0][:, :, :, : slots.width]).all()
    slots.keep([1, 2, 3])
    assert slots.memory.keys_values[0][0].shape == (3, 2, 3, 16), "without needless padding"


@pytest.mark.parametrize("beam_size", [1, 2])
def test_many_who_join_are_worth_the_moving_of_all(beam_size: int) -> None:
    slots = FloatSlots(memory(17, 16, 14), beam_size)
    for step in range(3):
        write(slots, step)
    slots.keep([0, 2])
    slots.join(memory(40, 3))
    expected = [[1] * 32 + [0] * 16, [3] * 32 + [0] * 16, [1] * 48, [2] * 48]
    keys, added = slots.memory.keys_values[0]
    assert keys[:, 0, 0].tolist() == added[:, 0, :, 0].tolist() == expected
    write(slots, 3)
    assert [values(slots, place, beam_size - 1) for place in range(4)] == [[0, 1, 2, 3]] * 2 + [
        [3]
    ] * 2
    assert torch.isfinite(slots.caches[0][:, :, :, : slots.width]).all()


def test_masks() -> None:
    cpu = torch.device("cpu")
    assert length_mask([16, 16], 16, cpu) is None
    short = length_mask([3, 3], 16, cpu)
    assert short is not None
    assert short.flatten(1).tolist() == [[0.0] * 3 + [LOWEST] * 13] * 2


@torch.inference_mode()
@pytest.mark.parametrize("seed", range(4))
def test_joining_leaving_and_reordering_together(
    model: Transformer, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = random.Random(seed)
    inference = InferenceModel(model)
    # what is not written is not read: memory that is not cleared may hold anything
    monkeypatch.setattr(torch.Tensor, "new_empty", lambda x, *shape: x.new_full(shape, math.nan))
    monkeypatch.setattr(torch, "empty", lambda shape, device: torch.full(shape, math.nan))
    slots = FloatSlots(inference.encode(SOURCES), beam_size=2)
    sources, histories = list(SOURCES), [[2] for _ in range(6)]
    for step in range(30):
        found = log_probs(inference, [h[-1] for h in histories], slots, 2)
        for row, history in enumerate(histories):
            expected = full(model, sources[row // 2], history)
            torch.testing.assert_close(found[row], expected, atol=1e-4, rtol=1e-4)
        rows = [2 * (row // 2) + generator.randrange(2) for row in range(len(histories))]
        slots.reorder(np.array(rows).reshape(-1, 2) % 2)
        histories = [[*histories[row], generator.randrange(4, 300)] for row in rows]
        if step % 4 == 3:
            keep = [place for place in range(len(sources)) if generator.random() < 0.6] or [0]
            if len(keep) > 2:  # the last one fills a gap
                keep[1:2], keep[-1:] = keep[-1:], []
            newcomers = [[4, *range(10, 10 + generator.randrange(12)), 3] for _ in range(step % 3)]
            slots.keep(keep)
            if newcomers:
                slots.join(inference.encode(newcomers))
            histories = [histories[2 * place + beam] for place in keep for beam in range(2)]
            histories += [[2] for _ in range(2 * len(newcomers))]
            sources = [sources[place] for place in keep] + newcomers
