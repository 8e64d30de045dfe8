"""What a hand refuses, and who has which slot; the search: `tests/invariants/test_device.py`."""

from __future__ import annotations

import pytest
import torch

from translator.config import DecodingOptions
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.device.hand import DeviceHand
from translator.runtime.device.model import DeviceModel

GREEDY = DecodingOptions(beam_size=1)


@pytest.fixture
def hand(model: Transformer) -> DeviceHand:
    return DeviceModel(arrange(model, (0, 1, 2))).hand(1, 2, 3)


@pytest.mark.parametrize(
    ("source", "limit", "options", "start", "message"),
    [
        ([4, 99_999, 3], 9, GREEDY, (), "source ids must be 1 or more in 0"),
        ([], 9, GREEDY, (), "source ids must be 1 or more in 0"),
        ([4, 3], 9, GREEDY, (-1,), "start ids must be 1 or more in 0"),
        ([4, 3], 9, GREEDY, (2,) * 6, "a start has 1 to 5 ids"),
        ([4, 3], 0, GREEDY, (), "a limit must be at least 1"),
        ([4, 3], 9, DecodingOptions(beam_size=2), (), "beam_size must be 1, got 2"),
    ],
)
def test_what_would_break_a_device_is_refused(
    hand: DeviceHand,
    source: list[int],
    limit: int,
    options: DecodingOptions,
    start: tuple[int, ...],
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        hand.join([[4, 9, 3], source], [9, limit], [GREEDY, options], [(), start])
    assert hand.advance(1, waits=False) == [], "no one has joined"


def test_a_source_without_end_may_fill_the_widest_slot(hand: DeviceHand) -> None:
    hand.join([[4, *[9] * 600, 3]], [9], [GREEDY], [()])
    while not hand.advance(1, waits=True):
        pass
    [found] = hand.results(0)
    assert len(found.ids) <= 9


def test_who_is_not_kept_leaves(hand: DeviceHand) -> None:
    hand.join([[4, 9, 3], [4, 8, 3], [4, 7, 3]], [50] * 3, [GREEDY] * 3, [()] * 3)
    hand.keep([2, 1])
    assert hand._slots is not None
    assert hand._slots.is_live.tolist()[:3] == [False, True, True]
    hand.join([[4, 6, 3]], [50], [GREEDY], [()])
    assert [one.slot for one in hand._sentences] == [2, 1, 0], "the first free slot is taken"


def test_free_slots_are_finite(hand: DeviceHand) -> None:
    """What is not a number in a free slot would spread to who comes next."""
    hand.join([[4, 9, 3]] * 3, [20] * 3, [GREEDY] * 3, [()] * 3)
    hand.keep([1])
    hand.advance(1, waits=True)
    assert hand._slots is not None
    for tensor in (*hand._slots.past, *hand._slots.memory):
        assert torch.isfinite(tensor).all()
