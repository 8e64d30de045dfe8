"""A whole Transformer as records: its sizes, its layers, and the memory that its functions need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from translator.model.choices import chosen, refuse_foreign
from translator.model.layers import DecoderLayer, EncoderLayer, FeedForward
from translator.model.transformer import Transformer
from translator.runtime.kernels.records import (
    LINEAR,
    NORM,
    PANEL,
    PANEL_BYTES,
    PackedWeights,
    aligned,
)
from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import HALF_BYTES, LANES, UNIT_BYTES
from translator.runtime.torchscript.best_ids import FORBIDDEN, NATS_PER_BIT
from translator.runtime.torchscript.linear import joined, scaled_embedding
from translator.search.rows import Array, round_up

PLACE = "the engine in int8"

RELU, GELU, SILU = range(3)
ACTIVATIONS = {"relu": RELU, "gelu": GELU, "silu": SILU}
IS_PRE_NORM = {"pre": 1, "post": 0}

FEED_FORWARD = np.dtype([("norm", NORM), ("inner", LINEAR), ("out", LINEAR)])

ENCODER_LAYER = np.dtype(
    [
        ("norm", NORM),
        ("qkv", LINEAR),
        ("attention_out", LINEAR),
        ("feed_forward", FEED_FORWARD),
    ]
)

DECODER_LAYER = np.dtype(
    [
        ("self_norm", NORM),
        ("qkv", LINEAR),
        ("self_out", LINEAR),
        ("cross_norm", NORM),
        ("query", LINEAR),
        ("cross_out", LINEAR),
        ("feed_forward", FEED_FORWARD),
        ("memory", LINEAR),
    ]
)

MODEL = np.dtype(
    [
        ("vocab_size", "i8"),
        ("d_model", "i8"),
        ("d_ff", "i8"),
        ("num_heads", "i8"),
        ("d_k", "i8"),  # filled up to a multiple of 16
        ("x_stride", "i8"),  # bytes of a row of the residual stream
        ("wide_stride", "i8"),  # bytes of a row of projections
        ("context_stride", "i8"),  # bytes of a row of what attention finds
        ("logits_stride", "i8"),  # bytes of a row of them all, and a panel more
        ("activation", "i8"),  # its number in `ACTIVATIONS`
        ("is_pre", "i8"),
        ("embedding", "i8"),  # (V, D filled up to whole vectors) float32, times √D
        ("encoder_norm", NORM),
        ("decoder_norm", NORM),
        ("logits", LINEAR),  # in bits
    ]
)
"""The sizes of a model, and the weights that belong to none of its layers."""

PANELS_AT_ONCE = 16
"""Logits of so many panels are looked at while they are in the caches."""

FEW_STRIDE = (PANELS_AT_ONCE + 1) * PANEL_BYTES
"""Bytes from row to row where no more of them are kept: a panel more than is needed, since rows
that are a power of two apart would drive one another out of the caches."""

WORKSPACE = np.dtype(
    [(name, "i8") for name in ("x", "row", "bytes", "units", "inner", "wide", "context", "scores")]
    + [(name, "i8") for name in ("memory", "entries", "logits", "maxima", "highest", "totals")]
    + [("best_ids", "i8")]
)
"""Addresses of memory for what is computed on the way; see `make_workspace`."""


class Layout:
    """Records of a model in int8; see the types above.

    Attributes:
        model: (1,) `MODEL`.
        encoder: (L,) `ENCODER_LAYER`.
        decoder: (L,) `DECODER_LAYER`.
    """

    def __init__(self, model: Transformer, forbidden_ids: Sequence[int]) -> None:
        """Quantise the weights of a model; see `Int8Model`."""
        config = model.config
        refuse_foreign(config, PLACE)
        self._weights = make = PackedWeights()
        self._transformer = model
        self._d_k = round_up(config.d_model // config.num_heads, LANES)
        self.encoder = np.array(
            [
                self._encoder_layer(f"encoder.{i}", layer)
                for i, layer in enumerate(model.encoder_layers)
                if isinstance(layer, EncoderLayer)
            ],
            ENCODER_LAYER,
        )
        self.decoder = np.array(
            [
                self._decoder_layer(f"decoder.{i}", layer)
                for i, layer in enumerate(model.decoder_layers)
                if isinstance(layer, DecoderLayer)
            ],
            DECODER_LAYER,
        )
        widest = max(3 * config.num_heads * self._d_k, config.d_ff)
        embedding = np.zeros((config.vocab_size, round_up(config.d_model, LANES)), np.float32)
        embedding[:, : config.d_model] = scaled_embedding(model).numpy()
        self.model = np.array(
            [
                (
                    config.vocab_size,
                    config.d_model,
                    config.d_ff,
                    config.num_heads,
                    self._d_k,
                    4 * round_up(config.d_model, PANEL),
                    4 * round_up(widest, PANEL),
                    4 * round_up(config.num_heads * self._d_k, PANEL),
                    4 * (round_up(config.vocab_size, PANEL) + PANEL),
                    chosen(config, "activation", ACTIVATIONS, PLACE),
                    chosen(config, "norm", IS_PRE_NORM, PLACE),
                    make.keep(embedding),
                    make.norm(model.encoder_norm),
                    make.norm(model.decoder_norm),
                    self._logits(forbidden_ids),
                )
            ],
            MODEL,
        )

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights."""
        return self._weights.num_bytes

    def _logits(self, forbidden_ids: Sequence[int]) -> tuple[object, ...]:
        """Return the output layer."""
        weight = self._transformer.embedding.weight.detach() / NATS_PER_BIT
        bias = weight.new_zeros(weight.size(0))
        bias[list(forbidden_ids)] = FORBIDDEN
        return self._weights.linear("logits", weight, bias, filling=FORBIDDEN)

    def _feed_forward(self, name: str, network: FeedForward) -> tuple[object, ...]:
        """Return inner and outer layer."""
        both = ("inner", network.inner_proj), ("out", network.out_proj)
        return tuple(
            self._weights.linear(f"{name}.{end}", layer.weight, layer.bias) for end, layer in both
        )

    def _heads(self, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        """Return projections to heads whose outputs are filled up to `d_k` numbers each."""
        d_k = self._transformer.config.d_model // self._transformer.config.num_heads
        filled = [
            one.new_zeros(one.size(0) // d_k, self._d_k, *one.shape[1:]) for one in (weight, bias)
        ]
        for full, one in zip(filled, (weight, bias), strict=True):
            full[:, :d_k] = one.view(-1, d_k, *one.shape[1:])
        return filled[0].flatten(0, 1), filled[1].flatten()

    def _from_heads(self, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        """Return a projection from such heads."""
        columns, _ = self._heads(weight.T.contiguous(), weight.new_zeros(weight.size(1)))
        return columns.T.contiguous(), bias

    def _encoder_layer(self, name: str, layer: EncoderLayer) -> tuple[object, ...]:
        make, heads = self._weights, layer.self_attention
        qkv = self._heads(*joined(heads, "query", "key", "value", unit=NATS_PER_BIT))
        return (
            make.norm(layer.self_attention_residual.norm),
            make.linear(f"{name}.qkv", *qkv),
            make.linear(f"{name}.attention_out", *self._from_heads(*joined(heads, "out"))),
            (
                make.norm(layer.feed_forward_residual.norm),
                *self._feed_forward(f"{name}.feed_forward", layer.feed_forward),
            ),
        )

    def _decoder_layer(self, name: str, layer: DecoderLayer) -> tuple[object, ...]:
        make, heads, cross = self._weights, layer.self_attention, layer.cross_attention
        qkv = self._heads(*joined(heads, "query", "key", "value", unit=NATS_PER_BIT))
        query = self._heads(*joined(cross, "query", unit=NATS_PER_BIT))
        return (
            make.norm(layer.self_attention_residual.norm),
            make.linear(f"{name}.qkv", *qkv),
            make.linear(f"{name}.self_out", *self._from_heads(*joined(heads, "out"))),
            make.norm(layer.cross_attention_residual.norm),
            make.linear(f"{name}.query", *query),
            make.linear(f"{name}.cross_out", *self._from_heads(*joined(cross, "out"))),
            (
                make.norm(layer.feed_forward_residual.norm),
                *self._feed_forward(f"{name}.feed_forward", layer.feed_forward),
            ),
            make.linear(f"{name}.memory", *self._heads(*joined(cross, "key", "value"))),
        )


def make_workspace(
    model_array: Array, rows: int, places: int, logits_rows: int
) -> tuple[Array, Array]:
    """Return a workspace, and the memory that it points to.

    Args:
        model_array: (1,) `MODEL`.
        rows: of the residual stream, at most.
        places: most that a row attends to.
        logits_rows: rows whose logits are computed together.
    """
    model = model_array[0]
    heads = int(model["num_heads"] * model["d_k"])
    widest = round_up(max(int(model["d_model"]), int(model["d_ff"]), heads), PANEL)
    places = round_up(places, LANES)
    lengths = {
        "x": rows * model["x_stride"],
        "row": 4 * widest,
        "bytes": rows * widest * unit().level_bytes,
        "units": rows * UNIT_BYTES,
        "inner": rows * round_up(int(model["d_ff"]), PANEL) * unit().level_bytes,
        "wide": (rows + LANES) * model["wide_stride"],  # whole vectors of keys are looked at
        "context": rows * model["context_stride"],
        "scores": max(rows, 1) * places * 4,
        "memory": HALF_BYTES * 2 * heads * places,
        "entries": places * 4,
        "logits": logits_rows * max(int(model["logits_stride"]), FEW_STRIDE),
        "maxima": logits_rows * model["logits_stride"] // PANEL,
        "highest": logits_rows * 4,
        "totals": logits_rows * 4,
        "best_ids": logits_rows * 8,
    }
    ends = np.cumsum([round_up(int(length), 64) for length in lengths.values()])
    memory = aligned(int(ends[-1]), np.uint8)
    starts = memory.ctypes.data + np.concatenate([[0], ends[:-1]])
    return np.array([tuple(int(start) for start in starts)], WORKSPACE), memory
