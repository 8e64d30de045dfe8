"""Slots: rows of other ages, room, leaving and continuing others."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from translator.runtime.eager.slots import ROOM_STEP, EagerSlots, SourceMemory


def memory(*lengths: int) -> SourceMemory:
    """Return memories whose keys and values are the length of the source; 2 heads of 3."""
    numbers, width = torch.tensor(lengths, dtype=torch.float32), max(lengths)
    keys_values = numbers[:, None, None, None, None].repeat(1, width, 2, 2, 3)
    mask = torch.arange(width) < numbers[:, None]
    allowed = torch.arange(9) < numbers[:, None]  # ids below the length of the source
    return SourceMemory([keys_values], mask[:, None, None], allowed)


def write(slots: EagerSlots, *values: float) -> Tensor:
    """Write one position in every row, as a step does; return what each sees as a mask."""
    slots.make_room()
    mask = slots.past_mask()
    given = torch.tensor([*map(float, values)])[:, None, None, None].expand(-1, 2, 2, 3)
    slots.write(0, given)
    slots.move_on()
    return mask


def seen(slots: EagerSlots, row: int) -> list[float]:
    """Return what a row has written or taken over."""
    past = slots._pasts[0][row, : int(slots.positions[row]), 1, 1, 2]
    return [float(value) for value in past]


def test_rows_that_began_at_other_times_write_at_their_own_positions() -> None:
    slots = EagerSlots(memory(4), 1)
    write(slots, 1)
    write(slots, 2)
    slots.join(memory(6, 2))
    mask = write(slots, 3, 10, 20)
    assert mask.sum(3).flatten().tolist() == [3, 1, 1], "a row sees its past and itself"
    assert [seen(slots, row) for row in range(3)] == [[1, 2, 3], [10], [20]]
    assert slots.memory.mask.sum(3).flatten().tolist() == [4, 6, 2]


def test_room_grows_when_it_is_full() -> None:
    slots = EagerSlots(memory(4, 4), 1)
    for step in range(2 * ROOM_STEP + 1):
        write(slots, step, -step)
    assert seen(slots, 0) == [*range(2 * ROOM_STEP + 1)]
    assert seen(slots, 1)[-1] == -2 * ROOM_STEP


def test_a_beam_that_continues_another_has_its_past() -> None:
    slots = EagerSlots(memory(4, 4), 2)
    write(slots, 1, 2, 3, 4)
    slots.reorder(np.array([[1, 1], [1, 0]]))
    write(slots, 5, 6, 7, 8)
    assert [seen(slots, row) for row in range(4)] == [[2, 5], [2, 6], [4, 7], [3, 8]]


def test_who_stays_takes_a_slot_in_front_and_needless_padding_goes() -> None:
    slots = EagerSlots(memory(3, 9, 5), 2)
    write(slots, 1, 2, 3, 4, 5, 6)
    slots.keep([2, 0])
    assert slots.memory.mask.sum(3).flatten().tolist() == [5, 3]
    assert slots.memory.keys_values[0].shape == (2, 5, 2, 2, 3)
    assert [seen(slots, row) for row in range(4)] == [[5], [6], [1], [2]]


def test_states_and_lists_go_with_their_rows() -> None:
    """Those of a recurrent decoder."""
    slots = EagerSlots(memory(4, 2), 2, 5)
    assert slots.state(0).shape == (4, 5)
    slots.set_state(0, torch.arange(4.0)[:, None].expand(4, 5))
    slots.reorder(np.array([[1, 1], [0, 1]]))
    assert slots.state(0)[:, 0].tolist() == [1, 1, 2, 3]
    slots.join(memory(3))
    slots.make_room()
    assert slots.state(0)[:, 4].tolist() == [1, 1, 2, 3, 0, 0]
    slots.keep([0, 2])
    assert slots.state(0)[:, 0].tolist() == [1, 1, 0, 0]
    assert slots.memory.allowed.sum(1).tolist() == [4, 3]
