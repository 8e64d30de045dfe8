"""Vectors in LLVM's intermediate code, of which everything compiled is made that Numba lacks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba.extending import intrinsic

LANES = 16
"""Numbers of 32 bits in a vector."""

VECTOR_BYTES = 64

HALVES_BYTES = 2 * LANES
"""Of a vector of floats of 16 bits, halves, of which are all keys and values in int8."""

UNIT_BYTES = 8
"""Of what is known of a row of bytes: two floats; see `arithmetic.give`."""

I8, I16, I32, I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))
F32 = ir.FloatType()
INTS, FLOATS = ir.VectorType(I32, LANES), ir.VectorType(F32, LANES)
DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
HALVES = ir.VectorType(ir.HalfType(), LANES)
BYTES = ir.VectorType(I8, LANES)


def written(result: Any, *kinds: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let compiled functions call what a function writes, given a builder and a value of each kind.

    Kinds, and the result's, are types of Numba. Where one is None, any type will do: the argument
    marks it, and the function is given the type instead of the value. Without a result it is void.
    """

    def decorated(write: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(write)
        def typed(_: Any, *given: Any) -> Any:
            taken = [one if kind is None else kind for kind, one in zip(kinds, given, strict=True)]

            def code(context: Any, builder: ir.IRBuilder, _: Any, values: Any) -> Any:
                every = zip(kinds, given, values, strict=True)
                args = [one if kind is None else value for kind, one, value in every]
                found = write(builder, *args)
                return context.get_dummy_value() if found is None else found

            return result(*taken), code

        found: Callable[..., Any] = intrinsic(typed)
        return found

    return decorated


def called(builder: ir.IRBuilder, name: str, result: ir.Type, *values: ir.Value) -> ir.Value:
    """Call one of LLVM's own functions."""
    kind = ir.FunctionType(result, [value.type for value in values])
    return builder.call(builder.module.declare_intrinsic(name, (), kind), values)


def element(builder: ir.IRBuilder, address: ir.Value, number: ir.Value, size: Any) -> ir.Value:
    """Return the address of one of the things of `size` bytes that stand behind one another."""
    if isinstance(size, int):
        size = ir.Constant(I64, size)
    return builder.add(address, builder.mul(number, size))


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


def store(
    builder: ir.IRBuilder, value: ir.Value, address: ir.Value, offset: Any = 0, align: int = 4
) -> None:
    """Store what may stand at any multiple of `align` bytes."""
    builder.store(value, pointer(builder, address, offset, value.type)).align = align


def fetch(builder: ir.IRBuilder, address: ir.Value) -> None:
    """Ask for what stands at an address, or may stand there, to be brought into the L2 cache."""
    there = builder.inttoptr(address, I8.as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [there.type, I32, I32, I32])
    fetch = builder.module.declare_intrinsic("llvm.prefetch", [there.type], kind)
    builder.call(fetch, [there, *(ir.Constant(I32, number) for number in (0, 2, 1))])


def parts(builder: ir.IRBuilder, vector: ir.Value, count: int) -> list[ir.Value]:
    """Divide a vector into so many parts of the same size."""
    size = vector.type.count // count
    kind = ir.VectorType(I32, size)
    starts = range(0, vector.type.count, size)
    masks = [ir.Constant(kind, [*range(start, start + size)]) for start in starts]
    return [builder.shuffle_vector(vector, vector, mask) for mask in masks]


def joined(builder: ir.IRBuilder, vectors: Sequence[ir.Value]) -> ir.Value:
    """Put 2, 4, 8 … vectors of the same size behind one another."""
    while len(vectors) > 1:
        count = 2 * vectors[0].type.count
        mask = ir.Constant(ir.VectorType(I32, count), [*range(count)])
        pairs = zip(vectors[::2], vectors[1::2], strict=True)
        vectors = [builder.shuffle_vector(*pair, mask) for pair in pairs]
    return vectors[0]


def spread(builder: ir.IRBuilder, value: ir.Value, kind: ir.VectorType) -> ir.Value:
    """Return a vector whose lanes are all the same."""
    unknown = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(unknown, value, ir.Constant(I32, 0))
    return builder.shuffle_vector(first, unknown, ir.Constant(INTS, [0] * LANES))


def number_vector(value: float) -> ir.Constant:
    """Return a vector whose lanes all are this number."""
    return ir.Constant(FLOATS, [value] * LANES)


def repeat(
    builder: ir.IRBuilder,
    count: ir.Value,
    starts: Sequence[ir.Value],
    grow: Callable[[ir.Value, Sequence[ir.Value]], Sequence[ir.Value]],
) -> Sequence[ir.Value]:
    """Write a loop of 1 or more rounds; return what it ends with.

    `grow` writes a round: it returns new vectors, given the number of the round and those so far.
    """
    before = builder.block
    loop, after = (builder.append_basic_block(name) for name in ("vector", "after"))
    builder.branch(loop)
    builder.position_at_end(loop)
    place, vectors = builder.phi(I64), [builder.phi(start.type) for start in starts]
    place.add_incoming(ir.Constant(I64, 0), before)
    for vector, start in zip(vectors, starts, strict=True):
        vector.add_incoming(start, before)
    grown = grow(place, vectors)
    following = builder.add(place, ir.Constant(I64, 1))
    place.add_incoming(following, loop)
    for vector, new in zip(vectors, grown, strict=True):
        vector.add_incoming(new, loop)
    builder.cbranch(builder.icmp_signed("<", following, count), loop, after)
    builder.position_at_end(after)
    return grown


def folded(
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


def total_of(builder: ir.IRBuilder, panel: Sequence[ir.Value]) -> ir.Value:
    """Return the sum of all numbers of a panel."""
    a, b, c, d = panel
    total = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
    return folded(builder, total, builder.fadd)
