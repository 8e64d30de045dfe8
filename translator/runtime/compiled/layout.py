"""A whole Transformer as records: its sizes, its layers, and the memory that its functions need.

Letters: V pieces, D width of the residual stream, H heads, L layers.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple

import numpy as np

from translator.jit import record_type
from translator.model.choices import chosen
from translator.runtime.kernels.arithmetic import ACTIVATIONS
from translator.runtime.kernels.panels import NATS_PER_BIT
from translator.runtime.kernels.records import NORM, PANEL, PANEL_BYTES, PackedWeights
from translator.runtime.kernels.tile import number_of
from translator.runtime.kernels.vectors import LANES
from translator.runtime.plan import (
    FORBIDDEN,
    DecoderWeights,
    Embedding,
    EncoderWeights,
    Linear,
    Network,
    Plan,
    Recurrence,
)
from translator.search.rows import Array, round_up

PLACE = "the compiled engine"

KEPT_AS = (np.float32, np.float16, np.int8)
"""What embeddings, and the output's weights, are stored as in memory."""

IN_FLOATS, IN_HALVES, IN_INT8 = range(3)
"""Their numbers."""

PANELS_AT_ONCE = 16
"""Logits of so many panels are looked at while they are in the caches."""

FEW_STRIDE = (PANELS_AT_ONCE + 1) * PANEL_BYTES
"""Bytes from row to row where no more of them are kept: a panel more than is needed, since rows
that are a power of two apart would drive one another out of the caches."""

ROWS_TO_LOOK_AT = 1024
"""Of a matrix at a time: large ones are never copied as a whole."""


class Types(NamedTuple):
    """Types of the records of a model; functions are compiled for each number format."""

    encoder_layer: np.dtype[Any]
    decoder_layer: np.dtype[Any]
    model: np.dtype[Any]


@functools.cache
def types_of(weights: type[PackedWeights]) -> Types:
    """Return the types of records whose layers are packed in this way."""
    linear = weights.linear_type
    network = np.dtype([("norm", NORM), ("inner", linear), ("out", linear)])
    return Types(
        encoder_layer=record_type(
            [("norm", NORM), ("qkv", linear), ("attention_out", linear), ("feed_forward", network)]
        ),
        decoder_layer=record_type(
            [
                ("self_norm", NORM),
                ("past", linear),  # queries, keys and values; or candidates and gates
                ("self_out", linear),  # nothing in a recurrent layer
                ("cross_norm", NORM),
                ("query", linear),
                ("cross_out", linear),
                ("feed_forward", network),
                ("memory", linear),
            ]
        ),
        model=record_type(
            [
                ("vocab_size", "i8"),  # of what is produced
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
                ("is_recurrent", "i8"),
                ("source", "i8"),  # embeddings, (V, D), D in whole vectors
                ("target", "i8"),  # the same of what is produced
                ("output", "i8"),  # (V, D), the exact weights of logits, in nats
                ("kept_as", "i8"),  # what these three are, its number in `KEPT_AS`
                ("source_scales", "i8"),  # in int8: (V,) float32, of their rows
                ("target_scales", "i8"),
                ("output_scales", "i8"),
                ("source_scale", "f4"),  # that embeddings are multiplied by
                ("target_scale", "f4"),
                ("output_biases", "i8"),  # (V,) float32, in bits
                ("number_bytes", "i8"),  # of a number of keys and values
                ("number", number_of(weights.number)),  # marks what keys and values are kept as
                ("encoder_norm", NORM),
                ("decoder_norm", NORM),
                ("logits", linear),  # in bits
            ]
        ),
    )


class Layout:
    """Records of a model: one, (1,), and those of its L layers each; see the types above."""

    def __init__(self, plan: Plan[Array], weights: PackedWeights) -> None:
        """Pack the weights of a model.

        Raises:
            ConfigError: a layer has weights that are not finite, or the activation is unknown here.
        """
        self.weights, self._given_d_k = weights, plan.d_k
        self._d_k = round_up(plan.d_k, LANES)
        self._num_queries = plan.config.num_heads * plan.d_k
        activation = chosen(plan.config, "activation", ACTIVATIONS, PLACE)
        types = types_of(type(weights))
        self.encoder = np.array([*map(self._encoder_layer, plan.encoder)], types.encoder_layer)
        self.decoder = np.array([*map(self._decoder_layer, plan.decoder)], types.decoder_layer)
        self.model = np.zeros(1, types.model)
        [record] = self.model
        config, output = plan.config, plan.output
        heads, vocab_size = config.num_heads * self._d_k, len(output.bias)
        for name in ("d_model", "d_ff", "num_heads"):
            record[name] = getattr(config, name)
        record["vocab_size"], record["d_k"] = vocab_size, self._d_k
        record["x_stride"] = 4 * round_up(config.d_model, PANEL)
        gates = 2 * round_up(config.d_model, PANEL)
        record["wide_stride"] = 4 * round_up(max(3 * heads, config.d_ff, gates), PANEL)
        record["context_stride"] = 4 * round_up(heads, PANEL)
        record["logits_stride"] = 4 * (round_up(vocab_size, PANEL) + PANEL)
        record["activation"], record["is_pre"] = activation, plan.is_pre
        record["is_recurrent"] = isinstance(plan.decoder[0].past, Recurrence)
        record["number_bytes"] = np.dtype(weights.number).itemsize
        self._keep_embeddings(record, plan)
        record["output_biases"] = weights.keep(output.bias / np.float32(NATS_PER_BIT))
        record["encoder_norm"] = weights.norm(plan.encoder_norm)
        record["decoder_norm"] = weights.norm(plan.decoder_norm)
        record["logits"] = weights.linear(output, filling=FORBIDDEN, factors=1 / NATS_PER_BIT)

    def _keep_embeddings(self, record: Any, plan: Plan[Array]) -> None:
        """Keep embeddings and the output's weights, each once: in 8 bits, or in 16 if exact."""
        record["source_scale"], record["target_scale"] = plan.source.scale, plan.target.scale
        named: dict[str, Embedding[Array] | Linear[Array]]
        named = {"source": plan.source, "target": plan.target, "output": plan.output}
        matrices = {id(one.weight): one.weight for one in named.values()}
        floats = np.float16 if all(map(fits_into_halves, matrices.values())) else np.float32
        kept_as = np.int8 if plan.is_int8 else floats
        kept = {key: self._rows(matrix, kept_as) for key, matrix in matrices.items()}
        record["kept_as"] = KEPT_AS.index(kept_as)
        for name, one in named.items():
            record[name] = kept[id(one.weight)]
            if one.scales is not None:
                record[f"{name}_scales"] = self.weights.keep(one.scales)

    def _rows(self, matrix: Array, kept_as: Any) -> int:
        width = matrix.shape[1]
        rows = self.weights.room((len(matrix), round_up(width, LANES)), kept_as)
        rows[:, :width] = matrix
        return int(rows.ctypes.data)

    def _network(self, network: Network[Array]) -> tuple[object, ...]:
        make = self.weights
        return make.norm(network.norm), make.linear(network.inner), make.linear(network.out)

    def _heads(self, linear: Linear[Array], scaled: bool = False) -> tuple[object, ...]:
        """Return projections to heads whose outputs are filled up to `d_k` numbers each.

        If `scaled`, the first H · K are queries: 1/√K is multiplied into them, and scores are in
        bits.
        """
        factors = np.ones(len(linear.bias), np.float32)
        if scaled:
            factors[: self._num_queries] = self._given_d_k**-0.5 / NATS_PER_BIT
        weight, bias, factors = map(self._filled, (linear.weight, linear.bias, factors))
        scales = None if linear.scales is None else self._filled(linear.scales)
        filled = Linear(linear.name, weight, bias, scales)
        return self.weights.linear(filled, factors=factors)

    def _filled(self, of_heads: Array) -> Array:
        """Return rows of heads with rows of 0 behind those of each head."""
        d_k, rest = self._given_d_k, of_heads.shape[1:]
        if d_k == self._d_k:
            return of_heads
        filled = np.zeros((len(of_heads) // d_k, self._d_k, *rest), of_heads.dtype)
        filled[:, :d_k] = of_heads.reshape(-1, d_k, *rest)
        return filled.reshape(-1, *rest)

    def _from_heads(self, linear: Linear[Array]) -> tuple[object, ...]:
        if self._given_d_k == self._d_k:
            return self.weights.linear(linear)
        weight = self._filled(linear.weight.T).T
        return self.weights.linear(dataclasses.replace(linear, weight=weight))

    def _encoder_layer(self, layer: EncoderWeights[Array]) -> tuple[object, ...]:
        return (
            self.weights.norm(layer.norm),
            self._heads(layer.qkv, scaled=True),
            self._from_heads(layer.attention_out),
            self._network(layer.feed_forward),
        )

    def _gates(self, linear: Linear[Array]) -> tuple[object, ...]:
        """Return candidates and gates, each filled up to whole panels with rows of 0."""
        d_model = linear.weight.shape[1]
        more = round_up(d_model, PANEL) - d_model

        def filled(rows: Array) -> Array:
            both = rows.reshape(2, d_model, -1)
            return np.pad(both, ((0, 0), (0, more), (0, 0))).reshape(-1, *rows.shape[1:])

        scales = None if linear.scales is None else filled(linear.scales)
        wider = Linear(linear.name, filled(linear.weight), filled(linear.bias), scales)
        return self.weights.linear(wider)

    def _decoder_layer(self, layer: DecoderWeights[Array]) -> tuple[object, ...]:
        past = layer.past
        if isinstance(past, Recurrence):
            nothing: tuple[object, ...] = tuple(np.zeros((), self.weights.linear_type).item())
            looking_back = self._gates(past.gates), nothing
        else:
            looking_back = self._heads(past.qkv, scaled=True), self._from_heads(past.out)
        return (
            self.weights.norm(layer.self_norm),
            *looking_back,
            self.weights.norm(layer.cross_norm),
            self._heads(layer.query, scaled=True),
            self._from_heads(layer.cross_out),
            self._network(layer.feed_forward),
            self._heads(layer.memory),
        )


def fits_into_halves(matrix: Array) -> bool:
    """Return whether floats of 16 bits hold the numbers of a matrix exactly."""
    for first in range(0, len(matrix), ROWS_TO_LOOK_AT):
        some = matrix[first : first + ROWS_TO_LOOK_AT]
        with np.errstate(over="ignore"):
            if not np.array_equal(some.astype(np.float16), some):
                return False
    return True
