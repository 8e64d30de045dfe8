"""Any CPU: LLVM chooses the instructions, so that there is none that the CPU does not have."""

from __future__ import annotations

from llvmlite import ir

from translator.runtime.kernels.units.description import VectorUnit
from translator.runtime.kernels.vectors import I32, INTS, LANES


def _dot(builder: ir.IRBuilder, sums: ir.Value, levels: ir.Value, weights: ir.Value) -> ir.Value:
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
    company=frozenset({"+popcnt", "+sse3", "+sse4.1", "+sse4.2", "+ssse3"}),
    levels_per_lane=2,
    tile_vectors=1,
    dot=_dot,
    has_fma=False,
    has_halves=False,
)
"""Stands for x86-64-v2 where a better CPU is held to it."""
