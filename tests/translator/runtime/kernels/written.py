"""Code that is written with vectors, compiled to be called with addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from translator.runtime.kernels.unit import VectorUnit
from translator.runtime.kernels.vectors import INTS, LANES, loaded, store

Array = np.ndarray[Any, np.dtype[Any]]


def run(write: Callable[[ir.IRBuilder, ir.Value], ir.Value], source: Array, to: Array) -> None:
    """Compile what returns a vector, given the address of an array, and store that in another."""

    @intrinsic  # type: ignore[untyped-decorator]
    def written(context: Any, there: Any, to: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
            store(builder, write(builder, args[0]), args[1])
            return context.get_dummy_value()

        return types.void(types.intp, types.intp), generate

    @numba.njit  # type: ignore[untyped-decorator]
    def call(there: int, to: int) -> None:
        written(there, to)

    call(source.ctypes.data, to.ctypes.data)


def check_dot(one: VectorUnit) -> None:
    """Hold a unit's products to NumPy's, at the ends of what levels and weights can be."""
    each, generator = one.levels_per_lane, np.random.default_rng(0)
    levels = generator.integers(0, 256, (LANES, each))
    weights = generator.integers(-127, 128, (LANES, each))
    levels[:4], weights[:4:2], weights[1:4:2] = 255, 127, -127
    levels[4:8], weights[4:8:2], weights[5:8:2] = 0, 127, -127
    levels += one.lowest_level
    sums = generator.integers(-1000, 1000, LANES)
    room = one.factors.element.width // 8 * LANES * each
    memory = np.zeros(2 * room + 4 * LANES, np.uint8)
    for place, numbers in enumerate((levels, weights)):
        kind = {1: np.int8, 2: np.int16}[one.level_bytes]
        memory[place * room : (place + 1) * room] = numbers.astype(kind).ravel().view(np.uint8)
    memory[2 * room :] = sums.astype(np.int32).view(np.uint8)
    found = np.empty(LANES, np.int32)

    def write(builder: ir.IRBuilder, there: ir.Value) -> ir.Value:
        factors = (loaded(builder, there, place * room, one.factors) for place in range(2))
        return one.dot(builder, loaded(builder, there, 2 * room, INTS), *factors)

    run(write, memory, found)
    assert (found == sums + (levels * weights).sum(axis=1)).all()
