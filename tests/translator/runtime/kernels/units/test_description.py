"""What a description says is how vectors are multiplied, widened and narrowed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from llvmlite import ir

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.kernels.units.written import check_dot, run
from translator.runtime.kernels.unit import UNITS, possible_units
from translator.runtime.kernels.units.description import VectorUnit
from translator.runtime.kernels.units.generic import GENERIC
from translator.runtime.kernels.vectors import FLOATS, HALVES, LANES, VECTOR_BYTES, loaded

pytestmark = NEEDS_INT8
FUSED = replace(GENERIC, has_fma=True)


@pytest.mark.parametrize("one", UNITS, ids=lambda one: one.name)
def test_levels_and_weights_fill_a_vector(one: VectorUnit) -> None:
    assert one.level_bytes * one.levels_per_lane == 4
    assert one.factors.count == one.weights.count == LANES * one.levels_per_lane
    assert (one.levels.count, one.levels.element) == (LANES, one.factors.element)


@pytest.mark.parametrize("one", possible_units(), ids=lambda one: one.name)
def test_products_are_exact(one: VectorUnit) -> None:
    check_dot(one)


@pytest.mark.parametrize("one", [GENERIC, FUSED], ids=["twice", "once"])
def test_a_product_is_rounded_once_or_twice_before_it_is_a_sum(one: VectorUnit) -> None:
    step = np.float32(2.0**-12)
    given, found = np.empty((3, LANES), np.float32), np.empty(LANES, np.float32)
    given[:] = [[1 + step], [1 + step], [-1 - 2 * step]]

    def write(builder: ir.IRBuilder, there: ir.Value) -> ir.Value:
        three = (loaded(builder, there, place * VECTOR_BYTES, FLOATS) for place in range(3))
        return one.multiply_add(builder, *three)

    run(write, given, found)
    assert set(found.tolist()) == {2.0**-24 if one.has_fma else 0.0}


@pytest.mark.parametrize("one", [GENERIC], ids=lambda one: one.name)
def test_halves_and_floats(one: VectorUnit) -> None:
    floats = np.random.default_rng(0).normal(size=LANES).astype(np.float32)
    halves, again = np.empty(LANES, np.float16), np.empty(LANES, np.float32)
    run(lambda builder, at: one.narrow(builder, loaded(builder, at, 0, FLOATS)), floats, halves)
    run(lambda builder, at: one.widen(builder, loaded(builder, at, 0, HALVES)), halves, again)
    assert (halves == floats.astype(np.float16)).all()
    assert (again == halves).all()
