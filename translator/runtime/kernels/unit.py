"""What differs between CPUs: one small description of a vector unit, and how the CPU's is chosen.

All kernels are written once, with vectors of 16 lanes; LLVM divides them where the CPU's are
narrower. Three things it cannot know stand here: how integers are multiplied, how many sums fit
into the registers, and how a power of two is scaled.

Every unit's sums of integers are exact, and its float operations are the same in the same order. So
all of them give the same text.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from translator import jit
from translator.errors import ConfigError
from translator.runtime.kernels.vectors import I8, I32, INTS, LANES, called

Dot = Callable[[ir.IRBuilder, ir.Value, ir.Value, ir.Value], ir.Value]
"""Adds products to a vector of sums: (builder, sums, levels, weights) → sums."""


@dataclass(frozen=True, kw_only=True)
class VectorUnit:
    """How a kind of CPU multiplies.

    A *level* is an input rounded to 0..255. Neighbouring levels that are multiplied together make
    up one lane of 32 bits.

    Attributes:
        name: as `--unit` takes it.
        features: of the CPU, in LLVM's words, that the unit needs.
        levels_per_lane: 4 in bytes, or 2 in 16 bits.
        tile_vectors: of each of six rows, whose sums are kept in registers.
        dot: adds products of levels and weights to sums.
        has_scalef: whether powers of two are scaled by one instruction of AVX-512.
    """

    name: str
    features: frozenset[str]
    levels_per_lane: int
    tile_vectors: int
    dot: Dot
    has_scalef: bool = False

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


def _parts(builder: ir.IRBuilder, vector: ir.Value, count: int) -> list[ir.Value]:
    """Divide a vector into parts of as many elements."""
    size = vector.type.count // count
    kind = ir.VectorType(I32, size)
    starts = range(0, vector.type.count, size)
    masks = [ir.Constant(kind, [*range(start, start + size)]) for start in starts]
    return [builder.shuffle_vector(vector, vector, mask) for mask in masks]


def _join(builder: ir.IRBuilder, low: ir.Value, high: ir.Value) -> ir.Value:
    mask = ir.Constant(ir.VectorType(I32, 2 * low.type.count), [*range(2 * low.type.count)])
    return builder.shuffle_vector(low, high, mask)


def _dot_of_bytes(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Multiply unsigned bytes by signed ones, four a lane, by VNNI of 512 bits."""
    return called(builder, "llvm.x86.avx512.vpdpbusd.512", INTS, sums, levels, weights)


def _dot_of_bytes_by_halves(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Do so by VNNI of 256 bits."""
    name, kind = "llvm.x86.avx512.vpdpbusd.256", ir.VectorType(I32, LANES // 2)
    parts = zip(*(_parts(builder, one, 2) for one in (sums, levels, weights)), strict=True)
    return _join(builder, *(called(builder, name, kind, *part) for part in parts))


def _dot_of_pairs(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Multiply numbers of 16 bits, two a lane, by `vpmaddwd` of 512 bits."""
    products = called(builder, "llvm.x86.avx512.pmaddw.d.512", INTS, levels, weights)
    return builder.add(sums, products)


def _dot_of_pairs_by_halves(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Do so by `vpmaddwd` of 256 bits; its sums are exact, those of `vpmaddubsw` would not be."""
    name, kind = "llvm.x86.avx2.pmadd.wd", ir.VectorType(I32, LANES // 2)
    parts = zip(*(_parts(builder, one, 2) for one in (levels, weights)), strict=True)
    products = _join(builder, *(called(builder, name, kind, *part) for part in parts))
    return builder.add(sums, products)


UNITS = (
    VectorUnit(
        name="avx512-vnni",
        features=frozenset({"+avx512vnni", "+avx512dq", "+avx512bw", "+avx512vl"}),
        levels_per_lane=4,
        tile_vectors=4,
        dot=_dot_of_bytes,
        has_scalef=True,
    ),
    VectorUnit(
        name="avx512",
        features=frozenset({"+avx512f", "+avx512dq", "+avx512bw", "+avx512vl"}),
        levels_per_lane=2,
        tile_vectors=4,
        dot=_dot_of_pairs,
        has_scalef=True,
    ),
    VectorUnit(
        name="avx-vnni",
        features=frozenset({"+avxvnni", "+avx2", "+fma", "+f16c"}),
        levels_per_lane=4,
        tile_vectors=1,
        dot=_dot_of_bytes_by_halves,
    ),
    VectorUnit(
        name="avx2",
        features=frozenset({"+avx2", "+fma", "+f16c"}),
        levels_per_lane=2,
        tile_vectors=1,
        dot=_dot_of_pairs_by_halves,
    ),
)
"""The best first."""


_COMMON = "+avx,+bmi,+bmi2,+lzcnt,+popcnt,+sse3,+sse4.1,+sse4.2,+ssse3"
"""Features that every CPU with AVX2 has besides."""

_held: list[VectorUnit] = []


def possible_units() -> list[VectorUnit]:
    """Return the units that the CPU at hand has, the best first."""
    return [one for one in UNITS if one.features <= jit.cpu_features()]


def hold_to(name: str) -> None:
    """Compile for a unit as a CPU that has no better one would; before anything is compiled.

    For benchmarks and tests. A CPU with AVX-512 VNNI stands in for one with AVX-VNNI.

    Raises:
        ConfigError: there is no such unit, or the CPU at hand does not have it.
    """
    found = next((one for one in UNITS if one.name == name), None)
    if found is None:
        known = ", ".join(one.name for one in UNITS)
        raise ConfigError([f"unit: {name} is not known; choose one of {known}"], "engine")
    features = found.features
    if name == "avx-vnni" and "+avxvnni" not in jit.cpu_features():
        features = features - {"+avxvnni"} | {"+avx512f", "+avx512vl", "+avx512vnni"}
    if not features <= jit.cpu_features():
        mine = ", ".join(one.name for one in possible_units())
        raise ConfigError([f"unit: this CPU has no {name}; it has {mine or 'none'}"], "engine")
    jit.hold_to(features | {*_COMMON.split(",")})
    _held[:] = [found]
    unit.cache_clear()


@functools.cache
def unit() -> VectorUnit:
    """Return the best unit that the CPU has, or the one that `hold_to` names.

    Raises:
        ConfigError: it has none.
    """
    for one in (*_held, *possible_units()):
        return one
    names = ", ".join(one.name for one in UNITS)
    raise ConfigError([f"precision: int8 needs a CPU with one of {names}; take float32"], "engine")
