"""What is computed of rows of floats between the products: norms, rounding, powers of two."""

from __future__ import annotations

from typing import Any

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
from translator.runtime.kernels.norm import copy_panels, norm_panels
from translator.runtime.kernels.records import PANEL
from translator.runtime.kernels.vectors import LANES

Record = Any
"""One of the records of `records.py`, as Numba sees it."""

LEVELS, SMALLEST_EXTENT = np.float32(255), np.float32(1e-30)
"""Steps between the lowest and the highest byte, and what is between them at least."""


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
def to_bytes(row: int, panels: int, is_positive: bool, out: int, unit: int) -> None:
    """Round a row of floats to bytes, which are steps from the lowest to the highest and 0.

    Source: Jacob et al. 2018, §2.1, with a scale of its own for each row.

    Args:
        row: address of the floats.
        panels: how many of them; what fills up the last one is 0.
        is_positive: whether those below 0 count as 0 (ReLU).
        out: address of the bytes.
        unit: address of two floats, which receive what a unit of the bytes is worth, and what a
            byte of 0 is: 0 or less.
    """
    low = np.float32(0.0) if is_positive else min(lowest_of(row, panels), np.float32(0.0))
    high = max(highest_of(row, panels), np.float32(0.0))
    extent = max(high - low, SMALLEST_EXTENT)
    factor, about = LEVELS / extent, floats(unit, 2)
    about[0], about[1] = extent / LEVELS, low
    round_panels(row, panels, factor, np.float32(0.5) - low * factor, out)


@compiled
def normalise(row: int, out: int, length: int, norm: Record) -> None:
    """Write the layer norm of the `length` floats at an address to `out`, which may be the same.

    What fills up the last panel is 0 before and after.
    """
    panels = (length + PANEL - 1) // PANEL
    if norm.is_identity:
        copy_panels(row, out, panels)
    else:
        norm_panels(row, out, panels, length, norm.eps, norm.weight, norm.bias)
