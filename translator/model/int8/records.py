"""The weights of a model in int8, as records of addresses that compiled functions take.

Numba takes a record as fast as a number, where every array costs a third of a microsecond.

The scale of a weight is that of its output channel; the scale of an input was measured once, on
calibration text, and is the same for every sentence. A scale taken from the batch at hand would
make a translation depend on what it was batched with.

Source: Jacob et al. 2018, §2; Wu et al. 2020, §3 (per-channel weights, calibration by maximum).
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from translator.batch import round_up
from translator.errors import ConfigError
from translator.model.int8.tile import LANES, MOST_VECTORS, VECTOR_BYTES
from translator.model.linear import Range

Array = NDArray[Any]

PANEL = LANES * MOST_VECTORS
"""Outputs that are computed together; all rows are filled up to whole panels."""

LINEAR = np.dtype(
    [
        ("weight", "i8"),  # (panels, depth, MOST_VECTORS, 16, 4) int8
        ("scale", "i8"),  # (panels, PANEL) float32
        ("bias", "i8"),  # (panels, PANEL) float32
        ("panels", "i8"),
        ("depth", "i8"),  # a quarter of the inputs
        ("inverse", "f4"),  # bytes to the unit of an input
        ("zero", "f4"),  # the byte that means 0, and one half for rounding
    ]
)
"""An int8 layer; see `Weights.linear`."""

NORM = np.dtype([("weight", "i8"), ("bias", "i8"), ("eps", "f4"), ("is_identity", "i4")])
"""A layer norm, or nothing."""


def aligned(length: int, dtype: Any) -> Array:
    """Return zeros that begin where a vector does."""
    num_bytes = length * np.dtype(dtype).itemsize
    memory = np.zeros(num_bytes + VECTOR_BYTES, np.uint8)
    first = -memory.ctypes.data % VECTOR_BYTES
    return memory[first : first + num_bytes].view(dtype)


def input_scale(input_range: Range) -> float:
    """Return the difference between neighbouring inputs: 255 of them span the range and 0."""
    low, high = min(input_range[0], 0.0), max(input_range[1], 0.0)
    return max(high - low, 1e-8) / 255


def unpacked(linear: Any) -> Array:
    """Return the weights of a `LINEAR` record, (outputs, inputs) int8, both filled up."""
    shape = int(linear["panels"]), int(linear["depth"]), MOST_VECTORS, LANES, 4
    size = int(np.prod(shape))
    packed = np.ctypeslib.as_array((ctypes.c_int8 * size).from_address(int(linear["weight"])))
    return packed.reshape(shape).transpose(0, 2, 3, 1, 4).reshape(PANEL * shape[0], -1)


class Weights:
    """Makes records, and keeps what they point to."""

    def __init__(self, ranges: Mapping[str, Range]) -> None:
        """Keep the range of each layer's input, by name."""
        self._ranges = ranges
        self._kept: list[Array] = []

    def keep(
        self, values: Array, dtype: Any = np.float32, length: int = 0, filling: float = 0.0
    ) -> int:
        """Copy values to memory of our own, filled up to a length; return their address."""
        copy = aligned(max(length, values.size), dtype)
        copy[: values.size], copy[values.size :] = values.ravel(), filling
        self._kept.append(copy)
        return int(copy.ctypes.data)

    def norm(self, norm: nn.Module) -> tuple[object, ...]:
        """Return the record of an `nn.LayerNorm`, or of an `nn.Identity`."""
        if not isinstance(norm, nn.LayerNorm):
            return 0, 0, 0.0, 1
        both = (self.keep(one.detach().numpy()) for one in (norm.weight, norm.bias))
        return *both, norm.eps, 0

    def scale(self, name: str) -> float:
        """Return the difference between neighbouring inputs of a layer.

        Raises:
            ConfigError: the layer has no range.
        """
        if name not in self._ranges:
            raise ConfigError(
                [f"input_ranges: lacks {name}, so int8 has no scale for it; export the model again"]
            )
        return input_scale(self._ranges[name])

    def linear(
        self, name: str, weight: Tensor, bias: Tensor, out_scale: float = 0.0, filling: float = 0.0
    ) -> tuple[object, ...]:
        """Return the record of x W^T + b.

        Args:
            name: of the layer.
            weight: (F, D) float32.
            bias: (F,) float32.
            out_scale: the unit of the result, which is bytes then; 0 if it is floats.
            filling: what fills up the last panel of outputs.

        Raises:
            ConfigError: the layer has no range, or weights that are not finite.
        """
        in_scale = self.scale(name)
        if not (weight.isfinite().all() and bias.isfinite().all()):
            raise ConfigError([f"{name}: has weights that are not finite; train the model again"])
        zero = round(-min(self._ranges[name][0], 0.0) / in_scale)
        exact, offset = weight.detach().numpy(), bias.detach().numpy().astype(np.float64)
        scale = np.maximum(np.abs(exact).max(axis=1), 1e-8).astype(np.float64) / 127
        rounded = np.rint(exact / scale[:, None]).astype(np.int64)
        scale = scale * in_scale
        offset = offset - scale * zero * rounded.sum(axis=1)
        if out_scale:
            scale, offset = scale / out_scale, offset / out_scale + 0.5
        outputs, inputs = (round_up(size, PANEL) for size in exact.shape)
        padded = np.zeros((outputs, inputs), np.int8)
        padded[: exact.shape[0], : exact.shape[1]] = rounded
        packed = padded.reshape(-1, MOST_VECTORS, LANES, inputs // 4, 4).transpose(0, 3, 1, 2, 4)
        return (
            self.keep(packed, np.int8),
            self.keep(scale, length=outputs),
            self.keep(offset, length=outputs, filling=filling),
            outputs // PANEL,
            inputs // 4,
            1 / in_scale,
            zero + 0.5,
        )
