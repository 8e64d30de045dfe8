"""Records of a whole model: each weight in its place, and room for all that is computed."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.memory import at, layer_of
from translator.config import ModelConfig
from translator.model.int8 import rounded_model
from translator.model.layers import DecoderLayer, EncoderLayer
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled.layout import (
    FEW_STRIDE,
    IN_FLOATS,
    IN_HALVES,
    IN_INT8,
    ROWS_TO_LOOK_AT,
    Layout,
    fits_into_halves,
)
from translator.runtime.compiled.workspace import WORKSPACE, make_workspace
from translator.runtime.kernels.powers import NATS_PER_BIT
from translator.runtime.kernels.records import Int8Weights
from translator.runtime.plan import FORBIDDEN

pytestmark = NEEDS_INT8

CONFIG = ModelConfig(
    vocab_size=70, d_model=50, d_ff=90, num_heads=2, num_encoder_layers=1, num_decoder_layers=2
)
D_K = 32  # 25 numbers of a head, filled up


@pytest.fixture(scope="module")
def transformer() -> Transformer:
    torch.manual_seed(0)
    return make_model(CONFIG).eval()


@pytest.fixture(scope="module")
def layout(transformer: Transformer) -> Layout:
    return Layout(arrange(transformer, (0, 5)), Int8Weights())


def assert_rounded(found: Any, expected: Tensor) -> None:
    """Check that weights are what they were, to half a 127th of the largest of each row."""
    exact = expected.detach().numpy()
    assert (np.abs(found - exact) <= np.abs(exact).max(axis=1, keepdims=True) / 253).all()


def test_sizes(layout: Layout) -> None:
    [model] = layout.model
    expected = {"vocab_size": 70, "d_model": 50, "d_ff": 90, "num_heads": 2, "d_k": D_K}
    assert {name: model[name] for name in expected} == expected
    strides = {"x_stride": 64, "wide_stride": 192, "context_stride": 64, "logits_stride": 192}
    assert {name: model[name] // 4 for name in strides} == strides
    assert (len(layout.encoder), len(layout.decoder)) == (1, 2)


def test_embeddings_are_exact_and_logits_are_in_bits(
    layout: Layout, transformer: Transformer
) -> None:
    [model], exact = layout.model, transformer.embedding.weight.detach()
    embedding = at(model["target"], np.float32, 70, 64)
    np.testing.assert_array_equal(embedding[:, :50], exact)
    assert model["kept_as"] == IN_FLOATS
    assert (model["source"], model["output"]) == (model["target"], model["target"]), "kept once"
    assert model["target_scale"] == model["source_scale"] == np.float32(50**0.5)
    assert not embedding[:, 50:].any()
    weight, bias = layer_of(model["logits"])
    assert_rounded(weight[:70, :50], exact / NATS_PER_BIT)
    forbidden = np.flatnonzero(bias <= np.float32(FORBIDDEN)).tolist()
    assert forbidden == [0, 5, *range(70, 128)], "and what fills up the last panel"


@pytest.mark.parametrize(
    ("number", "fits"), [(0.5, True), (1e-3, False), (7e4, False), (2049, False), (2048, True)]
)
def test_only_what_loses_nothing_fits_into_halves(number: float, fits: bool) -> None:
    matrix = np.ones((ROWS_TO_LOOK_AT + 1, 2), np.float32)
    assert fits_into_halves(matrix)
    matrix[-1, -1] = number
    assert fits_into_halves(matrix) == fits


def test_embeddings_that_fit_into_halves_are_kept_so(transformer: Transformer) -> None:
    floats = Int8Weights()
    Layout(arrange(transformer, ()), floats)
    halved = copy.deepcopy(transformer).half().float()
    [model] = (layout := Layout(arrange(halved, ()), Int8Weights())).model
    assert model["kept_as"] == IN_HALVES
    expected = halved.embedding.weight.detach().numpy()
    embedding = at(model["target"], np.float16, 70, 64)
    np.testing.assert_array_equal(embedding[:, :50], expected)
    assert floats.num_bytes - layout.weights.num_bytes == 70 * 64 * 2


def test_a_model_stored_in_int8_keeps_its_levels_and_scales(transformer: Transformer) -> None:
    rounded = rounded_model(transformer)
    layout = Layout(arrange(rounded, (0, 5)), Int8Weights())
    [model], stored = layout.model, rounded.matrices["embedding.weight"]
    assert model["kept_as"] == IN_INT8
    assert (model["source"], model["output"]) == (model["target"], model["target"]), "kept once"
    levels = at(model["target"], np.int8, 70, 64)
    np.testing.assert_array_equal(levels[:, :50], stored.levels.numpy())
    assert not levels[:, 50:].any()
    for name in ("source_scales", "target_scales", "output_scales"):
        np.testing.assert_array_equal(at(model[name], np.float32, 70), stored.scales.numpy())
    floats = Layout(arrange(transformer, (0, 5)), Int8Weights())
    for mine, other in (
        (layout.model[0]["logits"], floats.model[0]["logits"]),
        (layout.encoder[0]["qkv"], floats.encoder[0]["qkv"]),
        (layout.encoder[0]["attention_out"], floats.encoder[0]["attention_out"]),
        (layout.decoder[1]["query"], floats.decoder[1]["query"]),
        (layout.decoder[1]["memory"], floats.decoder[1]["memory"]),
        (layout.decoder[1]["feed_forward"]["out"], floats.decoder[1]["feed_forward"]["out"]),
    ):
        for found, expected in zip(layer_of(mine), layer_of(other), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_heads_are_filled_up_and_scores_are_in_bits(
    layout: Layout, transformer: Transformer
) -> None:
    layer = transformer.encoder_layers[0]
    assert isinstance(layer, EncoderLayer)
    heads = layer.self_attention
    weight, _ = layer_of(layout.encoder[0]["qkv"])
    by_head = weight[: 6 * D_K, :50].reshape(3, 2, D_K, 50)
    scaled = heads.query_proj.weight / (5 * NATS_PER_BIT)  # 5 is the root of 25
    for found, exact in zip(
        by_head, (scaled, heads.key_proj.weight, heads.value_proj.weight), strict=True
    ):
        assert_rounded(found[:, :25].reshape(50, 50), exact)
        assert not found[:, 25:].any()
    out, _ = layer_of(layout.encoder[0]["attention_out"])
    columns = out[:50, : 2 * D_K].reshape(50, 2, D_K)
    assert_rounded(columns[:, :, :25].reshape(50, 50), heads.out_proj.weight)
    assert not columns[:, :, 25:].any()


def test_every_decoder_layer_has_weights_of_its_own(
    layout: Layout, transformer: Transformer
) -> None:
    for record, layer in zip(layout.decoder, transformer.decoder_layers, strict=True):
        assert isinstance(layer, DecoderLayer)
        cross, network = layer.cross_attention, layer.feed_forward
        memory, _ = layer_of(record["memory"])
        both = memory[: 4 * D_K, :50].reshape(2, 2, D_K, 50)[:, :, :25].reshape(2, 50, 50)
        assert_rounded(both[0], cross.key_proj.weight)
        assert_rounded(both[1], cross.value_proj.weight)
        assert_rounded(
            layer_of(record["feed_forward"]["inner"])[0][:90, :50], network.inner_proj.weight
        )
        assert_rounded(
            layer_of(record["feed_forward"]["out"])[0][:50, :90], network.out_proj.weight
        )


@pytest.mark.parametrize(("rows", "places", "logits_rows"), [(1, 1, 0), (64, 100, 64), (7, 300, 3)])
def test_a_workspace_has_room_for_each_and_none_overlaps(
    layout: Layout, rows: int, places: int, logits_rows: int
) -> None:
    [workspace], memory = make_workspace(layout, rows, places, logits_rows)
    starts = [int(workspace[name]) for name in WORKSPACE.names or ()]
    ends = [*starts[1:], memory.ctypes.data + memory.size]
    assert all(start % 64 == 0 for start in starts)
    room = {
        name: end - start
        for name, start, end in zip(WORKSPACE.names or (), starts, ends, strict=True)
    }
    model = layout.model[0]
    needed = {
        "x": rows * model["x_stride"],
        "inputs": rows * 128,  # the widest input of a layer is 90, in whole panels
        "units": 8 * rows,
        "wide": rows * model["wide_stride"],
        "scores": 4 * rows * places,
        "memory": 2 * 2 * places * 2 * D_K,
        "entries": 4 * places,
        "logits": logits_rows * max(model["logits_stride"], FEW_STRIDE),
        "highest": 4 * logits_rows,
        "best_ids": 8 * logits_rows,
    }
    assert {name for name, length in needed.items() if room[name] < length} == set()
