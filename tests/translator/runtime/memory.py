"""What stands at an address, for tests of what is compiled."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from translator.runtime.kernels.records import PANEL
from translator.runtime.kernels.tile import MOST_VECTORS
from translator.runtime.kernels.unit import unit


def at(address: int, dtype: Any, *shape: int) -> Any:
    """Return what stands at an address, as an array that shares its memory."""
    num_bytes = math.prod(shape) * np.dtype(dtype).itemsize
    raw = (ctypes.c_uint8 * num_bytes).from_address(int(address))
    return np.frombuffer(raw, dtype).reshape(shape)


def levels_of(linear: Any) -> tuple[Any, Any]:
    """Return the weights of an `INT8_LINEAR` record, (F, D), and what it says of outputs, (3, F).

    Both are filled up to whole panels.
    """
    panels, depth, each = int(linear["panels"]), int(linear["depth"]), unit().levels_per_lane
    parts = MOST_VECTORS // unit().tile_vectors
    packed = at(linear["weight"], np.int8, panels, parts, depth, PANEL // parts, each)
    matrix = packed.transpose(0, 1, 3, 2, 4).reshape(panels * PANEL, each * depth)
    of_outputs = at(linear["outputs"], np.float32, panels, 3, PANEL).transpose(1, 0, 2)
    return matrix, of_outputs.reshape(3, -1)


def level_type() -> Any:
    """Return the type that levels have in memory."""
    return np.dtype(f"{'i' if unit().lowest_level else 'u'}{unit().level_bytes}")


def stored_levels(levels: Any) -> Any:
    """Return levels 0..255 as they are stored."""
    return (levels + unit().lowest_level).astype(level_type())


def levels_meant(levels: Any) -> Any:
    """Return the levels 0..255 that are stored."""
    return levels.astype(np.int64) - unit().lowest_level
