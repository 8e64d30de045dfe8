"""The parts of a layer, in int8 and in floats, each against the same part of the model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import at
from translator.config import ModelConfig, NormPlacement
from translator.model.int8 import rounded_model
from translator.model.layers import EncoderLayer
from translator.model.transformer import make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled import sublayers
from translator.runtime.compiled.layout import (
    IN_FLOATS,
    IN_HALVES,
    IN_INT8,
    Layout,
)
from translator.runtime.compiled.workspace import make_workspace
from translator.runtime.kernels.records import FloatWeights, Int8Weights, PackedWeights

pytestmark = NEEDS_INT8


class Part:
    """A model of one layer, its records, and a workspace for ten rows."""

    def __init__(
        self,
        norm: NormPlacement = "pre",
        weights: type[PackedWeights] = Int8Weights,
        kept_as: int = IN_FLOATS,
    ) -> None:
        torch.manual_seed(0)
        config = ModelConfig(
            vocab_size=30, d_model=40, d_ff=70, num_heads=2, num_encoder_layers=1, norm=norm
        )
        self.transformer = make_model(config).eval()
        if kept_as == IN_HALVES:
            self.transformer.half().float()
        rounded = rounded_model(self.transformer)
        if kept_as == IN_INT8:
            self.transformer = rounded.floats()
        plan = arrange(rounded if kept_as == IN_INT8 else self.transformer, ())
        self.layout = Layout(plan, weights())
        self.workspace_array, self._memory = make_workspace(self.layout, 10, 40, 10)
        self.model, self.workspace = self.layout.model[0], self.workspace_array[0]
        [layer] = self.transformer.encoder_layers
        assert isinstance(layer, EncoderLayer)
        self.layer, self.record = layer, self.layout.encoder[0]

    def rows(self, name: str, stride: str, count: int = 10) -> Any:
        """Return rows of the workspace."""
        width = int(self.model[stride]) // 4
        return at(self.workspace[name], np.float32, count, width)


@pytest.mark.parametrize("kept_as", [IN_FLOATS, IN_HALVES, IN_INT8])
def test_a_piece_and_its_position_are_added(kept_as: int) -> None:
    part = Part(kept_as=kept_as)
    position, x = np.zeros(48, np.float32), part.rows("x", "x_stride")
    position[:40], x[:] = np.arange(40), 7
    sublayers.embed(
        part.model,
        part.model["target"],
        part.model["target_scales"],
        part.model["target_scale"],
        5,
        position.ctypes.data,
        int(part.workspace["x"]),
    )
    assert part.model["kept_as"] == kept_as
    expected = part.transformer.embedding.weight[5].detach().numpy() * 40**0.5 + position[:40]
    np.testing.assert_allclose(x[0, :40], expected, rtol=1e-6)
    assert not x[0, 40:].any()
    assert (x[1:] == 7).all()


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize(("weights", "error"), [(Int8Weights, 0.02), (FloatWeights, 1e-6)])
@torch.inference_mode()
def test_a_feed_forward_network_and_its_residual(
    norm: NormPlacement, weights: type[PackedWeights], error: float
) -> None:
    part = Part(norm, weights)
    x, values = part.rows("x", "x_stride"), torch.randn(10, 40)
    x[:], x[:, :40] = 0, values.numpy()
    sublayers.feed_forward(part.model, part.workspace, 9, part.record["feed_forward"])
    expected = part.layer.feed_forward_residual(values, part.layer.feed_forward)
    assert np.abs(x[:9, :40] - expected[:9].numpy()).mean() < error
    assert np.abs(x[:9, :40] - values[:9].numpy()).mean() > 0.2, "and it is not what went in"
    assert (x[9, :40] == values[9].numpy()).all(), "only so many rows"
    assert not x[:, 40:].any()


@pytest.mark.parametrize("weights", [Int8Weights, FloatWeights])
@pytest.mark.parametrize("length", [1, 15, 16, 33])
def test_rows_attend_to_what_is_remembered(length: int, weights: type[PackedWeights]) -> None:
    part = Part(weights=weights)
    width = 2 * int(part.model["d_k"])
    generator, stride = np.random.default_rng(0), int(part.model["wide_stride"]) // 4
    keys_values = np.zeros((48, stride), np.float32)
    keys_values[:, : 2 * width] = generator.normal(size=(48, 2 * width))
    memory = np.zeros(sublayers.source_bytes(part.model, length), np.uint8)
    sublayers.remember(part.model, keys_values.ctypes.data, length, memory.ctypes.data)
    wide = part.rows("wide", "wide_stride")
    wide[:] = generator.normal(size=wide.shape)
    room = -(-length // 16) * 16
    noted = np.ones((3, room), np.float32)
    sublayers.attend_to_memory(
        part.model, part.workspace, 2, 3, memory.ctypes.data, length, noted.ctypes.data
    )
    found = part.rows("context", "context_stride")[2:5, :width].reshape(3, 2, -1)
    queries = wide[2:5, :width].reshape(3, 2, -1)
    keys, values = (
        keys_values[:length, start : start + width].astype(weights.number).reshape(length, 2, -1)
        for start in (0, width)
    )
    powers = 2.0 ** np.einsum("rhk,shk->hrs", queries, keys.astype(float))
    attention = powers / powers.sum(axis=2, keepdims=True)
    expected = np.einsum("hrs,shk->rhk", attention, values.astype(float))
    np.testing.assert_allclose(found, expected, atol=1e-4, rtol=1e-4)
    np.testing.assert_allclose(noted[:, :length], 1 + attention.sum(axis=0), atol=1e-4)
