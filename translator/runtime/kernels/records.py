"""The weights of a model in int8, as records of addresses that compiled functions take.

Numba takes a record as fast as a number, where every array costs a third of a microsecond.

The scale of a weight is that of its output channel; the scale of an input is that of its row, one
position of one sentence, when it is computed (`arithmetic.to_bytes`). A scale taken from the batch
at hand would make a translation depend on what it was batched with; one measured beforehand, the
same for all rows, makes three times the error.

Source: Jacob et al. 2018, §2; Wu et al. 2020, §3 (per-channel weights).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from torch import Tensor, nn

from translator.errors import ConfigError
from translator.runtime.kernels.tile import MOST_VECTORS
from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import LANES, VECTOR_BYTES
from translator.search.rows import Array, round_up

PANEL = LANES * MOST_VECTORS
"""Outputs that are computed together; all rows are filled up to whole panels."""

PANEL_BYTES = 4 * PANEL

SLAB_BYTES = 1 << 24
"""Of the memory that weights share: much enough for NumPy to ask for huge pages, in which the
processor finds a whole step's weights without looking them up page by page."""

LINEAR = np.dtype(
    [
        ("weight", "i8"),  # int8, a panel after the other as `tile.linear_tile` takes them
        ("outputs", "i8"),  # (panels, 3, PANEL) float32: scales, biases, sums of the weights
        ("panels", "i8"),
        ("input_panels", "i8"),
        ("depth", "i8"),  # lanes of a row of levels; see `unit.VectorUnit`
    ]
)
"""An int8 layer; see `PackedWeights.linear`."""

NORM = np.dtype([("weight", "i8"), ("bias", "i8"), ("eps", "f4"), ("is_identity", "i4")])
"""A layer norm, or nothing."""


def aligned(length: int, dtype: Any) -> Array:
    """Return zeros that begin where a vector does."""
    num_bytes = length * np.dtype(dtype).itemsize
    memory = np.zeros(num_bytes + VECTOR_BYTES, np.uint8)
    first = -memory.ctypes.data % VECTOR_BYTES
    return memory[first : first + num_bytes].view(dtype)


class PackedWeights:
    """Makes records, and keeps what they point to."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._slabs: list[Array] = []
        self._used = 0  # bytes of the last one

    @property
    def num_bytes(self) -> int:
        """Return the memory that is used; the system gives no other pages of the last slab."""
        return sum(slab.nbytes for slab in self._slabs[:-1]) + self._used

    def keep(self, values: Array, dtype: Any = np.float32) -> int:
        """Copy values to memory of our own; return their address."""
        num_bytes = values.size * np.dtype(dtype).itemsize
        if not self._slabs or self._used + num_bytes > self._slabs[-1].size:
            self._slabs.append(aligned(max(num_bytes, SLAB_BYTES), np.uint8))
            self._used = 0
        copy = self._slabs[-1][self._used : self._used + num_bytes].view(dtype)
        copy[:] = values.ravel()
        self._used += round_up(num_bytes, VECTOR_BYTES)
        return int(copy.ctypes.data)

    def norm(self, norm: nn.Module) -> tuple[object, ...]:
        """Return the record of an `nn.LayerNorm`, or of an `nn.Identity`."""
        if not isinstance(norm, nn.LayerNorm):
            return 0, 0, 0.0, 1
        both = np.zeros((2, round_up(len(norm.weight), PANEL)), np.float32)
        for filled, one in zip(both, (norm.weight, norm.bias), strict=True):
            filled[: len(one)] = one.detach().numpy()
        return *(self.keep(filled) for filled in both), norm.eps, 0

    def linear(
        self, name: str, weight: Tensor, bias: Tensor, filling: float = 0.0
    ) -> tuple[object, ...]:
        """Return the record of x W^T + b.

        Args:
            name: of the layer.
            weight: (F, D) float32.
            bias: (F,) float32.
            filling: the biases that fill up the last panel of outputs.

        Raises:
            ConfigError: it has weights that are not finite.
        """
        if not (weight.isfinite().all() and bias.isfinite().all()):
            raise ConfigError([f"{name}: has weights that are not finite; train the model again"])
        exact = weight.detach().numpy()
        scale = np.maximum(np.abs(exact).max(axis=1), 1e-8) / 127
        outputs, inputs = (round_up(length, PANEL) for length in exact.shape)
        padded = np.zeros((outputs, inputs), np.int8)
        padded[: exact.shape[0], : exact.shape[1]] = np.rint(exact / scale[:, None])
        depth, width = inputs // unit().levels_per_lane, unit().tile_vectors
        packed = padded.reshape(outputs // PANEL, -1, width, LANES, depth, unit().levels_per_lane)
        packed = packed.transpose(0, 1, 4, 2, 3, 5)
        of_outputs = np.zeros((3, outputs), np.float32)
        of_outputs[0, : len(scale)] = scale
        of_outputs[1, : len(scale)], of_outputs[1, len(scale) :] = bias.detach().numpy(), filling
        of_outputs[2] = padded.sum(axis=1, dtype=np.int64)
        return (
            self.keep(packed, np.int8),
            self.keep(of_outputs.reshape(3, -1, PANEL).transpose(1, 0, 2)),
            outputs // PANEL,
            inputs // PANEL,
            depth,
        )
