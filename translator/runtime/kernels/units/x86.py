"""Intel's and AMD's: AVX2 and AVX-512, with or without instructions for dot products (VNNI)."""

from __future__ import annotations

from llvmlite import ir

from translator.runtime.kernels.units.description import VectorUnit
from translator.runtime.kernels.vectors import I32, INTS, LANES, called, joined, parts


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
    pairs = zip(*(parts(builder, one, 2) for one in (sums, levels, weights)), strict=True)
    return joined(builder, [called(builder, name, kind, *pair) for pair in pairs])


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
    pairs = zip(*(parts(builder, one, 2) for one in (levels, weights)), strict=True)
    products = joined(builder, [called(builder, name, kind, *pair) for pair in pairs])
    return builder.add(sums, products)


_AVX2 = frozenset({"+avx2", "+fma", "+f16c"})
_AVX512 = frozenset({"+avx512f", "+avx512dq", "+avx512bw", "+avx512vl"})
_COMPANY = frozenset({"+avx", "+bmi", "+bmi2", "+lzcnt", "+popcnt", "+sse3", "+sse4.1", "+sse4.2"})

X86_UNITS = (
    VectorUnit(
        name="avx512-vnni",
        features=frozenset({"+avx512vnni", "+avx512dq", "+avx512bw", "+avx512vl"}),
        company=_COMPANY,
        levels_per_lane=4,
        tile_vectors=4,
        dot=_dot_of_bytes,
        has_scalef=True,
    ),
    VectorUnit(
        name="avx512",
        features=_AVX512,
        company=_COMPANY,
        levels_per_lane=2,
        tile_vectors=4,
        dot=_dot_of_pairs,
        has_scalef=True,
    ),
    VectorUnit(
        name="avx-vnni",
        features=_AVX2 | {"+avxvnni"},
        company=_COMPANY,
        levels_per_lane=4,
        tile_vectors=1,
        dot=_dot_of_bytes_by_halves,
    ),
    VectorUnit(
        name="avx2",
        features=_AVX2,
        company=_COMPANY,
        levels_per_lane=2,
        tile_vectors=1,
        dot=_dot_of_pairs_by_halves,
    ),
)
"""The best first."""
