"""The norm of a row of floats, in whole vectors.

What Numba makes of loops over single floats depends on what they are compiled with, the last bits
of their sums too.

Source: Ba et al. 2016, Eq. 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from translator.runtime.kernels.dot_products import one_that_is, panel_at, store_panel
from translator.runtime.kernels.sums import MOST_VECTORS
from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import (
    F32,
    FLOATS,
    I32,
    I64,
    INTS,
    LANES,
    called,
    number_vector,
    repeat,
    spread,
    total_of,
)


@intrinsic  # type: ignore[untyped-decorator]
def copy_panels(context: Any, row: Any, to: Any, panels: Any, least: Any) -> Any:
    """Copy panels of floats from one address to another; what is below `least` becomes it."""

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        row, to, panels, least = args
        least = spread(builder, least, FLOATS)

        def copy(number: ir.Value, _: Sequence[ir.Value]) -> Sequence[ir.Value]:
            panel = panel_at(builder, row, number)
            found = [one_that_is(builder, ">", one, least) for one in panel]
            store_panel(builder, found, to, number)
            return []

        repeat(builder, panels, [], copy)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 3, types.float32), write


@intrinsic  # type: ignore[untyped-decorator]
def norm_panels(
    context: Any, row: Any, to: Any, panels: Any, length: Any, eps: Any, weight: Any, bias: Any
) -> Any:
    """Write (x - mean) / sqrt(variance + eps) * weight + bias, for panels of floats.

    Args:
        context: of Numba.
        row: address of the floats; what fills up the last panel is 0.
        to: address of the result, where this becomes 0.
        panels: how many.
        length: how many floats there are without what fills up.
        eps: see above.
        weight: address of panels, filled up with 0.
        bias: another one.
    """

    def write(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        row, to, panels, length, eps, weight, bias = args
        count, nothing = builder.sitofp(length, F32), [number_vector(0.0)] * MOST_VECTORS

        def differences(number: ir.Value) -> list[ir.Value]:
            panel = panel_at(builder, row, number)
            return [builder.fsub(one, mean) for one in panel]

        def add(number: ir.Value, sums: Sequence[ir.Value]) -> Sequence[ir.Value]:
            panel = panel_at(builder, row, number)
            return [builder.fadd(one, other) for one, other in zip(sums, panel, strict=True)]

        def add_squares(number: ir.Value, sums: Sequence[ir.Value]) -> Sequence[ir.Value]:
            before = builder.mul(number, ir.Constant(I64, MOST_VECTORS * LANES))
            left = spread(builder, builder.trunc(builder.sub(length, before), I32), INTS)
            found = []
            for i, (one, total) in enumerate(zip(differences(number), sums, strict=True)):
                lanes = ir.Constant(INTS, [i * LANES + lane for lane in range(LANES)])
                is_one = builder.icmp_signed("<", lanes, left)
                one = builder.select(is_one, one, number_vector(0.0))
                found.append(unit().multiply_add(builder, one, one, total))
            return found

        def scale(number: ir.Value, _: Sequence[ir.Value]) -> Sequence[ir.Value]:
            factors = (panel_at(builder, one, number) for one in (weight, bias))
            found = [
                unit().multiply_add(builder, builder.fmul(one, factor), *others)
                for one, *others in zip(differences(number), *factors, strict=True)
            ]
            store_panel(builder, found, to, number)
            return []

        mean = builder.fdiv(total_of(builder, repeat(builder, panels, nothing, add)), count)
        mean = spread(builder, mean, FLOATS)
        squares = total_of(builder, repeat(builder, panels, nothing, add_squares))
        variance = builder.fadd(builder.fdiv(squares, count), eps)
        deviation = called(builder, "llvm.sqrt.f32", F32, variance)
        factor = spread(builder, builder.fdiv(ir.Constant(F32, 1.0), deviation), FLOATS)
        repeat(builder, panels, [], scale)
        return context.get_dummy_value()

    kinds = *[types.intp] * 4, types.float32, types.intp, types.intp
    return types.void(*kinds), write
