"""Which vector unit the kernels are compiled for: what differs between CPUs.

All kernels are written once, with vectors of 16 lanes; LLVM divides them where the CPU's are
narrower. What it cannot know is described here, for each family: how integers are multiplied, how
many sums fit into the registers, and what is done by one instruction; and halves, where a CPU has
no instructions for them.

Every unit's sums of integers are exact, and its float operations are the same in the same order. So
all of them give the same text, and the same scores to the last bit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from translator import jit
from translator.runtime.kernels.vectors import (
    DOUBLES,
    FLOATS,
    HALVES,
    I8,
    I16,
    I32,
    INTS,
    LANES,
    called,
    joined,
    parts,
)

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


def _vnni_512(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Multiply unsigned bytes by signed ones, four a lane, by VNNI of 512 bits."""
    return called(builder, "llvm.x86.avx512.vpdpbusd.512", INTS, sums, levels, weights)


def _vnni_256(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Do so by VNNI of 256 bits."""
    name, kind = "llvm.x86.avx512.vpdpbusd.256", ir.VectorType(I32, LANES // 2)
    pairs = zip(*(parts(builder, one, 2) for one in (sums, levels, weights)), strict=True)
    return joined(builder, [called(builder, name, kind, *pair) for pair in pairs])


def _pairs_512(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Multiply numbers of 16 bits, two a lane, by `vpmaddwd` of 512 bits."""
    products = called(builder, "llvm.x86.avx512.pmaddw.d.512", INTS, levels, weights)
    return builder.add(sums, products)


def _pairs_256(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Do so by `vpmaddwd` of 256 bits; its sums are exact, those of `vpmaddubsw` would not be."""
    name, kind = "llvm.x86.avx2.pmadd.wd", ir.VectorType(I32, LANES // 2)
    pairs = zip(*(parts(builder, one, 2) for one in (levels, weights)), strict=True)
    products = joined(builder, [called(builder, name, kind, *pair) for pair in pairs])
    return builder.add(sums, products)


_AVX2 = frozenset({"+avx2", "+fma", "+f16c"})
_AVX512 = frozenset({"+avx512f", "+avx512dq", "+avx512bw", "+avx512vl"})

X86_UNITS = (
    VectorUnit(
        name="avx512-vnni",
        features=frozenset({"+avx512vnni", "+avx512dq", "+avx512bw", "+avx512vl"}),
        levels_per_lane=4,
        tile_vectors=4,
        dot=_vnni_512,
        has_scalef=True,
    ),
    VectorUnit(
        name="avx512",
        features=_AVX512,
        levels_per_lane=2,
        tile_vectors=4,
        dot=_pairs_512,
        has_scalef=True,
    ),
    VectorUnit(
        name="avx-vnni",
        features=_AVX2 | {"+avxvnni"},
        levels_per_lane=4,
        tile_vectors=1,
        dot=_vnni_256,
    ),
    VectorUnit(
        name="avx2",
        features=_AVX2,
        levels_per_lane=2,
        tile_vectors=1,
        dot=_pairs_256,
    ),
)
"""The best first."""

# ARM multiplies bytes that both have signs, so levels are stored 128 lower than elsewhere.
_PARTS = LANES // 4
"""Registers of a vector: they have 128 bits."""

_SUMS, _PRODUCTS = ir.VectorType(I32, 4), ir.VectorType(I16, 8)


def _sdot(builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value) -> ir.Value:
    """Multiply signed bytes, four a lane, by `sdot`."""
    name = "llvm.aarch64.neon.sdot.v4i32.v16i8"
    registers = zip(*(parts(builder, one, _PARTS) for one in (sums, levels, weights)), strict=True)
    return joined(builder, [called(builder, name, _SUMS, *one) for one in registers])


def _smull(builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value) -> ir.Value:
    """Do so by `smull`, `smull2`, `addp` and `sadalp`.

    Two products have room in 16 bits: 2 · 128 · 127 is less than 2^15.
    """
    found = []
    registers = zip(*(parts(builder, one, _PARTS) for one in (sums, levels, weights)), strict=True)
    for total, *factors in registers:
        ends = zip(*(parts(builder, one, 2) for one in factors), strict=True)
        products = [
            called(builder, "llvm.aarch64.neon.smull.v8i16", _PRODUCTS, *end) for end in ends
        ]
        pairs = called(builder, "llvm.aarch64.neon.addp.v8i16", _PRODUCTS, *products)
        four = called(builder, "llvm.aarch64.neon.saddlp.v4i32.v8i16", _SUMS, pairs)
        found.append(builder.add(total, four))
    return joined(builder, found)


ARM_UNITS = (
    VectorUnit(
        name="neon-dotprod",
        features=frozenset({"+neon", "+dotprod"}),
        levels_per_lane=4,
        lowest_level=-128,
        tile_vectors=1,
        dot=_sdot,
    ),
    VectorUnit(
        name="neon",
        features=frozenset({"+neon"}),
        levels_per_lane=4,
        lowest_level=-128,
        tile_vectors=1,
        dot=_smull,
    ),
)
"""The best first."""


def _pairs(builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value) -> ir.Value:
    """Multiply numbers of 16 bits, two a lane; LLVM knows this form as SSE2's `pmaddwd`."""
    wide = ir.VectorType(I32, 2 * LANES)
    products = builder.mul(builder.sext(levels, wide), builder.sext(weights, wide))
    even, odd = (
        builder.shuffle_vector(products, products, ir.Constant(INTS, [*range(first, 2 * LANES, 2)]))
        for first in range(2)
    )
    return builder.add(sums, builder.add(even, odd))


GENERIC = VectorUnit(
    name="generic",
    features=frozenset(),
    levels_per_lane=2,
    tile_vectors=1,
    dot=_pairs,
    has_fma=False,
    has_halves=False,
)
"""Stands for x86-64-v2 where a better CPU is held to it."""

UNITS = (*X86_UNITS, *ARM_UNITS, GENERIC)
"""The best of each family first; the last one fits every CPU."""

_held: list[VectorUnit] = []
"""What is compiled for instead of the best unit, in tests and benchmarks."""


def possible_units() -> list[VectorUnit]:
    """Return the units that the CPU at hand has, the best first."""
    return [one for one in UNITS if one.features <= jit.cpu_features()]


@functools.cache
def unit() -> VectorUnit:
    """Return the best unit that the CPU has, or the one that is held to."""
    return (*_held, *possible_units())[0]
