"""What a kind of CPU does in a way of its own, as the kernels see it; halves, where it has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from translator.runtime.kernels.vectors import DOUBLES, FLOATS, HALVES, I8, I16, INTS, LANES, called

SIGN, MAGNITUDE = 0x8000, 0x7FFF
"""Bits of a half."""

MORE_BITS = 13
"""Of the mantissa of a float."""

BIAS_BETWEEN = 112
"""What the exponent of a float is more than that of an equal half."""

HALF_INFINITY, FLOAT_INFINITY = 0x7C00, 0x7F800000
HALF_NAN = 0x7E00

LEAST_NORMAL = (BIAS_BETWEEN + 1) << 23
"""The bits of 2^-14, as a float: smaller halves have fewer digits."""

HALF_ONE = 126 << 23
"""The bits of 0.5, whose last digit is worth as much as that of the smallest halves."""


def _ints(value: int) -> ir.Constant:
    return ir.Constant(INTS, [value] * LANES)


def widened(builder: ir.IRBuilder, halves: ir.Value) -> ir.Value:
    """Return a vector of halves as floats."""
    bits = builder.zext(builder.bitcast(halves, ir.VectorType(I16, LANES)), INTS)
    sign = builder.shl(builder.and_(bits, _ints(SIGN)), _ints(16))
    moved = builder.shl(builder.and_(bits, _ints(MAGNITUDE)), _ints(MORE_BITS))
    factor = ir.Constant(FLOATS, [2.0**BIAS_BETWEEN] * LANES)
    found = builder.bitcast(builder.fmul(builder.bitcast(moved, FLOATS), factor), INTS)
    is_finite = builder.icmp_unsigned("<", moved, _ints(HALF_INFINITY << MORE_BITS))
    found = builder.select(is_finite, found, builder.or_(moved, _ints(FLOAT_INFINITY)))
    return builder.bitcast(builder.or_(found, sign), FLOATS)


def narrowed(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """Round a vector of floats to halves: to the nearest, and to an even one in the middle."""
    bits = builder.bitcast(value, INTS)
    sign = builder.and_(builder.lshr(bits, _ints(16)), _ints(SIGN))
    size = builder.and_(bits, _ints(0x7FFFFFFF))
    odd = builder.and_(builder.lshr(size, _ints(MORE_BITS)), _ints(1))
    rounded = builder.add(size, builder.add(odd, _ints((1 << MORE_BITS - 1) - 1)))
    rounded = builder.sub(rounded, _ints(BIAS_BETWEEN << 23))
    normal = builder.lshr(rounded, _ints(MORE_BITS))
    is_too_large = builder.icmp_unsigned(">", normal, _ints(HALF_INFINITY))
    normal = builder.select(is_too_large, _ints(HALF_INFINITY), normal)
    is_number = builder.icmp_unsigned("<=", size, _ints(FLOAT_INFINITY))
    normal = builder.select(is_number, normal, _ints(HALF_NAN))
    shifted = builder.fadd(builder.bitcast(size, FLOATS), ir.Constant(FLOATS, [0.5] * LANES))
    small = builder.sub(builder.bitcast(shifted, INTS), _ints(HALF_ONE))
    is_small = builder.icmp_unsigned("<", size, _ints(LEAST_NORMAL))
    found = builder.or_(builder.select(is_small, small, normal), sign)
    return builder.bitcast(builder.trunc(found, ir.VectorType(I16, LANES)), HALVES)


Dot = Callable[[ir.IRBuilder, ir.Value, ir.Value, ir.Value], ir.Value]
"""Adds products to a vector of sums: (builder, sums, levels, weights) → sums."""


@dataclass(frozen=True, kw_only=True)
class VectorUnit:
    """How a kind of CPU multiplies.

    A *level* is an input rounded to 0..255. Neighbouring levels that are multiplied together make
    up one lane of 32 bits.
    """

    name: str  # as `--unit` takes it
    features: frozenset[str]  # of the CPU, in LLVM's words, that the unit needs
    # features that a CPU with these has besides, for `unit.hold_to`
    company: frozenset[str] = frozenset()
    levels_per_lane: int  # 4 in bytes, or 2 in 16 bits
    # what a level of 0 is stored as: 0, or -128 if bytes are multiplied with signs
    lowest_level: int = 0
    tile_vectors: int  # of each of six rows, whose sums are kept in registers
    dot: Dot  # adds products of levels and weights to sums
    has_fma: bool = True  # whether one instruction multiplies floats, adds, and rounds once
    # whether floats become halves of 16 bits, and the other way, by instructions
    has_halves: bool = True
    has_scalef: bool = False  # whether powers of two are scaled by one instruction of AVX-512

    @property
    def level_bytes(self) -> int:
        """Bytes of a level."""
        return 4 // self.levels_per_lane

    @property
    def levels(self) -> ir.VectorType:
        """A level for each lane."""
        return ir.VectorType(ir.IntType(8 * self.level_bytes), LANES)

    @property
    def factors(self) -> ir.VectorType:
        """The levels, or the weights as they are multiplied, of a whole vector."""
        kind = ir.IntType(8 * self.level_bytes)
        return ir.VectorType(kind, LANES * self.levels_per_lane)

    @property
    def weights(self) -> ir.VectorType:
        """The weights of a vector as they lie in memory."""
        return ir.VectorType(I8, LANES * self.levels_per_lane)

    def multiply_add(
        self, builder: ir.IRBuilder, one: ir.Value, other: ir.Value, added: ir.Value
    ) -> ir.Value:
        """Return one · other + added, of vectors of floats, rounded once.

        Doubles hold a product exactly. Their sum is rounded before it becomes a float, which makes
        a difference once in 2^29 times.
        """
        if self.has_fma:
            return called(builder, "llvm.fma.v16f32", FLOATS, one, other, added)
        one, other, added = (builder.fpext(value, DOUBLES) for value in (one, other, added))
        return builder.fptrunc(builder.fadd(builder.fmul(one, other), added), FLOATS)

    def widen(self, builder: ir.IRBuilder, halves: ir.Value) -> ir.Value:
        """Return a vector of halves as floats."""
        return builder.fpext(halves, FLOATS) if self.has_halves else widened(builder, halves)

    def narrow(self, builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
        """Round a vector of floats to halves: to the nearest, and to an even one in the middle."""
        return builder.fptrunc(value, HALVES) if self.has_halves else narrowed(builder, value)
