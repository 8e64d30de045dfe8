"""The weights of a model, as records of addresses that compiled functions take.

Numba takes a record as fast as a number, where every array costs a third of a microsecond.

In int8 the scale of a weight is that of its output channel; the scale of an input is that of its
row, one position of one sentence, when it is computed (`arithmetic.give`). A scale taken from
the batch at hand would make a translation depend on what it was batched with; one measured
beforehand, the same for all rows, makes three times the error. How weights are rounded says
`model/int8.py`; those of a model that is stored in 8 bits come as they are.

Letters: a layer maps D inputs to F outputs, of which `PANEL` are computed together.

Source: Jacob et al. 2018, §2; Wu et al. 2020, §3 (per-channel weights).
"""

from __future__ import annotations

import ctypes
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from translator.errors import ConfigError
from translator.jit import record_type
from translator.model.int8 import Int8Matrix, to_int8
from translator.runtime.kernels.tile import MOST_VECTORS
from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import LANES, VECTOR_BYTES
from translator.runtime.plan import Linear, Norm
from translator.search.rows import Array, round_up

PANEL = LANES * MOST_VECTORS
"""Outputs that are computed together; all rows are filled up to whole panels."""

PANEL_BYTES = 4 * PANEL

PANELS_AT_ONCE = 64
"""Are packed together."""

SLAB_BYTES = 1 << 24
"""Of the memory that weights share: much enough for NumPy to ask for huge pages, in which the
processor finds a whole step's weights without looking them up page by page."""


def _linear(kind: str) -> np.dtype[Any]:
    return record_type(
        [
            ("weight", "i8"),  # a panel after the other, as `tile.linear_tile` takes them
            ("outputs", "i8"),  # what is known of the outputs of each panel
            ("panels", "i8"),
            ("panel_bytes", "i8"),  # of the weights of a panel
            ("output_bytes", "i8"),  # of what is known of its outputs
            ("input_panels", "i8"),
            ("depth", "i8"),  # numbers of 32 bits in a row of inputs; see `unit.VectorUnit`
            ("is_rounded", "i4"),
            ("kind", kind),  # tells the compiler, by its type, what the weights are
        ]
    )


INT8_LINEAR = _linear("i4")
"""A layer in int8. Known of outputs: (panels, 3, PANEL) float32, scales, biases, weights' sums."""

FLOAT_LINEAR = _linear("f4")
"""A layer in float32. Known of outputs: (panels, PANEL) float32, biases."""

NORM = record_type([("weight", "i8"), ("bias", "i8"), ("eps", "f4"), ("is_identity", "i4")])
"""A layer norm, or nothing."""


def aligned(length: int, dtype: Any) -> Array:
    """Return zeros that begin where a vector does."""
    num_bytes = length * np.dtype(dtype).itemsize
    memory = np.zeros(num_bytes + VECTOR_BYTES, np.uint8)
    first = -memory.ctypes.data % VECTOR_BYTES
    return memory[first : first + num_bytes].view(dtype)


def _at(address: int, num_bytes: int) -> Array:
    """Return the bytes at an address of memory that somebody keeps."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * int(num_bytes)).from_address(int(address)))


class PackedWeights(ABC):
    """Makes records, and keeps what they point to: keys and values in dtype `number`.

    Biases are part `bias_part` of what is known of the outputs of a panel.
    """

    linear_type: np.dtype[Any]
    number: Any
    bias_part: int

    def __init__(self) -> None:
        self._slabs: list[Array] = []
        self._used = 0  # bytes of the last one

    @property
    def num_bytes(self) -> int:
        """Return the memory that is used; the system gives no other pages of the last slab."""
        return sum(slab.nbytes for slab in self._slabs[:-1]) + self._used

    @property
    @abstractmethod
    def input_bytes(self) -> int:
        """See above."""

    @abstractmethod
    def _layer(self, linear: Linear[Array], biases: Array, factors: Array) -> tuple[object, ...]:
        """Return a record's fields; see `linear`."""

    def views(self, record: Any) -> tuple[Array, Array]:
        """Return the weights and what is known of the outputs of a layer of ours, where they lie.

        The first are (panels, parts, depth, width, LANES) numbers of what is multiplied together,
        the others (panels, ·, PANEL) float32.
        """
        panels, depth, width = record["panels"], record["depth"], unit().tile_vectors
        each = record["panel_bytes"] // (PANEL * depth)
        weights = _at(record["weight"], panels * record["panel_bytes"]).view(f"u{each}")
        outputs = _at(record["outputs"], panels * record["output_bytes"]).view(np.float32)
        shape = panels, MOST_VECTORS // width, depth, width, LANES
        return weights.reshape(shape), outputs.reshape(panels, -1, PANEL)

    def room(self, shape: tuple[int, ...], dtype: Any) -> Array:
        """Return zeros in memory of our own."""
        num_bytes = math.prod(shape) * np.dtype(dtype).itemsize
        if not self._slabs or self._used + num_bytes > self._slabs[-1].size:
            self._slabs.append(aligned(max(num_bytes, SLAB_BYTES), np.uint8))
            self._used = 0
        found = self._slabs[-1][self._used : self._used + num_bytes].view(dtype)
        self._used += round_up(num_bytes, VECTOR_BYTES)
        room: Array = found.reshape(shape)
        return room

    def keep(self, values: Array, dtype: Any = np.float32) -> int:
        """Copy values to memory of our own; return their address."""
        copy = self.room(values.shape, dtype)
        copy[:] = values
        return int(copy.ctypes.data)

    def norm(self, norm: Norm[Array] | None) -> tuple[object, ...]:
        """Return the record of a norm, or of nothing."""
        if norm is None:
            return 0, 0, 0.0, 1
        both = np.zeros((2, round_up(len(norm.weight), PANEL)), np.float32)
        for filled, one in zip(both, (norm.weight, norm.bias), strict=True):
            filled[: len(one)] = one
        return *(self.keep(filled) for filled in both), norm.eps, 0

    def linear(
        self, linear: Linear[Array], filling: float = 0.0, factors: Array | float = 1.0
    ) -> tuple[object, ...]:
        """Return the record of a layer; `filling` is the bias of what fills up the last panel.

        All outputs, or each of them (F,), are multiplied by `factors`.

        Raises:
            ConfigError: it has weights that are not finite.
        """
        bias = linear.bias
        is_finite = linear.scales is not None or np.isfinite(linear.weight).all()
        if not (is_finite and np.isfinite(bias).all()):
            problem = f"{linear.name}: has weights that are not finite; train the model again"
            raise ConfigError([problem])
        each = np.broadcast_to(np.asarray(factors, np.float32), bias.shape)
        return self._layer(linear, in_panels(bias * each, filling), each)

    def _panels(self, outputs: int, dtype: Any, depth: int, each: int) -> Array:
        """Return room for weights in the order of tiles, for every panel of outputs.

        A row of inputs has `depth` numbers of 32 bits, and each of them `each` inputs.
        """
        panels, width = -(-outputs // PANEL), unit().tile_vectors
        return self.room((panels, MOST_VECTORS // width, depth, width, LANES, each), dtype)


def blocks(outputs: int) -> Iterator[tuple[slice, slice]]:
    """Yield some panels after the other, and their rows: large matrices are never copied whole."""
    for first in range(0, outputs, PANELS_AT_ONCE * PANEL):
        end = min(first + PANELS_AT_ONCE * PANEL, outputs)
        yield slice(first // PANEL, -(-end // PANEL)), slice(first, end)


def fill(room: Array, panels: slice, weights: Array) -> None:
    """Put weights, filled up with 0, in the order of tiles; see `PackedWeights._panels`."""
    _, parts, depth, width, _, each = room.shape
    padded = np.zeros(((panels.stop - panels.start) * PANEL, depth * each), room.dtype)
    padded[: len(weights), : weights.shape[1]] = weights
    together = np.dtype(f"u{each * room.itemsize}")  # what stays side by side moves as one
    rows = padded.view(together).reshape(-1, parts, width, LANES, depth)
    room.view(together)[panels, ..., 0] = rows.transpose(0, 1, 4, 2, 3)


def in_panels(biases: Array, filling: float) -> Array:
    """Return biases in panels, the last one filled up."""
    filled = np.full(round_up(len(biases), PANEL), filling, np.float32)
    filled[: len(biases)] = biases
    return filled.reshape(-1, PANEL)


class Int8Weights(PackedWeights):
    """Rounds weights to 8 bits; keys and values are kept in 16."""

    linear_type, number, bias_part = INT8_LINEAR, np.float16, 1

    @property
    def input_bytes(self) -> int:
        """A level's."""
        return unit().level_bytes

    def _layer(self, linear: Linear[Array], biases: Array, factors: Array) -> tuple[object, ...]:
        count, inputs = linear.weight.shape
        depth, each = round_up(inputs, PANEL), unit().levels_per_lane
        room = self._panels(count, np.int8, depth // each, each)
        outputs = self.room((len(room), 3, PANEL), np.float32)
        outputs[:, 1] = biases
        scales, sums = np.zeros((2, len(room) * PANEL), np.float32)
        for panels, rows in blocks(count):
            matrix = _in_int8(linear, rows)
            scales[rows] = matrix.scales * factors[rows]
            sums[rows] = matrix.levels.sum(axis=1, dtype=np.int32)
            fill(room, panels, matrix.levels)
        outputs[:, 0], outputs[:, 2] = scales.reshape(-1, PANEL), sums.reshape(-1, PANEL)
        sizes = len(room), room[0].nbytes, 3 * PANEL_BYTES, depth // PANEL, depth // each
        return room.ctypes.data, outputs.ctypes.data, *sizes, 1, 0


def _in_int8(linear: Linear[Array], rows: slice) -> Int8Matrix:
    """Return some rows of a layer's weight as they are stored, or rounded now."""
    if linear.scales is None:
        return to_int8(linear.weight[rows])
    return Int8Matrix(linear.weight[rows], linear.scales[rows])


class FloatWeights(PackedWeights):
    """Keeps everything in float32."""

    linear_type, number, bias_part = FLOAT_LINEAR, np.float32, 0

    @property
    def input_bytes(self) -> int:
        """A float's."""
        return 4

    def _layer(self, linear: Linear[Array], biases: Array, factors: Array) -> tuple[object, ...]:
        assert linear.scales is None, "whoever wants floats arranges a model of floats"
        weight = linear.weight
        depth = round_up(weight.shape[1], PANEL)
        room = self._panels(len(weight), np.float32, depth, 1)
        for panels, rows in blocks(len(weight)):
            fill(room, panels, weight[rows] * factors[rows, None])
        kept = self.keep(biases)
        sizes = len(room), room[0].nbytes, PANEL_BYTES, depth // PANEL, depth
        return room.ctypes.data, kept, *sizes, 0, 0.0
