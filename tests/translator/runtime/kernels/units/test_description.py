"""What a description says is how vectors are multiplied, widened and narrowed."""

from __future__ import annotations

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
