"""What is remembered of a source is what the model would remember, whoever is read with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from translator.config import NormPlacement
from translator.model.layers import DecoderLayer
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled.memory.slots import SourceMemory
from translator.runtime.compiled.model import CompiledModel
from translator.runtime.compiled.workspace import PORTION
from translator.search.rows import round_up

pytestmark = NEEDS_INT8

HEADS, D_K, FILLED = 4, 8, 16  # numbers of a head, and what they are filled up to


def keys_values(memory: SourceMemory, layer: int) -> tuple[Any, Any]:
    """Return keys and values (H, S, K) of one layer of the decoder."""
    width, room = HEADS * FILLED, round_up(memory.length, 16)
    halves = memory.block.memory.view(np.float16)[layer * 2 * width * room :][: 2 * width * room]
    keys = halves[: width * room].reshape(HEADS, FILLED, room)[:, :D_K, : memory.length]
    values = halves[width * room :].reshape(room, HEADS, FILLED)[: memory.length, :, :D_K]
    return keys.transpose(0, 2, 1), values.transpose(1, 0, 2)


@pytest.mark.parametrize("norm", ["pre", "post"])
@torch.inference_mode()
def test_keys_and_values_are_those_of_the_model(model: Transformer, norm: NormPlacement) -> None:
    torch.manual_seed(0)
    model = make_model(replace(model.config, norm=norm)).eval()
    sources = [[4, 9, 8, 7, 3], [4, 3], [4, *range(20, 60), 3]]
    for source, found in zip(
        sources, CompiledModel(arrange(model, ())).encode(sources), strict=True
    ):
        assert found.length == len(source)
        memory = model.encode(torch.tensor([source]), None)
        for number, layer in enumerate(model.decoder_layers):
            assert isinstance(layer, DecoderLayer)
            cross = layer.cross_attention
            for one, projection in zip(
                keys_values(found, number), (cross.key_proj, cross.value_proj), strict=True
            ):
                exact = cross.split_heads(projection(memory))[0].numpy()
                assert np.abs(one - exact).mean() < 0.03 * np.abs(exact).mean()


@torch.inference_mode()
def test_neither_company_nor_portions_change_a_bit(model: Transformer) -> None:
    int8 = CompiledModel(arrange(model, ()))
    lengths = [PORTION + 50, 200, 100, 3, 1]
    sources = [[4 + (7 * i + length) % 300 for i in range(length)] for length in lengths]
    for source, found in zip(sources, int8.encode(sources), strict=True):
        [alone] = int8.encode([source])
        for layer in range(2):
            for one, other in zip(
                keys_values(found, layer), keys_values(alone, layer), strict=True
            ):
                assert np.isfinite(one).all()
                assert one.tobytes() == other.tobytes()
