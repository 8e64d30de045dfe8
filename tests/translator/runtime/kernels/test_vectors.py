"""What is written with vectors in LLVM's intermediate code does what NumPy does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tests.cpu import NEEDS_INT8
from translator.runtime.kernels import vectors
from translator.runtime.kernels.vectors import F32, FLOATS, I32, I64, INTS, LANES, VECTOR_BYTES

pytestmark = NEEDS_INT8


def compiled(write: Callable[..., Any], result: Any = types.void) -> Callable[[int, int], Any]:
    """Return a function of two whole numbers that runs what `write` writes."""

    @intrinsic  # type: ignore[untyped-decorator]
    def written(context: Any, one: Any, other: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
            found = write(builder, *args)
            return context.get_dummy_value() if result == types.void else found

        return result(types.intp, types.intp), generate

    @numba.njit  # type: ignore[untyped-decorator]
    def call(one: int, other: int) -> Any:
        return written(one, other)

    function: Callable[[int, int], Any] = call
    return function


def numbers(length: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(0).normal(size=length).astype(np.float32)


@pytest.mark.parametrize("first", [0, 1, 3])
def test_vectors_are_loaded_and_stored_at_any_float(first: int) -> None:
    source, target = numbers(40), np.full(40, 7, np.float32)

    def copy(builder: ir.IRBuilder, there: ir.Value, to: ir.Value) -> None:
        value = vectors.loaded(builder, there, 4 * first, FLOATS)
        vectors.store(builder, value, to, ir.Constant(I64, 8))

    compiled(copy)(source.ctypes.data, target.ctypes.data)
    assert (target[2 : 2 + LANES] == source[first : first + LANES]).all()
    assert (np.delete(target, range(2, 2 + LANES)) == 7).all()


def test_parts_of_a_vector_are_joined_in_another_order() -> None:
    source, target = np.arange(LANES, dtype=np.int32), np.empty(LANES, np.int32)

    def turn(builder: ir.IRBuilder, there: ir.Value, to: ir.Value) -> None:
        four = vectors.parts(builder, vectors.loaded(builder, there, 0, INTS), 4)
        vectors.store(builder, vectors.joined(builder, four[::-1]), to)

    compiled(turn)(source.ctypes.data, target.ctypes.data)
    assert (target == source.reshape(4, 4)[::-1].ravel()).all()


def test_one_number_in_all_lanes() -> None:
    source, target = numbers(1), np.empty((2, LANES), np.float32)

    def fill(builder: ir.IRBuilder, there: ir.Value, to: ir.Value) -> None:
        one = vectors.loaded(builder, there, 0, F32)
        vectors.store(builder, vectors.spread(builder, one, FLOATS), to)
        vectors.store(builder, vectors.number_vector(2.5), to, VECTOR_BYTES)

    compiled(fill)(source.ctypes.data, target.ctypes.data)
    assert (target[0] == source[0]).all()
    assert (target[1] == 2.5).all()


@pytest.mark.parametrize("rounds", [1, 2, 9])
def test_a_loop_goes_through_all_rounds(rounds: int) -> None:
    target = np.empty((2, LANES), np.int32)

    def add_up(builder: ir.IRBuilder, to: ir.Value, count: ir.Value) -> None:
        def grow(place: ir.Value, found: Sequence[ir.Value]) -> Sequence[ir.Value]:
            own = vectors.spread(builder, builder.trunc(place, I32), INTS)
            return [builder.add(found[0], own), builder.add(found[1], found[0])]

        starts = [ir.Constant(INTS, list(range(LANES))), ir.Constant(INTS, [0] * LANES)]
        for i, one in enumerate(vectors.repeat(builder, count, starts, grow)):
            vectors.store(builder, one, to, i * VECTOR_BYTES)

    compiled(add_up)(target.ctypes.data, rounds)
    first, second = np.arange(LANES), np.zeros(LANES, np.int64)
    for place in range(rounds):
        first, second = first + place, second + first
    assert (target == [first, second]).all()


def test_lanes_and_panels_are_added_up() -> None:
    panel = np.arange(4 * LANES, dtype=np.float32)

    def fold(builder: ir.IRBuilder, there: ir.Value, _: ir.Value) -> Any:
        vector = vectors.loaded(builder, there, VECTOR_BYTES, FLOATS)
        return vectors.folded(builder, vector, builder.fadd)

    def total(builder: ir.IRBuilder, there: ir.Value, _: ir.Value) -> Any:
        four = [vectors.loaded(builder, there, i * VECTOR_BYTES, FLOATS) for i in range(4)]
        return vectors.total_of(builder, four)

    assert compiled(fold, types.float32)(panel.ctypes.data, 0) == sum(range(16, 32))
    assert compiled(total, types.float32)(panel.ctypes.data, 0) == sum(range(64))


def test_what_is_fetched_need_not_exist() -> None:
    def fetch(builder: ir.IRBuilder, there: ir.Value, _: ir.Value) -> Any:
        vectors.fetch(builder, there)
        return there

    assert compiled(fetch, types.intp)(64, 0) == 64
