"""Products of small tiles, which Numba cannot express: what all matrix products are made of.

A tile is R rows × N vectors of 16 numbers, kept in registers while the depth M is gone through. At
each place of the depth, every row gives four bytes that are next to one another, or one float; they
are spread over a vector and multiplied with vectors of the other matrix. Each number of the result
is computed in the same way whichever tile it is part of: it does not depend on other rows.

The functions below write LLVM's intermediate code, which Numba compiles into its caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import (
    BYTES,
    F32,
    FLOATS,
    HALVES,
    HALVES_BYTES,
    I32,
    I64,
    INTS,
    LANES,
    UNIT_BYTES,
    VECTOR_BYTES,
    element,
    fetch,
    loaded,
    repeat,
    spread,
    store,
    written,
)

MOST_ROWS, MOST_VECTORS = 6, 4
"""6 × 4 sums and what they are made of fit into 32 registers."""


class Numbers(NamedTuple):
    """How a kind of number is read from memory, and multiplied with what it meets."""

    sums: ir.VectorType  # a vector of sums
    left: ir.Type  # what is read of a row at each place of the depth, and spread over a vector
    vector_bytes: int  # of a vector of these numbers
    load: Callable[[ir.IRBuilder, ir.Value], ir.Value]  # reads a vector, given its address
    # adds products to a vector of sums: (builder, sums, spread, vector) → sums
    add_product: Callable[[ir.IRBuilder, ir.Value, ir.Value, ir.Value], ir.Value]


def _multiply_add(
    builder: ir.IRBuilder, sums: ir.Value, left: ir.Value, right: ir.Value
) -> ir.Value:
    return unit().multiply_add(builder, left, right, sums)


def _dot(builder: ir.IRBuilder, sums: ir.Value, left: ir.Value, right: ir.Value) -> ir.Value:
    return unit().dot(builder, sums, builder.bitcast(left, unit().factors), right)


def _weights(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    """Load a vector of weights, as wide as the levels that they are multiplied with."""
    weights = loaded(builder, address, 0, unit().weights)
    is_wide = unit().weights == unit().factors
    return weights if is_wide else builder.sext(weights, unit().factors)


def _floats(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    return loaded(builder, address, 0, FLOATS)


def _halves(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    return unit().widen(builder, loaded(builder, address, 0, HALVES))


def _bytes(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    return builder.sitofp(loaded(builder, address, 0, BYTES), FLOATS)


Number = Any
"""Marks by its type what numbers are stored as: float32, halves of 16 bits, or bytes.

Keys and values are never bytes."""


FLOAT, HALF, BYTE = np.float32(0.0), np.int16(0), np.int8(0)
"""Such marks."""


def number_of(dtype: Any) -> str:
    """Return the type of what marks numbers of a dtype, for a field of a record."""
    return {np.float16: "i2", np.float32: "f4"}[dtype]


@written(types.intp, None)
def size_of(_: ir.IRBuilder, number: Any) -> ir.Value:
    """Return the bytes of a number of the kind that is marked."""
    return ir.Constant(I64, floats_as(number).vector_bytes // LANES)


def floats_as(kind: Any) -> Numbers:
    """Return how floats are read that are stored as such, as halves of 16 bits, or as bytes."""
    if kind == types.int16:
        return Numbers(FLOATS, F32, HALVES_BYTES, _halves, _multiply_add)
    if kind == types.int8:
        return Numbers(FLOATS, F32, LANES, _bytes, _multiply_add)
    return Numbers(FLOATS, F32, VECTOR_BYTES, _floats, _multiply_add)


def weights() -> Numbers:
    """Return how weights of 8 bits are read, which meet levels; their sums are exact."""
    return Numbers(INTS, I32, unit().weights.count, _weights, _dot)


def sums(
    builder: ir.IRBuilder,
    rows: int,
    vectors: int,
    numbers: Numbers,
    args: Sequence[ir.Value],
    indices: ir.Value | None = None,
    ahead: ir.Value | None = None,
) -> Sequence[ir.Value]:
    """Write the loop over the depth; return the sums of each of R rows, one vector after the other.

    `args` are address and stride of the rows, address and stride of the vectors, and the depth. At
    `indices` are the numbers, int32, of the vectors to be taken; the first ones if None. At `ahead`
    is what is to be in the cache soon, a vector for each round.
    """
    left, left_stride, right, right_stride, depth = args
    starts = [element(builder, left, left_stride, row) for row in range(rows)]

    def grow(place: ir.Value, so_far: Sequence[ir.Value]) -> list[ir.Value]:
        number = place
        if ahead is not None:
            fetch(builder, element(builder, ahead, place, VECTOR_BYTES))
        if indices is not None:
            there = builder.add(indices, builder.shl(place, ir.Constant(I64, 2)))
            number = builder.sext(loaded(builder, there, 0, I32), I64)
        there = element(builder, right, number, right_stride)
        factors = [
            numbers.load(builder, builder.add(there, ir.Constant(I64, i * numbers.vector_bytes)))
            for i in range(vectors)
        ]
        grown = []
        for row, start in enumerate(starts):
            there = builder.add(start, builder.shl(place, ir.Constant(I64, 2)))
            left_factor = spread(builder, loaded(builder, there, 0, numbers.left), numbers.sums)
            own = so_far[row * vectors : (row + 1) * vectors]
            for one, factor in zip(own, factors, strict=True):
                grown.append(numbers.add_product(builder, one, left_factor, factor))
        return grown

    nothing = ir.Constant(numbers.sums, [0] * LANES)
    return repeat(builder, depth, [nothing] * (rows * vectors), grow)


def choose(
    builder: ir.IRBuilder, chosen: ir.Value, cases: int, write: Callable[[int], None]
) -> None:
    """Write code for each of 0, 1 … `cases` - 1, and go to that of the value `chosen`."""
    after = builder.append_basic_block("chosen")
    switch = builder.switch(chosen, after)
    for case in range(cases):
        block = builder.append_basic_block(f"case{case}")
        switch.add_case(ir.Constant(I64, case), block)
        builder.position_at_end(block)
        write(case)
        builder.branch(after)
    builder.position_at_end(after)


STORE, ADD = (cast(int, np.int64(case)) for case in range(2))
"""What becomes of the products: they are stored, or added to what is there.

They have a type of their own lest Numba compile its functions for each value.
"""


def _meaning(
    builder: ir.IRBuilder,
    total: ir.Value,
    of_row: Sequence[ir.Value],
    of_outputs: Sequence[ir.Value],
) -> ir.Value:
    """Return what a vector of sums means: exact ones of levels by weights, or those of floats.

    `of_row` are vectors of what a unit of the row's levels is worth, and of what a level of 0 is;
    `of_outputs` of what a unit of the weights is worth, of biases, and of the sums of the weights;
    the biases alone for floats.
    """
    if total.type != INTS:
        return builder.fadd(total, of_outputs[0])
    (worth, lowest), (scale, bias, weight_sum) = of_row, of_outputs
    if unit().lowest_level:  # sums as if levels were stored as they are: floats are the same then
        lower = ir.Constant(INTS, [-unit().lowest_level] * LANES)
        total = builder.add(total, builder.mul(builder.fptosi(weight_sum, INTS), lower))
    value = builder.fmul(builder.sitofp(total, FLOATS), worth)
    value = unit().multiply_add(builder, weight_sum, lowest, value)
    return unit().multiply_add(builder, value, scale, bias)


def _write_linear(
    builder: ir.IRBuilder, rows: int, after: int, is_rounded: bool, args: Sequence[ir.Value]
) -> None:
    """Write code for a tile of so many rows; see `linear_tile` for the other arguments."""
    left, units, right, depth, outputs, out, out_stride, ahead = args
    stride = builder.shl(depth, ir.Constant(I64, 2))
    numbers = weights() if is_rounded else floats_as(types.float32)
    width, parts = unit().tile_vectors, (0, 1, 2) if is_rounded else (0,)
    then = ahead if rows == MOST_ROWS else None  # few rows wait for memory anyway
    for first in range(0, MOST_VECTORS, width):
        start = element(builder, right, depth, first * numbers.vector_bytes)
        factors = left, stride, start, ir.Constant(I64, width * numbers.vector_bytes), depth
        found = sums(builder, rows, width, numbers, factors, ahead=None if first else then)
        for i in range(first, first + width):
            of_outputs = [
                loaded(builder, outputs, (part * MOST_VECTORS + i) * VECTOR_BYTES, FLOATS)
                for part in parts
            ]
            for row in range(rows):
                of_row = [
                    spread(builder, loaded(builder, units, UNIT_BYTES * row + at, F32), FLOATS)
                    for at in ((0, 4) if is_rounded else ())
                ]
                there = element(builder, out, out_stride, row)
                there = builder.add(there, ir.Constant(I64, VECTOR_BYTES * i))
                value = _meaning(builder, found[row * width + i - first], of_row, of_outputs)
                if after == ADD:
                    value = builder.fadd(value, loaded(builder, there, 0, FLOATS))
                store(builder, value, there)


def _field(context: Any, builder: ir.IRBuilder, kind: Any, record: ir.Value, name: str) -> ir.Value:
    there = cgutils.get_record_member(
        builder, record, kind.offset(name), context.get_data_type(kind.typeof(name))
    )
    value = builder.load(there)
    value.align = 1
    return value


@intrinsic  # type: ignore[untyped-decorator]
def linear_tile(
    context: Any, linear: Any, panel: Any, rows: Any, after: Any, left: Any, units: Any, out: Any,
    out_stride: Any, ahead: Any,
) -> Any:  # fmt: skip
    """Compute a tile of a layer: 1 to `MOST_ROWS` rows of the outputs of one panel.

    What is compiled depends on the type of the layer's record: `INT8_LINEAR` or `FLOAT_LINEAR`. At
    `left` are rows of levels or floats, 4 · depth bytes each; at `units` (R, 2) float32, what a
    unit of a row's levels is worth, and what a level of 0 is, not looked at for floats; at `ahead`
    `depth` vectors that will be needed soon. `after` is `STORE` or `ADD`.
    """
    is_rounded = linear.typeof("kind") == types.int32

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        record, panel, rows, after, left, units, out, out_stride, ahead = args

        def field(name: str) -> ir.Value:
            return _field(context, builder, signature.args[0], record, name)

        right = element(builder, field("weight"), panel, field("panel_bytes"))
        outputs = element(builder, field("outputs"), panel, field("output_bytes"))
        rest = left, units, right, field("depth"), outputs, out, out_stride, ahead

        def write_case(case: int) -> None:
            after, row_count = divmod(case, MOST_ROWS)
            _write_linear(builder, row_count + 1, after, is_rounded, rest)

        case = builder.sub(rows, ir.Constant(I64, 1))
        case = builder.add(case, builder.mul(after, ir.Constant(I64, MOST_ROWS)))
        choose(builder, case, 2 * MOST_ROWS, write_case)
        return context.get_dummy_value()

    return types.void(linear, *[types.intp] * 8), write


@written(types.void, None, *[types.intp] * 9)
def float_tile(
    builder: ir.IRBuilder,
    number: Any,
    rows: ir.Value,
    vectors: ir.Value,
    left: ir.Value,
    stride: ir.Value,
    right: ir.Value,
    right_stride: ir.Value,
    depth: ir.Value,
    out: ir.Value,
    out_stride: ir.Value,
) -> None:
    """Compute a tile of floats by floats or halves; strides are in bytes.

    R rows, 1 to `MOST_ROWS`, of M = `depth` floats are on the left, and M rows of N `vectors`, 1 to
    `MOST_VECTORS`, on the right; `number` marks what these are stored as, see `number_of`.
    """
    numbers = floats_as(number)

    def write_case(case: int) -> None:
        vector_count, row_count = (number + 1 for number in divmod(case, MOST_ROWS))
        for first in range(0, vector_count, unit().tile_vectors):
            width = min(unit().tile_vectors, vector_count - first)
            there = builder.add(right, ir.Constant(I64, numbers.vector_bytes * first))
            given = left, stride, there, right_stride, depth
            found = iter(sums(builder, row_count, width, numbers, given))
            for row in range(row_count):
                start = element(builder, out, out_stride, row)
                for i in range(first, first + width):
                    store(builder, next(found), start, i * VECTOR_BYTES)

    case = builder.mul(builder.sub(vectors, ir.Constant(I64, 1)), ir.Constant(I64, MOST_ROWS))
    case = builder.add(case, builder.sub(rows, ir.Constant(I64, 1)))
    choose(builder, case, MOST_VECTORS * MOST_ROWS, write_case)


@written(types.void, None, *[types.intp] * 7)
def weighted_sum(
    builder: ir.IRBuilder,
    number: Any,
    vectors: ir.Value,
    weights: ir.Value,
    right: ir.Value,
    right_stride: ir.Value,
    indices: ir.Value,
    count: ir.Value,
    out: ir.Value,
) -> None:
    """Add up `count` rows of floats or halves, which are chosen by number, times weights.

    A row has N `vectors`, 1 to `MOST_VECTORS`; at `indices` are the numbers of the rows, int32, and
    `number` marks what these are stored as, see `number_of`.
    """
    factors = weights, ir.Constant(I64, 0), right, right_stride, count

    def write_case(case: int) -> None:
        for i, one in enumerate(sums(builder, 1, case + 1, floats_as(number), factors, indices)):
            store(builder, one, out, i * VECTOR_BYTES)

    choose(builder, builder.sub(vectors, ir.Constant(I64, 1)), MOST_VECTORS, write_case)
