"""Sums of products kept in registers, of which every tile is made.

Letters: a tile has R rows and N vectors of 16 numbers, and goes through a depth of M.

The functions write LLVM's intermediate code, which Numba compiles into its caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
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
    VECTOR_BYTES,
    fetch,
    loaded,
    repeat,
    spread,
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


@intrinsic  # type: ignore[untyped-decorator]
def size_of(context: Any, number: Any) -> Any:
    """Return the bytes of a number of the kind that is marked."""

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        return ir.Constant(I64, floats_as(number).vector_bytes // LANES)

    return types.intp(number), write


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
    starts = [
        builder.add(left, builder.mul(left_stride, ir.Constant(I64, row))) for row in range(rows)
    ]

    def grow(place: ir.Value, so_far: Sequence[ir.Value]) -> list[ir.Value]:
        number = place
        if ahead is not None:
            fetch(builder, builder.add(ahead, builder.mul(place, ir.Constant(I64, VECTOR_BYTES))))
        if indices is not None:
            there = builder.add(indices, builder.shl(place, ir.Constant(I64, 2)))
            number = builder.sext(loaded(builder, there, 0, I32), I64)
        there = builder.add(right, builder.mul(number, right_stride))
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
