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

LANES = 16
"""Numbers of 32 bits in a vector."""

VECTOR_BYTES = 64

HALF_BYTES = 2
"""Of a float of 16 bits, a half, of which are all keys and values."""

HALVES_BYTES = LANES * HALF_BYTES

MOST_ROWS, MOST_VECTORS = 6, 4
"""6 × 4 sums and what they are made of fit into 32 registers."""

STORE, ADD, RELU_BYTES = (cast(int, np.int64(case)) for case in range(3))
"""What becomes of scaled sums: they are stored, added to what is there, or stored as bytes.

They have a type of their own lest Numba compile its functions for each value.
"""

I32, I64, F32, I8 = ir.IntType(32), ir.IntType(64), ir.FloatType(), ir.IntType(8)
INTS, FLOATS = ir.VectorType(I32, LANES), ir.VectorType(F32, LANES)
HALVES = ir.VectorType(ir.HalfType(), LANES)
BYTES = ir.VectorType(I8, VECTOR_BYTES)
DOT_OF_BYTES = "llvm.x86.avx512.vpdpbusd.512"


def called(builder: ir.IRBuilder, name: str, result: ir.Type, *values: ir.Value) -> ir.Value:
    """Call one of LLVM's own functions."""
    kind = ir.FunctionType(result, [value.type for value in values])
    return builder.call(builder.module.declare_intrinsic(name, (), kind), values)


def pointer(builder: ir.IRBuilder, address: ir.Value, offset: Any, kind: ir.Type) -> ir.Value:
    """Return a pointer to what is `offset` bytes behind an address."""
    if isinstance(offset, int):
        offset = ir.Constant(I64, offset)
    return builder.inttoptr(builder.add(address, offset), kind.as_pointer())


def loaded(builder: ir.IRBuilder, address: ir.Value, offset: Any, kind: ir.Type) -> ir.Value:
    """Load what may stand anywhere in memory."""
    value = builder.load(pointer(builder, address, offset, kind))
    value.align = 4
    return value


def loaded_halves(builder: ir.IRBuilder, address: ir.Value, offset: Any) -> ir.Value:
    """Load floats of 16 bits as such of 32."""
    return builder.fpext(loaded(builder, address, offset, HALVES), FLOATS)


def _spread(builder: ir.IRBuilder, value: ir.Value, kind: ir.VectorType) -> ir.Value:
    """Return a vector whose lanes are all the same."""
    unknown = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(unknown, value, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, unknown, ir.Constant(INTS, [0] * LANES))


def number_vector(value: float) -> ir.Constant:
    """Return a vector whose lanes all are this number."""
    return ir.Constant(FLOATS, [value] * LANES)


def _sums(
    builder: ir.IRBuilder,
    rows: int,
    vectors: int,
    is_bytes: bool,
    args: Sequence[ir.Value],
    indices: ir.Value | None = None,
) -> list[ir.Value]:
    """Write the loop over the depth; return the sums of each row, one vector after the other.

    Args:
        builder: is at the place to write to.
        rows: of the tile.
        vectors: of each row.
        is_bytes: unsigned bytes by signed ones, four a lane, in exact sums; or floats by halves.
        args: address and stride of the rows, address and stride of the vectors, and the depth.
        indices: address of the numbers, int32, of the vectors to be taken; the first ones if None.
    """
    left, left_stride, right, right_stride, depth = args
    kind, before = (INTS if is_bytes else FLOATS), builder.block
    loop, behind = (builder.append_basic_block(name) for name in ("depth", "behind"))
    starts = [
        builder.add(left, builder.mul(left_stride, ir.Constant(I64, row))) for row in range(rows)
    ]
    builder.branch(loop)
    builder.position_at_end(loop)
    place = builder.phi(I64)
    place.add_incoming(ir.Constant(I64, 0), before)
    sums = [builder.phi(kind) for _ in range(rows * vectors)]
    for one in sums:
        one.add_incoming(ir.Constant(kind, [0] * LANES), before)
    number = place
    if indices is not None:
        there = builder.add(indices, builder.shl(place, ir.Constant(I64, 2)))
        number = builder.sext(loaded(builder, there, 0, I32), I64)
    offset = builder.mul(number, right_stride)
    there = builder.add(right, offset)
    if is_bytes:
        factors = [loaded(builder, there, VECTOR_BYTES * i, BYTES) for i in range(vectors)]
    else:
        factors = [loaded_halves(builder, there, HALVES_BYTES * i) for i in range(vectors)]
    grown = []
    for row, start in enumerate(starts):
        there = builder.add(start, builder.shl(place, ir.Constant(I64, 2)))
        own = _spread(builder, loaded(builder, there, 0, I32 if is_bytes else F32), kind)
        own = builder.bitcast(own, BYTES) if is_bytes else own
        for one, factor in zip(sums[row * vectors : (row + 1) * vectors], factors, strict=True):
            if is_bytes:
                grown.append(called(builder, DOT_OF_BYTES, INTS, one, own, factor))
            else:
                grown.append(called(builder, "llvm.fma.v16f32", FLOATS, own, factor, one))
    following = builder.add(place, ir.Constant(I64, 1))
    place.add_incoming(following, loop)
    for one, new in zip(sums, grown, strict=True):
        one.add_incoming(new, loop)
    builder.cbranch(builder.icmp_signed("<", following, depth), loop, behind)
    builder.position_at_end(behind)
    return grown


def _finish(
    builder: ir.IRBuilder,
    total: ir.Value,
    scale: ir.Value,
    bias: ir.Value,
    out: ir.Value,
    after: int,
) -> None:
    """Scale a vector of exact sums, and store it at the address `out`."""
    value = builder.sitofp(total, FLOATS)
    value = called(builder, "llvm.fma.v16f32", FLOATS, value, scale, bias)
    if after == RELU_BYTES:  # rounded by cutting off, so that bias holds one half more
        value = called(builder, "llvm.maxnum.v16f32", FLOATS, value, number_vector(0.0))
        value = called(builder, "llvm.minnum.v16f32", FLOATS, value, number_vector(255.0))
        value = builder.trunc(builder.fptosi(value, INTS), ir.VectorType(I8, LANES))
    elif after == ADD:
        value = builder.fadd(value, loaded(builder, out, 0, FLOATS))
    builder.store(value, pointer(builder, out, 0, value.type)).align = 4


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


@intrinsic  # type: ignore[untyped-decorator]
def linear_tile(
    context: Any, rows: Any, after: Any, left: Any, stride: Any, right: Any, depth: Any,
    scales: Any, biases: Any, out: Any, out_stride: Any,
) -> Any:  # fmt: skip
    """Compute a tile of an int8 layer; all arguments are whole numbers, strides in bytes.

    Args:
        context: of Numba.
        rows: 1 to `MOST_ROWS`.
        after: `STORE`, `ADD` or `RELU_BYTES`.
        left: address of rows of bytes.
        stride: of these rows.
        right: address of weights (depth, `MOST_VECTORS`, 16, 4) int8.
        depth: a quarter of the number of inputs.
        scales: address of (`MOST_VECTORS`, 16) float32.
        biases: address of as many.
        out: address of the result, float32 or uint8.
        out_stride: of its rows.
    """

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        rows, after, left, stride, right, depth, scales, biases, out, out_stride = args

        def write_case(case: int) -> None:
            after, row_count = divmod(case, MOST_ROWS)
            row_count, size = row_count + 1, 1 if after == RELU_BYTES else 4
            right_stride = ir.Constant(I64, MOST_VECTORS * VECTOR_BYTES)
            factors = left, stride, right, right_stride, depth
            sums = iter(_sums(builder, row_count, MOST_VECTORS, True, factors))
            both = [
                [loaded(builder, those, i * VECTOR_BYTES, FLOATS) for i in range(MOST_VECTORS)]
                for those in (scales, biases)
            ]
            for row in range(row_count):
                there = builder.add(out, builder.mul(out_stride, ir.Constant(I64, row)))
                for scale, bias in zip(*both, strict=True):
                    _finish(builder, next(sums), scale, bias, there, after)
                    there = builder.add(there, ir.Constant(I64, LANES * size))

        case = builder.sub(rows, ir.Constant(I64, 1))
        case = builder.add(case, builder.mul(after, ir.Constant(I64, MOST_ROWS)))
        _choose(builder, case, 3 * MOST_ROWS, write_case)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 10), write


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
            sums = iter(_sums(builder, row_count, vector_count, False, factors))
            for row in range(row_count):
                start = builder.add(out, builder.mul(out_stride, ir.Constant(I64, row)))
                for i in range(vector_count):
                    there = pointer(builder, start, i * VECTOR_BYTES, FLOATS)
                    builder.store(next(sums), there).align = 4

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
                builder.store(one, pointer(builder, out, i * VECTOR_BYTES, FLOATS)).align = 4

        _choose(builder, builder.sub(vectors, ir.Constant(I64, 1)), MOST_VECTORS, write_case)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 7), write
