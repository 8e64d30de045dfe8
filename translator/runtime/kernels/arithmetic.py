"""What is computed of rows of floats between the products: norms, activations, inputs of layers.

Letters: a row is one position of one sentence; what fills up its last panel is 0.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numba
import numpy as np

from translator.jit import compiled
from translator.runtime.kernels.dot_products import (
    floats_at,
    highest_of,
    ints_at,
    long_ints_at,
    lowest_of,
    round_panels,
)
from translator.runtime.kernels.panels import copy_panels, gelu_tanh, norm_panels, silu
from translator.runtime.kernels.records import PANEL
from translator.runtime.kernels.vectors import LANES

Record = Any
"""One of the records of `records.py`, as Numba sees it."""

NOWHERE, FIRST = (cast(int, np.int64(0)) for _ in range(2))
"""An address where nothing is, and the first row or panel; of the type that others are of, lest
Numba compile what takes them twice."""

LEVELS, SMALLEST_EXTENT = np.float32(255), np.float32(1e-30)
"""Steps between the lowest and the highest level, and what is between them at least."""

LOWEST, NOTHING = np.float32(-math.inf), np.float32(0.0)

RELU, GELU, GELU_TANH, SILU = range(4)
ACTIVATIONS = {"relu": RELU, "gelu": GELU, "gelu_tanh": GELU_TANH, "silu": SILU}
"""Numbers of what `activate` computes."""


@compiled
def floats(address: int, length: int) -> Any:
    """Return `length` float32 at an address as an array."""
    return numba.carray(floats_at(address), length)


@compiled
def ints(address: int, length: int) -> Any:
    """Return `length` int32 at an address as an array."""
    return numba.carray(ints_at(address), length)


@compiled
def long_ints(address: int, length: int) -> Any:
    """Return `length` int64 at an address as an array."""
    return numba.carray(long_ints_at(address), length)


@compiled
def in_whole_vectors(length: int) -> int:
    """Return a number of floats rounded up to whole vectors."""
    return (length + LANES - 1) // LANES * LANES


@compiled
def give(linear: Record, row: int, is_positive: bool, to: int, unit: int) -> None:
    """Write a row of floats as a layer takes it: as such, or as steps between its extremes.

    At `row` are whole panels; if `is_positive`, floats below 0 count as 0 (ReLU). At `unit` two
    floats receive what a level is worth, and what a level of 0 is: 0 or less; nothing if the layer
    takes floats.

    Source: Jacob et al. 2018, §2.1, with a scale of its own for each row.
    """
    panels = linear.input_panels
    if not linear.is_rounded:
        copy_panels(row, to, panels, NOTHING if is_positive else LOWEST)
        return
    low = NOTHING if is_positive else min(lowest_of(row, panels), NOTHING)
    high = max(highest_of(row, panels), NOTHING)
    extent = max(high - low, SMALLEST_EXTENT)
    factor, about = LEVELS / extent, floats(unit, 2)
    about[0], about[1] = extent / LEVELS, low
    round_panels(row, panels, factor, np.float32(0.5) - low * factor, to)


@compiled
def activate(row: int, length: int, activation: int) -> None:
    """Apply one of `ACTIVATIONS` to the floats at an address; ReLU is part of what `give` does.

    What fills up the last panel stays 0.

    Raises:
        ValueError: the number has no formula here.
    """
    panels = (length + PANEL - 1) // PANEL
    if activation == GELU:
        values = floats(row, length)
        for i in range(length):
            values[i] *= np.float32(0.5 * (1.0 + math.erf(values[i] / math.sqrt(2.0))))
    elif activation == GELU_TANH:
        gelu_tanh(row, panels)
    elif activation == SILU:
        silu(row, panels)
    elif activation != RELU:
        raise ValueError("arithmetic.activate has no formula for this activation")


@compiled
def normalise(row: int, out: int, length: int, norm: Record) -> None:
    """Write the layer norm of the `length` floats at an address to `out`, which may be the same.

    What fills up the last panel is 0 before and after.
    """
    panels = (length + PANEL - 1) // PANEL
    if norm.is_identity:
        copy_panels(row, out, panels, LOWEST)
    else:
        norm_panels(row, out, panels, length, norm.eps, norm.weight, norm.bias)
