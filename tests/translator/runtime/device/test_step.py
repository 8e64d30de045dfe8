"""A step lets beams have the past of those that they continue, by a mask."""

from __future__ import annotations

import torch

from translator.config import ModelConfig
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.device.buckets import Bucket, Capacity
from translator.runtime.device.model import narrowed
from translator.runtime.device.network import DeviceNetwork
from translator.runtime.device.slots import new_slots
from translator.runtime.device.step import take_step


@torch.inference_mode()
def test_masks_tell_whom_a_beam_goes_back_to(model_config: ModelConfig) -> None:
    torch.manual_seed(0)
    plan = narrowed(arrange(make_model(model_config).eval(), (0, 1, 2, 3)), torch.float32)
    slots = new_slots(plan, Capacity(1, 16, 16), 2, torch.float32)
    slots.is_live.fill_(True)
    slots.last.fill_(14)
    slots.log_probs[:, 0] = 0.0
    slots.next_ids.fill_(2)
    network = DeviceNetwork(plan)
    positions = network.positions(plan.target, 16)
    lines: list[list[int]] = [[], []]
    for step in range(8):
        take_step(network, slots, positions, 3, Bucket(1, 16, 16))
        parents = slots.steps[0, step, 1].tolist()
        lines = [[*lines[parent], parent] for parent in parents]
        masks = slots.past_mask[0, :, : 2 * (step + 1)].view(2, step + 1, 2) == 0
        assert masks.sum(2).eq(1).all(), "one beam wrote what is seen of each position"
        assert masks.int().argmax(2).tolist() == lines
        assert slots.fed.tolist() == [step + 1]
    assert (slots.past_mask[0, :, 16:] < -1e8).all()
