"""What is remembered of the sentences in hand."""

from __future__ import annotations

import numpy as np

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import at
from translator.runtime.compiled.memory.pool import Block, Pool
from translator.runtime.compiled.memory.slots import ROOM_STEP, CompiledSlots, SourceMemory
from translator.runtime.kernels.records import Int8Weights

pytestmark = NEEDS_INT8

BEAM, KEY_BYTES = 2, 64


def slots_with(*lengths: int, state_bytes: int = 0) -> CompiledSlots:
    pool = Pool()
    slots = CompiledSlots(pool, 1, KEY_BYTES, BEAM, Int8Weights.linear_type, state_bytes)
    slots.join([SourceMemory(Block(pool, 128), length, None) for length in lengths])
    return slots


def test_a_sentence_has_room_for_as_many_positions_as_its_source() -> None:
    slots = slots_with(5, 2 * ROOM_STEP)
    assert slots.sentences["room"].tolist() == [ROOM_STEP, 2 * ROOM_STEP]
    assert (slots.longest_source, slots.most_steps, slots.steps_left) == (2 * ROOM_STEP, 0, 16)


def test_those_that_stay_keep_what_is_theirs() -> None:
    slots = slots_with(5, 6, 7)
    pasts = slots.sentences["past"].tolist()
    slots.keep([0, 2])
    assert slots.sentences["source"].tolist() == [5, 7]
    assert slots.sentences["past"].tolist() == [pasts[0], pasts[2]]
    assert slots.longest_source == 7


def test_what_was_written_moves_into_a_larger_room() -> None:
    slots = slots_with(5)
    sentence = slots.sentences[0]
    before = at(int(sentence["past"]), np.uint8, 2, ROOM_STEP * BEAM * KEY_BYTES)
    before[:] = np.random.default_rng(0).integers(0, 255, before.shape)
    written = before.copy()
    beams = at(int(sentence["beams"]), np.int32, BEAM, ROOM_STEP)
    beams[:] = np.arange(BEAM * ROOM_STEP).reshape(BEAM, ROOM_STEP)
    expected = beams.copy()
    slots.sentences["steps"] = ROOM_STEP
    slots.move_on(ROOM_STEP)
    slots.make_room()
    room = int(slots.sentences[0]["room"])
    assert room > ROOM_STEP
    after = at(int(slots.sentences[0]["past"]), np.uint8, 2, room * BEAM * KEY_BYTES)
    assert (after[:, : written.shape[1]] == written).all()
    moved = at(int(slots.sentences[0]["beams"]), np.int32, BEAM, room)
    assert (moved[:, :ROOM_STEP] == expected).all()


def test_states_take_no_more_room_as_a_sentence_grows() -> None:
    short, long = slots_with(5, state_bytes=256), slots_with(500, state_bytes=256)
    gaps = [int(one.sentences[0]["beams"] - one.sentences[0]["past"]) for one in (short, long)]
    assert gaps == [2 * BEAM * 256] * 2
