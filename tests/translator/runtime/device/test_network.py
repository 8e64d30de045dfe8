"""The network computes what the model computes, fed id by id."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch

from tests.translator.runtime.stepping import full
from translator.config import ModelConfig
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.device.buckets import Capacity
from translator.runtime.device.model import narrowed
from translator.runtime.device.network import ENCODED_AT_ONCE, DeviceNetwork, portions
from translator.runtime.device.slots import new_slots
from translator.runtime.plan import FORBIDDEN

SOURCE = [4, 9, 8, 7, 3]


@pytest.mark.parametrize("decoder", ["self_attention", "ssru"])
@pytest.mark.parametrize("norm", ["pre", "post"])
@torch.inference_mode()
def test_logits_are_those_of_the_model(model_config: ModelConfig, norm: Any, decoder: Any) -> None:
    torch.manual_seed(0)
    model = make_model(replace(model_config, norm=norm, decoder=decoder)).eval()
    plan = narrowed(arrange(model, ()), torch.float32)
    network, slots = DeviceNetwork(plan), new_slots(plan, Capacity(3, 16, 16), 1, torch.float32)
    src = torch.full((1, 16), 7)
    src[0, : len(SOURCE)] = torch.tensor(SOURCE)
    mask = torch.full((1, 16), FORBIDDEN)
    mask[0, : len(SOURCE)] = 0.0
    for kept, new in zip(slots.memory, network.encode(src, mask), strict=True):
        kept[1:2].copy_(new)
    slots.source_mask[1:2].copy_(mask)
    targets = [2, 8, 30, 5, 6, 7, 21]
    positions = network.positions(plan.target, 16)
    for place, piece_id in enumerate(targets):
        slots.fed.fill_(place)
        slots.next_ids.fill_(piece_id)
        slots.past_mask[:, 0, place] = 0.0
        logits = network.decode(slots, 16, 16, positions)
        assert logits.shape == (3, len(plan.output.weight))
        found = logits[1].log_softmax(0)[: model_config.vocab_size]
        expected = full(model, SOURCE, targets[: place + 1])
        torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)


def test_positions_behind_the_last_are_nothing(model_config: ModelConfig) -> None:
    learned = replace(model_config, positions="learned", max_positions=40)
    plan = arrange(make_model(learned).eval(), ())
    found = DeviceNetwork(plan).positions(plan.target, 64)
    assert found.shape == (64, model_config.d_model)
    assert found[39].any()
    assert not found[40:].any()


def test_sources_of_like_lengths_are_read_together() -> None:
    assert [*portions([])] == []
    assert [*portions([5])] == [slice(0, 1)]
    assert [*portions([20, 8, 2])] == [slice(0, 3)], "short ones are all alike"
    assert [*portions([100, 80, 76, 74, 60, 50])] == [slice(0, 3), slice(3, 5), slice(5, 6)]
    many = [*portions([128] * 600)]
    assert [128 * (one.stop - one.start) for one in many] == [ENCODED_AT_ONCE] * 2 + [
        600 * 128 - 2 * ENCODED_AT_ONCE
    ]
