"""Slots: growth, companions of other ages, reordering, leaving, and all of it at once."""

from __future__ import annotations

import random

import pytest
import torch

from tests.translator.model.test_inference import SOURCES, full, log_probs
from translator.model.inference import InferenceModel
from translator.model.kv_cache import Memory, Slots, join, length_mask, rows_of
from translator.model.transformer import Transformer

LOWEST = torch.finfo(torch.float32).min


def memory(*lengths: int) -> Memory:
    """Memories whose keys and values are the number of the sentence; 2 heads of 3."""
    batch, longest = len(lengths), max(lengths)
    numbers = torch.arange(1.0, batch + 1)[:, None, None, None]
    return Memory(
        lengths, [(numbers.expand(batch, 2, 3, longest), numbers.expand(batch, 2, longest, 3))]
    )


def write(slots: Slots, value: float) -> None:
    """Write one position in every row, as a step of the decoder does."""
    slots.make_room()
    slots.caches[0][:, :, :, slots.time] = value
    slots.time += 1


def test_room_grows_when_full_and_keeps_what_was_written() -> None:
    slots = Slots(memory(4, 4), beam_size=1, room=1)
    for step in range(40):
        write(slots, step)
    assert slots.caches[0].size(3) >= 40
    assert slots.caches[0][0, 1, 0, :40, 2].tolist() == list(range(40))


def test_sentences_that_began_together_need_no_mask() -> None:
    slots = Slots(memory(4, 4), beam_size=2)
    write(slots, 1.0)
    assert slots.mask() is None
    assert slots.memory_mask is None


def test_a_newcomer_sees_nothing_of_what_was_before_it() -> None:
    slots = Slots(memory(4, 4), beam_size=2)
    for step in range(3):
        write(slots, step + 1)
    slots.rebuild([1], memory(2))
    mask = slots.mask()
    assert mask is not None
    assert mask[:, 0, 0].tolist() == [[0.0] * 4] * 2 + [[LOWEST] * 3 + [0.0]] * 2
    assert slots.caches[0][0, :, 0, :3, 0].tolist() == [[1, 2, 3]] * 2 + [[0, 0, 0]] * 2
    assert slots.row_lengths().tolist() == [3, 3, 0, 0]
    assert slots.memory_mask is not None
    assert slots.memory_mask[:, 0, 0].tolist() == [[0.0] * 4, [0.0, 0.0, LOWEST, LOWEST]]


def test_the_past_is_forgotten_when_those_who_have_it_leave() -> None:
    slots = Slots(memory(4), beam_size=1)
    for step in range(5):
        write(slots, step)
    slots.rebuild([0], memory(3))
    write(slots, 5)
    slots.rebuild([1])
    assert (slots.time, slots.starts, slots.num_sentences) == (1, [0], 1)
    assert slots.caches[0][0, 0, 0, 0, 0] == 5
    assert slots.mask() is None
    assert slots.memory.lengths == (3,)
    assert slots.memory.keys_values[0][0].size(3) == 3


def test_rows_continue_others() -> None:
    slots = Slots(memory(4, 4), beam_size=2)
    slots.make_room()
    slots.caches[0][:, :, :, 0] = torch.arange(4.0)[:, None, None]
    slots.time = 1
    slots.reorder(torch.tensor([1, 0, 2, 2]))
    assert slots.caches[0][1, :, 1, 0, 2].tolist() == [1, 0, 2, 2]


def test_joining_memories_pads_the_shorter() -> None:
    both = join(memory(2, 1), memory(3))
    assert both.lengths == (2, 1, 3)
    assert both.keys_values[0][0][:, 0, 0].tolist() == [[1, 1, 0], [2, 2, 0], [1, 1, 1]]
    assert both.keys_values[0][1][:, 0, :, 0].tolist() == [[1, 1, 0], [2, 2, 0], [1, 1, 1]]
    assert both.select([1]).keys_values[0][0].tolist() == [[[[2]] * 3] * 2]


def test_masks_and_rows() -> None:
    assert length_mask([3, 3], torch.device("cpu")) is None
    assert rows_of([2, 0], 3).tolist() == [6, 7, 8, 0, 1, 2]
    assert rows_of([], 3).tolist() == []


@torch.inference_mode()
@pytest.mark.parametrize("seed", range(4))
def test_joining_leaving_and_reordering_together(model: Transformer, seed: int) -> None:
    generator = random.Random(seed)
    inference = InferenceModel(model)
    slots = Slots(inference.encode(SOURCES), beam_size=2, room=1)
    sources, histories = list(SOURCES), [[2] for _ in range(6)]
    for step in range(30):
        found = log_probs(inference, torch.tensor([h[-1] for h in histories]), slots)
        for row, history in enumerate(histories):
            expected = full(model, sources[row // 2], history)
            torch.testing.assert_close(found[row], expected, atol=1e-4, rtol=1e-4)
        rows = [2 * (row // 2) + generator.randrange(2) for row in range(len(histories))]
        slots.reorder(torch.tensor(rows))
        histories = [[*histories[row], generator.randrange(4, 300)] for row in rows]
        if step % 4 == 3:
            keep = [place for place in range(len(sources)) if generator.random() < 0.6] or [0]
            newcomers = [[4, *range(10, 10 + generator.randrange(12)), 3] for _ in range(step % 3)]
            slots.rebuild(keep, inference.encode(newcomers) if newcomers else None)
            histories = [histories[row] for row in rows_of(keep, 2).tolist()]
            histories += [[2] for _ in range(2 * len(newcomers))]
            sources = [sources[place] for place in keep] + newcomers
