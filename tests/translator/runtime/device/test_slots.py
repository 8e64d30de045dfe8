"""Slots are moved, stopped and taken over without a look at what they hold."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.translator.runtime.device.slot_values import tiny_plan
from translator.config import ModelConfig
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.device.buckets import Capacity
from translator.runtime.device.slots import Slots, new_slots, slot_bytes
from translator.runtime.plan import Plan
from translator.tokens.shortlist import Shortlist


def numbered(slots: Slots) -> Slots:
    """Let every number that a slot remembers be that of the slot."""
    for tensor in slots.tensors():
        numbers = torch.arange(len(tensor)).view(-1, *[1] * (tensor.dim() - 1))
        tensor.copy_(numbers.expand(tensor.shape))
    return slots


def made(capacity: Capacity, plan: Plan | None = None) -> Slots:
    return new_slots(plan or tiny_plan(), capacity, 2, torch.float32)


def test_slots_are_moved_and_the_others_stay() -> None:
    slots = numbered(made(Capacity(5, 4, 3)))
    slots.move([4, 3], [0, 1])
    for tensor in slots.tensors():
        first = tensor.flatten(1)[:, 0] if tensor.dim() > 1 and tensor[0].numel() else None
        if first is not None:
            assert first.tolist() == [4, 3, 2, 3, 4]
    assert slots.row.tolist() == [0, 1, 2, 3, 4], "a number is that of a place"


def test_who_is_stopped_has_no_live_beam() -> None:
    slots = made(Capacity(3, 4, 3))
    slots.is_live.fill_(True)
    slots.log_probs.zero_()
    slots.stop([1])
    assert slots.is_live.tolist() == [True, False, True]
    assert slots.log_probs.tolist() == [[0, 0], [-torch.inf, -torch.inf], [0, 0]]


@pytest.mark.parametrize("capacity", [Capacity(6, 8, 9), Capacity(3, 2, 2)])
def test_other_sizes_take_over_what_fits(capacity: Capacity) -> None:
    old, new = numbered(made(Capacity(4, 4, 3))), made(capacity)
    new.take_over(old, 3)
    assert new.fed[:3].tolist() == [0, 1, 2]
    assert new.memory[0][:3, :2].flatten(1)[:, -1].tolist() == [0, 1, 2]
    assert new.past[0][:3, :2].flatten(1)[:, -1].tolist() == [0, 1, 2]
    assert new.past_mask[:3, :, :4].flatten(1)[:, -1].tolist() == [0, 1, 2]
    if capacity.sentences > 3:
        assert new.fed[3:].tolist() == [0, 0, 0], "no more than are wanted"


def test_views_share_their_memory() -> None:
    slots = made(Capacity(4, 4, 3))
    slots.first_slots(2).fed.add_(1)
    assert slots.fed.tolist() == [1, 1, 0, 0]
    shapes = {len(one) for one in slots.first_slots(2).tensors()}
    assert shapes == {2}


def test_fields_are_all_there() -> None:
    names = {field.name for field in dataclasses.fields(Slots)}
    assert {"row", "beam_rows"} < names
    slots = made(Capacity(2, 4, 3))
    assert len(slots.tensors()) == len(names) - 2  # one layer


@pytest.mark.parametrize("decoder", ["self_attention", "ssru"])
@pytest.mark.parametrize("has_list", [False, True])
def test_memory_is_told_beforehand(decoder: Any, has_list: bool, model_config: ModelConfig) -> None:
    torch.manual_seed(0)
    plan = arrange(make_model(replace(model_config, decoder=decoder)).eval(), ())
    if has_list:
        ids = np.zeros(1, np.int32)
        starts = np.zeros(model_config.vocab_size + 1, np.int32)
        plan = replace(plan, shortlist=Shortlist(ids, starts, ids))
    capacity = Capacity(8, 64, 128)
    slots = new_slots(plan, capacity, 4, torch.bfloat16)
    actual = sum(one.nbytes for one in slots.tensors())
    assert slot_bytes(plan, capacity, 4, torch.bfloat16) == pytest.approx(actual, rel=0.03)
