"""Products of small tiles, which Numba cannot express: what all matrix products are made of.

A tile is `rows` × `vectors` · 16 numbers, kept in registers while the depth is gone through. At
each place of the depth, every row gives four bytes that are next to one another, or one float; they
are spread over a vector and multiplied with vectors of the other matrix, of bytes or of halves.
Each number of the result is computed in the same way whichever tile it is part of: it does not
depend on other rows.

The functions below write LLVM's intermediate code, which Numba compiles into its caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import (
    F32,
    FLOATS,
    HALVES_BYTES,
    I32,
    I64,
    INTS,
    LANES,
    UNIT_BYTES,
    VECTOR_BYTES,
    called,
    fetch,
    loaded,
    loaded_halves,
    repeat,
    spread,
    store,
)

MOST_ROWS, MOST_VECTORS = 6, 4
"""6 × 4 sums and what they are made of fit into 32 registers."""

STORE, ADD = (cast(int, np.int64(case)) for case in range(2))
"""What becomes of the products: they are stored, or added to what is there.

They have a type of their own lest Numba compile its functions for each value.
"""


def _sums(
    builder: ir.IRBuilder,
    rows: int,
    vectors: int,
    is_bytes: bool,
    args: Sequence[ir.Value],
    indices: ir.Value | None = None,
    ahead: ir.Value | None = None,
) -> Sequence[ir.Value]:
    """Write the loop over the depth; return the sums of each row, one vector after the other.

    Args:
        builder: is at the place to write to.
        rows: of the tile.
        vectors: of each row.
        is_bytes: levels by weights, in exact sums (see `unit.VectorUnit`); or floats by halves.
        args: address and stride of the rows, address and stride of the vectors, and the depth.
        indices: address of the numbers, int32, of the vectors to be taken; the first ones if None.
        ahead: address of what is to be in the cache soon, a vector for each round; none if None.
    """
    left, left_stride, right, right_stride, depth = args
    kind = INTS if is_bytes else FLOATS
    starts = [
        builder.add(left, builder.mul(left_stride, ir.Constant(I64, row))) for row in range(rows)
    ]

    def grow(place: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
        number = place
        if ahead is not None:
            fetch(builder, builder.add(ahead, builder.mul(place, ir.Constant(I64, VECTOR_BYTES))))
        if indices is not None:
            there = builder.add(indices, builder.shl(place, ir.Constant(I64, 2)))
            number = builder.sext(loaded(builder, there, 0, I32), I64)
        there = builder.add(right, builder.mul(number, right_stride))
        if is_bytes:
            factors = [_weights(builder, there, i) for i in range(vectors)]
        else:
            factors = [loaded_halves(builder, there, HALVES_BYTES * i) for i in range(vectors)]
        grown = []
        for row, start in enumerate(starts):
            there = builder.add(start, builder.shl(place, ir.Constant(I64, 2)))
            left_factor = spread(builder, loaded(builder, there, 0, I32 if is_bytes else F32), kind)
            if is_bytes:
                left_factor = builder.bitcast(left_factor, unit().factors)
            for one, factor in zip(sums[row * vectors : (row + 1) * vectors], factors, strict=True):
                if is_bytes:
                    grown.append(unit().dot(builder, one, left_factor, factor))
                else:
                    grown.append(
                        called(builder, "llvm.fma.v16f32", FLOATS, left_factor, factor, one)
                    )
        return grown

    nothing = ir.Constant(kind, [0] * LANES)
    return repeat(builder, depth, [nothing] * (rows * vectors), grow)


def _weights(builder: ir.IRBuilder, address: ir.Value, number: int) -> ir.Value:
    """Load a vector of weights, as wide as the levels that they are multiplied with."""
    kind = unit().weights
    weights = loaded(builder, address, kind.count * number, kind)
    return weights if kind == unit().factors else builder.sext(weights, unit().factors)


def _finish(
    builder: ir.IRBuilder,
    total: ir.Value,
    of_row: Sequence[ir.Value],
    of_outputs: Sequence[ir.Value],
    out: ir.Value,
    after: int,
) -> None:
    """Store what a vector of exact sums means at the address `out`.

    Args:
        builder: is at the place to write to.
        total: the sums of bytes by weights.
        of_row: vectors of what a unit of the row's bytes is worth, and of what a byte of 0 is.
        of_outputs: vectors of what a unit of the weights is worth, of biases, and of the sums of
            the weights.
        out: address.
        after: `STORE` or `ADD`.
    """
    (unit, lowest), (scale, bias, weight_sum) = of_row, of_outputs
    value = builder.fmul(builder.sitofp(total, FLOATS), unit)
    value = called(builder, "llvm.fma.v16f32", FLOATS, weight_sum, lowest, value)
    value = called(builder, "llvm.fma.v16f32", FLOATS, value, scale, bias)
    if after == ADD:
        value = builder.fadd(value, loaded(builder, out, 0, FLOATS))
    store(builder, value, out)


def _choose(
    builder: ir.IRBuilder, chosen: ir.Value, cases: int, write: Callable[[int], None]
) -> None:
    """Write code for each of 0, 1 … `cases` - 1, and go to that of the value `chosen`."""
    behind = builder.append_basic_block("chosen")
    switch = builder.switch(chosen, behind)
    for case in range(cases):
        block = builder.append_basic_block(f"case{case}")
        switch.add_case(ir.Constant(I64, case), block)
        builder.position_at_end(block)
        write(case)
        builder.branch(behind)
    builder.position_at_end(behind)


def _write_linear(builder: ir.IRBuilder, rows: int, after: int, args: Sequence[ir.Value]) -> None:
    """Write code for a tile of so many rows; see `linear_tile` for the other arguments."""
    left, stride, units, right, depth, outputs, out, out_stride, ahead = args
    width, weight_bytes = unit().tile_vectors, unit().weights.count
    then = ahead if rows == MOST_ROWS else None  # few rows wait for memory anyway
    for first in range(0, MOST_VECTORS, width):
        start = builder.add(right, builder.mul(depth, ir.Constant(I64, first * weight_bytes)))
        factors = left, stride, start, ir.Constant(I64, width * weight_bytes), depth
        sums = _sums(builder, rows, width, True, factors, ahead=None if first else then)
        for i in range(first, first + width):
            of_outputs = [
                loaded(builder, outputs, (part * MOST_VECTORS + i) * VECTOR_BYTES, FLOATS)
                for part in range(3)
            ]
            for row in range(rows):
                of_row = [
                    spread(builder, loaded(builder, units, UNIT_BYTES * row + at, F32), FLOATS)
                    for at in (0, 4)
                ]
                there = builder.add(out, builder.mul(out_stride, ir.Constant(I64, row)))
                there = builder.add(there, ir.Constant(I64, VECTOR_BYTES * i))
                _finish(builder, sums[row * width + i - first], of_row, of_outputs, there, after)


@intrinsic  # type: ignore[untyped-decorator]
def linear_tile(
    context: Any, rows: Any, after: Any, left: Any, stride: Any, units: Any, right: Any,
    depth: Any, outputs: Any, out: Any, out_stride: Any, ahead: Any,
) -> Any:  # fmt: skip
    """Compute a tile of an int8 layer; all arguments are whole numbers, strides in bytes.

    Args:
        context: of Numba.
        rows: 1 to `MOST_ROWS`.
        after: `STORE` or `ADD`.
        left: address of rows of bytes.
        stride: of these rows.
        units: address of (rows, 2) float32: what a unit of a row's bytes is worth, and what a
            byte of 0 is.
        right: address of weights (`MOST_VECTORS` / N, depth, N, 16, levels of a lane) int8, with
            N the unit's `tile_vectors`.
        depth: lanes of a row of levels.
        outputs: address of (3, `MOST_VECTORS`, 16) float32: what a unit of the weights is worth,
            biases, and the sums of the weights.
        out: address of the result, float32.
        out_stride: of its rows.
        ahead: address of `depth` vectors that will be needed soon.
    """

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        rows, after, *rest = args

        def write_case(case: int) -> None:
            after, row_count = divmod(case, MOST_ROWS)
            _write_linear(builder, row_count + 1, after, rest)

        case = builder.sub(rows, ir.Constant(I64, 1))
        case = builder.add(case, builder.mul(after, ir.Constant(I64, MOST_ROWS)))
        _choose(builder, case, 2 * MOST_ROWS, write_case)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 11), write


@intrinsic  # type: ignore[untyped-decorator]
def float_tile(
    context: Any, rows: Any, vectors: Any, left: Any, stride: Any, right: Any, right_stride: Any,
    depth: Any, out: Any, out_stride: Any,
) -> Any:  # fmt: skip
    """Compute a tile of floats by halves; all arguments are whole numbers, strides in bytes.

    Args:
        context: of Numba.
        rows: 1 to `MOST_ROWS`.
        vectors: 1 to `MOST_VECTORS`, of the result's rows.
        left: address of rows of `depth` numbers.
        stride: of these rows.
        right: address of `depth` rows of so many vectors of halves.
        right_stride: of these rows.
        depth: how many products are summed.
        out: address of the result.
        out_stride: of its rows.
    """

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        rows, vectors, *factors, out, out_stride = args

        def write_case(case: int) -> None:
            vector_count, row_count = (number + 1 for number in divmod(case, MOST_ROWS))
            left, left_stride, right, *others = factors
            for first in range(0, vector_count, unit().tile_vectors):
                width = min(unit().tile_vectors, vector_count - first)
                there = builder.add(right, ir.Constant(I64, HALVES_BYTES * first))
                sums = iter(
                    _sums(builder, row_count, width, False, (left, left_stride, there, *others))
                )
                for row in range(row_count):
                    start = builder.add(out, builder.mul(out_stride, ir.Constant(I64, row)))
                    for i in range(first, first + width):
                        store(builder, next(sums), start, i * VECTOR_BYTES)

        case = builder.mul(builder.sub(vectors, ir.Constant(I64, 1)), ir.Constant(I64, MOST_ROWS))
        case = builder.add(case, builder.sub(rows, ir.Constant(I64, 1)))
        _choose(builder, case, MOST_VECTORS * MOST_ROWS, write_case)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 9), write


@intrinsic  # type: ignore[untyped-decorator]
def weighted_sum(
    context: Any, vectors: Any, weights: Any, right: Any, right_stride: Any, indices: Any,
    count: Any, out: Any,
) -> Any:  # fmt: skip
    """Add up rows of halves, which are chosen by number; all arguments are whole numbers.

    Args:
        context: of Numba.
        vectors: 1 to `MOST_VECTORS`, of a row.
        weights: address of `count` floats.
        right: address of row 0.
        right_stride: bytes from row to row.
        indices: address of the numbers of the rows, int32.
        count: of the rows.
        out: address of the sum.
    """

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        vectors, weights, right, right_stride, indices, count, out = args
        factors = weights, ir.Constant(I64, 0), right, right_stride, count

        def write_case(case: int) -> None:
            sums = _sums(builder, 1, case + 1, False, factors, indices)
            for i, one in enumerate(sums):
                store(builder, one, out, i * VECTOR_BYTES)

        _choose(builder, builder.sub(vectors, ir.Constant(I64, 1)), MOST_VECTORS, write_case)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 7), write
