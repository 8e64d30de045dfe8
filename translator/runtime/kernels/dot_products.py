"""Small things that Numba cannot express: floats and integers at an address, and their products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from translator.runtime.kernels.tile import MOST_VECTORS, floats_as
from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import (
    FLOATS,
    I16,
    I64,
    INTS,
    LANES,
    VECTOR_BYTES,
    element,
    folded,
    loaded,
    number_vector,
    repeat,
    spread,
    store,
    written,
)


def panel_at(builder: ir.IRBuilder, address: ir.Value, number: ir.Value) -> list[ir.Value]:
    """Load the vectors of a panel."""
    there = element(builder, address, number, MOST_VECTORS * VECTOR_BYTES)
    return [loaded(builder, there, i * VECTOR_BYTES, FLOATS) for i in range(MOST_VECTORS)]


def store_panel(
    builder: ir.IRBuilder, vectors: Sequence[ir.Value], address: ir.Value, number: ir.Value
) -> None:
    """Store the vectors of a panel."""
    there = element(builder, address, number, MOST_VECTORS * VECTOR_BYTES)
    for i, vector in enumerate(vectors):
        store(builder, vector, there, i * VECTOR_BYTES)


def one_that_is(builder: ir.IRBuilder, which: str, one: ir.Value, other: ir.Value) -> ir.Value:
    """Return what is `<` or `>`, of each pair of lanes."""
    return builder.select(builder.fcmp_ordered(which, one, other), one, other)


def _extreme(which: str) -> Callable[..., Any]:
    """Return a function of an address and a number of panels of floats, 1 or more."""

    @written(types.float32, types.intp, types.intp)
    def extreme(builder: ir.IRBuilder, address: ir.Value, panels: ir.Value) -> ir.Value:
        join = partial(one_that_is, builder, which)

        def grow(number: ir.Value, found: Sequence[ir.Value]) -> Sequence[ir.Value]:
            panel = panel_at(builder, address, number)
            return [join(one, other) for one, other in zip(panel, found, strict=True)]

        first = panel_at(builder, address, ir.Constant(I64, 0))
        return folded(builder, reduce(join, repeat(builder, panels, first, grow)), join)

    return extreme


lowest_of, highest_of = _extreme("<"), _extreme(">")
"""The lowest and the highest number in so many panels at an address."""


def _places(which: str) -> Callable[..., Any]:
    """Return a function of the address of a panel of floats and of a number to compare them to."""

    @written(types.int64, types.intp, types.float32)
    def places(builder: ir.IRBuilder, address: ir.Value, value: ir.Value) -> ir.Value:
        value, found = spread(builder, value, FLOATS), ir.Constant(I64, 0)
        for i, one in enumerate(panel_at(builder, address, found)):
            bits = builder.bitcast(builder.fcmp_ordered(which, one, value), I16)
            bits = builder.shl(builder.zext(bits, I64), ir.Constant(I64, i * LANES))
            found = builder.or_(found, bits)
        return found

    return places


places_of, places_above = _places("=="), _places(">")
"""In which of the 64 places of a panel a value stands, or a higher one, as bits."""


@written(types.int64, types.int64)
def lowest_bit(builder: ir.IRBuilder, bits: ir.Value) -> ir.Value:
    """Return the number of the lowest bit that is set; there is one."""
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))


@written(types.void, types.intp, types.intp, types.float32, types.float32, types.intp)
def round_panels(
    builder: ir.IRBuilder,
    address: ir.Value,
    panels: ir.Value,
    factor: ir.Value,
    offset: ir.Value,
    to: ir.Value,
) -> None:
    """Write x · factor + offset, cut off to levels, 0 if below 0, for panels of floats."""
    level_bytes = unit().level_bytes
    panel_bytes = MOST_VECTORS * LANES * level_bytes
    factor, offset = (spread(builder, one, FLOATS) for one in (factor, offset))

    def round_one(number: ir.Value, _: Sequence[ir.Value]) -> Sequence[ir.Value]:
        there = element(builder, to, number, panel_bytes)
        for i, one in enumerate(panel_at(builder, address, number)):
            value = unit().multiply_add(builder, one, factor, offset)
            value = one_that_is(builder, ">", value, number_vector(0.0))
            lowest = ir.Constant(INTS, [unit().lowest_level] * LANES)
            levels = builder.add(builder.fptosi(value, INTS), lowest)
            levels = builder.trunc(levels, unit().levels)
            store(builder, levels, there, i * LANES * level_bytes, align=level_bytes)
        return []

    repeat(builder, panels, [], round_one)


@written(types.float32, None, types.intp, types.intp, types.intp)
def dot(
    builder: ir.IRBuilder, number: Any, left: ir.Value, right: ir.Value, vectors: ir.Value
) -> ir.Value:
    """Return the scalar product of so many vectors, 1 or more, at two addresses.

    On the left are floats; `number` marks what the right one is stored as; see `tile.number_of`.
    """
    numbers = floats_as(number)

    def grow(place: ir.Value, total: Sequence[ir.Value]) -> Sequence[ir.Value]:
        one = loaded(builder, element(builder, left, place, VECTOR_BYTES), 0, FLOATS)
        there = element(builder, right, place, numbers.vector_bytes)
        other = numbers.load(builder, there)
        return [numbers.add_product(builder, total[0], one, other)]

    [total] = repeat(builder, vectors, [number_vector(0.0)], grow)
    return folded(builder, total, builder.fadd)


@written(types.void, None, types.intp, types.float32, types.intp, types.intp, types.intp)
def scaled_sum(
    builder: ir.IRBuilder,
    number: Any,
    one: ir.Value,
    scale: ir.Value,
    other: ir.Value,
    to: ir.Value,
    vectors: ir.Value,
) -> None:
    """Write numbers · scale + floats, for so many vectors, 1 or more; the product is rounded first.

    `number` marks what the numbers, at `one`, are stored as; see `tile.number_of`.
    """
    numbers, scale = floats_as(number), spread(builder, scale, FLOATS)

    def add_one(place: ir.Value, _: Sequence[ir.Value]) -> Sequence[ir.Value]:
        vector = numbers.load(builder, element(builder, one, place, numbers.vector_bytes))
        added = loaded(builder, element(builder, other, place, VECTOR_BYTES), 0, FLOATS)
        total = builder.fadd(builder.fmul(vector, scale), added)
        store(builder, total, element(builder, to, place, VECTOR_BYTES))
        return []

    repeat(builder, vectors, [], add_one)


def _store_as(number: Any, builder: ir.IRBuilder, value: ir.Value, address: ir.Value) -> None:
    """Store a vector of floats as such, or rounded to 16 bits."""
    is_rounded = number == types.int16
    store(builder, unit().narrow(builder, value) if is_rounded else value, address)


@written(types.void, None, types.intp, types.intp)
def keep(builder: ir.IRBuilder, number: Any, source: ir.Value, to: ir.Value) -> None:
    """Write a vector of floats at one address to another, as `number` marks."""
    _store_as(number, builder, loaded(builder, source, 0, FLOATS), to)


@written(types.void, None, types.intp, types.intp, types.intp, types.intp)
def keep_transposed(
    builder: ir.IRBuilder,
    number: Any,
    rows: ir.Value,
    stride: ir.Value,
    to: ir.Value,
    to_stride: ir.Value,
) -> None:
    """Write the columns of 16 × 16 floats as rows, as `number` marks; strides are in bytes."""
    tile = [loaded(builder, element(builder, rows, stride, i), 0, FLOATS) for i in range(LANES)]
    for i, column in enumerate(_transposed(builder, tile)):
        _store_as(number, builder, column, element(builder, to, to_stride, i))


def _transposed(builder: ir.IRBuilder, rows: list[ir.Value]) -> list[ir.Value]:
    """Return the columns of 16 vectors: rows that are `step` apart exchange blocks of `step`."""
    step = LANES // 2
    while step:
        low = [lane if not lane & step else lane - step + LANES for lane in range(LANES)]
        high = [lane + step if not lane & step else lane + LANES for lane in range(LANES)]
        rows = list(rows)
        for i in range(LANES):
            if not i & step:
                pair = rows[i], rows[i + step]
                rows[i], rows[i + step] = (
                    builder.shuffle_vector(*pair, ir.Constant(INTS, mask)) for mask in (low, high)
                )
        step //= 2
    return rows


def _pointer_to(kind: Any) -> Callable[[int], Any]:
    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(context: Any, address: Any) -> Any:
        def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(types.CPointer(kind)))

        return types.CPointer(kind)(types.intp), write

    found: Callable[[int], Any] = pointer
    return found


floats_at, ints_at, long_ints_at = (
    _pointer_to(kind) for kind in (types.float32, types.int32, types.int64)
)
"""Pointers to float32, int32 and int64 at an address."""
