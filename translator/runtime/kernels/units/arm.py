"""ARM's of 64 bits: NEON, with or without instructions for dot products.

They multiply bytes that both have signs, so levels are stored 128 lower than elsewhere.
"""

from __future__ import annotations

from llvmlite import ir

from translator.runtime.kernels.units.description import VectorUnit
from translator.runtime.kernels.vectors import I16, I32, LANES, called, joined, parts

_PARTS = LANES // 4
"""Registers of a vector: they have 128 bits."""

_SUMS, _PRODUCTS = ir.VectorType(I32, 4), ir.VectorType(I16, 8)


def _dot_of_bytes(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
    """Multiply signed bytes, four a lane, by `sdot`."""
    name = "llvm.aarch64.neon.sdot.v4i32.v16i8"
    registers = zip(*(parts(builder, one, _PARTS) for one in (sums, levels, weights)), strict=True)
    return joined(builder, [called(builder, name, _SUMS, *one) for one in registers])


def _dot_by_products(
    builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value
) -> ir.Value:
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
        dot=_dot_of_bytes,
    ),
    VectorUnit(
        name="neon",
        features=frozenset({"+neon"}),
        levels_per_lane=4,
        lowest_level=-128,
        tile_vectors=1,
        dot=_dot_by_products,
    ),
)
"""The best first."""
