"""Small things that Numba cannot express: floats and integers at an address, and their products."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from translator.model.int8.tile import (
    F32,
    FLOATS,
    I32,
    I64,
    LANES,
    MOST_VECTORS,
    VECTOR_BYTES,
    called,
    loaded,
    number_vector,
)


def _folded(
    builder: ir.IRBuilder, vector: ir.Value, join: Callable[[ir.Value, ir.Value], ir.Value]
) -> ir.Value:
    """Join the lanes of a vector: the upper half with the lower one, until one is left."""
    half = LANES // 2
    while half:
        masks = (
            ir.Constant(ir.VectorType(I32, half), [first + i for i in range(half)])
            for first in (0, half)
        )
        vector = join(*(builder.shuffle_vector(vector, vector, mask) for mask in masks))
        half //= 2
    return builder.extract_element(vector, ir.Constant(I32, 0))


@intrinsic  # type: ignore[untyped-decorator]
def highest_of_panel(context: Any, address: Any) -> Any:
    """Return the highest of the `MOST_VECTORS` vectors of floats at an address."""

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        def higher(one: ir.Value, other: ir.Value) -> ir.Value:
            is_higher = builder.fcmp_ordered(">", one, other)
            return builder.select(is_higher, one, other)

        vectors = (loaded(builder, args[0], i * VECTOR_BYTES, FLOATS) for i in range(MOST_VECTORS))
        return _folded(builder, functools.reduce(higher, vectors), higher)

    return types.float32(types.intp), write


@intrinsic  # type: ignore[untyped-decorator]
def dot(context: Any, left: Any, right: Any, vectors: Any) -> Any:
    """Return the scalar product of so many vectors of floats at two addresses."""

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        left, right, vectors = args
        before = builder.block
        loop, behind = (builder.append_basic_block(name) for name in ("vector", "behind"))
        builder.branch(loop)
        builder.position_at_end(loop)
        place, total = builder.phi(I64), builder.phi(FLOATS)
        place.add_incoming(ir.Constant(I64, 0), before)
        total.add_incoming(number_vector(0.0), before)
        offset = builder.mul(place, ir.Constant(I64, VECTOR_BYTES))
        factors = [loaded(builder, one, offset, FLOATS) for one in (left, right)]
        grown = called(builder, "llvm.fma.v16f32", FLOATS, *factors, total)
        following = builder.add(place, ir.Constant(I64, 1))
        place.add_incoming(following, loop)
        total.add_incoming(grown, loop)
        builder.cbranch(builder.icmp_signed("<", following, vectors), loop, behind)
        builder.position_at_end(behind)
        return _folded(builder, grown, builder.fadd)

    return types.float32(*[types.intp] * 3), write


@intrinsic  # type: ignore[untyped-decorator]
def float_of_bits(context: Any, bits: Any) -> Any:
    """Return the float32 that these 32 bits mean."""

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], F32)

    return types.float32(types.int32), write


def _pointer_to(kind: Any) -> Callable[[int], Any]:
    @intrinsic  # type: ignore[untyped-decorator]
    def pointer(context: Any, address: Any) -> Any:
        def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(types.CPointer(kind)))

        return types.CPointer(kind)(types.intp), write

    found: Callable[[int], Any] = pointer
    return found


floats_at, bytes_at, ints_at = (
    _pointer_to(kind) for kind in (types.float32, types.uint8, types.int32)
)
"""Pointers to float32, uint8 and int32 at an address."""
