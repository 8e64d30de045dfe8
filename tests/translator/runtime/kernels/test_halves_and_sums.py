"""What a description says is how vectors are multiplied, widened and narrowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.kernels.written import check_dot, run
from translator.runtime.kernels.unit import (
    GENERIC,
    UNITS,
    VectorUnit,
    narrowed,
    possible_units,
    widened,
)
from translator.runtime.kernels.vectors import FLOATS, HALVES, LANES, VECTOR_BYTES, loaded, store

pytestmark = NEEDS_INT8


@pytest.mark.parametrize("one", UNITS, ids=lambda one: one.name)
def test_levels_and_weights_fill_a_vector(one: VectorUnit) -> None:
    assert one.level_bytes * one.levels_per_lane == 4
    assert one.factors.count == one.weights.count == LANES * one.levels_per_lane
    assert (one.levels.count, one.levels.element) == (LANES, one.factors.element)


@pytest.mark.parametrize("one", possible_units(), ids=lambda one: one.name)
def test_products_are_exact(one: VectorUnit) -> None:
    check_dot(one)


def test_a_product_is_not_rounded_before_it_is_a_sum() -> None:
    generator = np.random.default_rng(0)
    given, found = np.empty((3, LANES), np.float32), np.empty(LANES, np.float32)
    given[:2] = generator.normal(size=(2, LANES))
    given[2] = -given[0] * given[1]

    def write(builder: ir.IRBuilder, there: ir.Value) -> ir.Value:
        three = (loaded(builder, there, place * VECTOR_BYTES, FLOATS) for place in range(3))
        return GENERIC.multiply_add(builder, *three)

    run(write, given, found)
    one, other, added = given.astype(np.float64)
    assert (found == (one * other + added).astype(np.float32)).all()
    assert found.any(), "what rounding took off is left"


@pytest.mark.parametrize("one", possible_units(), ids=lambda one: one.name)
def test_halves_and_floats(one: VectorUnit) -> None:
    floats = np.random.default_rng(0).normal(size=LANES).astype(np.float32)
    halves, again = np.empty(LANES, np.float16), np.empty(LANES, np.float32)
    run(lambda builder, at: one.narrow(builder, loaded(builder, at, 0, FLOATS)), floats, halves)
    run(lambda builder, at: one.widen(builder, loaded(builder, at, 0, HALVES)), halves, again)
    assert (halves == floats.astype(np.float16)).all()
    assert (again == halves).all()


pytestmark = NEEDS_INT8
HALF_BITS = np.arange(1 << 16, dtype=np.uint16)


def compiled(
    change: Callable[[ir.IRBuilder, ir.Value], ir.Value], kind: ir.VectorType
) -> Callable[[int, int], None]:
    """Return a function that changes a vector at one address and stores it at another."""

    @intrinsic  # type: ignore[untyped-decorator]
    def written(context: Any, source: Any, to: Any) -> Any:
        def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
            store(builder, change(builder, loaded(builder, args[0], 0, kind)), args[1])
            return context.get_dummy_value()

        return types.void(types.intp, types.intp), write

    @numba.njit  # type: ignore[untyped-decorator]
    def call(source: int, to: int) -> None:
        written(source, to)

    function: Callable[[int, int], None] = call
    return function


def test_every_half_becomes_the_float_that_it_is() -> None:
    halves, found = HALF_BITS.view(np.float16), np.empty(1 << 16, np.float32)
    widen = compiled(widened, HALVES)
    for first in range(0, len(halves), LANES):
        widen(halves.ctypes.data + 2 * first, found.ctypes.data + 4 * first)
    with np.errstate(invalid="ignore"):  # of NumPy, on ARM, for numbers that are none
        expected = halves.astype(np.float32)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("sign", [1, -1])
def test_floats_become_the_nearest_half_or_the_even_one(sign: int) -> None:
    finite = HALF_BITS[:0x7C00].view(np.float16).astype(np.float64)
    middles = (finite[:-1] + finite[1:]) / 2
    sides = [np.nextafter(middles.astype(np.float32), np.float32(to)) for to in (0, 1e9)]
    others = [0, 65519.9, 65520, 1e30, np.inf, np.nan, 1e-40, 3e-8]
    values = sign * np.concatenate([finite, middles, *sides, others]).astype(np.float32)
    values = np.resize(values, -(-len(values) // LANES) * LANES)
    found, narrow = np.empty(len(values), np.float16), compiled(narrowed, FLOATS)
    for first in range(0, len(values), LANES):
        narrow(values.ctypes.data + 4 * first, found.ctypes.data + 2 * first)
    with np.errstate(over="ignore", invalid="ignore"):
        np.testing.assert_array_equal(found, values.astype(np.float16))
    assert (np.signbit(found) == np.signbit(values))[~np.isnan(values)].all()
