"""Panels of floats: norms, and powers of two, which softmax, gates and activations are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from translator.runtime.kernels.dot_products import one_that_is, panel_at, store_panel
from translator.runtime.kernels.tile import MOST_VECTORS
from translator.runtime.kernels.unit import unit
from translator.runtime.kernels.vectors import (
    F32,
    FLOATS,
    I16,
    I32,
    I64,
    INTS,
    LANES,
    VECTOR_BYTES,
    called,
    element,
    folded,
    loaded,
    number_vector,
    repeat,
    spread,
    store,
    total_of,
    written,
)

_NODES = (np.cos(np.pi * (np.arange(7) + 0.5) / 7) + 1) / 2
_POWERS = np.polynomial.Polynomial.fit(_NODES, 2**_NODES, 6).convert().coef.tolist()
"""2^x for 0 <= x <= 1, to 9 digits, by interpolation at Chebyshev's nodes."""

NATS_PER_BIT = math.log(2)
"""Scores and logits are in bits: 2 to their power takes a quarter of the time of e to it."""

LOWEST_SCORE = -3e38
"""Of all that is in bits: 2 to its power is 0."""

AS_USUAL = 4
"""How instructions are told to round."""

LEAST_EXPONENT, MOST_EXPONENT = -252.0, 254.0
"""Beyond them, 2 to the power of a whole number is 0, or infinite, in a float."""

MANTISSA_BITS, EXPONENT_OF_ONE = 23, 127


def _power(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Return 2^x of a vector of floats; 0 if that is below 2^-149."""
    x = one_that_is(builder, ">", x, number_vector(LOWEST_SCORE))  # not minus infinity
    whole = called(builder, "llvm.floor.v16f32", FLOATS, x)
    rest = builder.fsub(x, whole)
    found: ir.Value = number_vector(_POWERS[-1])
    for factor in reversed(_POWERS[:-1]):
        found = unit().multiply_add(builder, found, rest, number_vector(factor))
    if unit().has_scalef:
        how, every = ir.Constant(I32, AS_USUAL), ir.Constant(I16, -1)
        name = "llvm.x86.avx512.mask.scalef.ps.512"
        return called(builder, name, FLOATS, found, whole, found, every, how)
    return _scaled(builder, found, whole)


def _scaled(builder: ir.IRBuilder, value: ir.Value, whole: ir.Value) -> ir.Value:
    """Return value · 2^whole, for whole numbers in floats.

    Two factors, since one alone has no float where the result is very small; only the second
    product may have to be rounded, as the one instruction of AVX-512 rounds.
    """
    whole = one_that_is(builder, ">", whole, number_vector(LEAST_EXPONENT))
    whole = builder.fptosi(one_that_is(builder, "<", whole, number_vector(MOST_EXPONENT)), INTS)
    half = builder.ashr(whole, ir.Constant(INTS, [1] * LANES))
    for exponent in (half, builder.sub(whole, half)):
        bits = builder.add(exponent, ir.Constant(INTS, [EXPONENT_OF_ONE] * LANES))
        bits = builder.shl(bits, ir.Constant(INTS, [MANTISSA_BITS] * LANES))
        value = builder.fmul(value, builder.bitcast(bits, FLOATS))
    return value


@written(types.float32, types.float32)
def power_of_two(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Return 2^x for a float32."""
    return builder.extract_element(_power(builder, spread(builder, x, FLOATS)), ir.Constant(I32, 0))


@written(types.float32, types.intp, types.intp, types.float32)
def sum_of_powers(
    builder: ir.IRBuilder, address: ir.Value, panels: ir.Value, highest: ir.Value
) -> ir.Value:
    """Return the sum of 2^(x - highest) over so many panels of floats, 1 or more."""
    highest = spread(builder, highest, FLOATS)

    def grow(number: ir.Value, totals: Sequence[ir.Value]) -> Sequence[ir.Value]:
        powers = (
            _power(builder, builder.fsub(one, highest))
            for one in panel_at(builder, address, number)
        )
        return [builder.fadd(total, one) for total, one in zip(totals, powers, strict=True)]

    nothing = [number_vector(0.0)] * MOST_VECTORS
    return total_of(builder, repeat(builder, panels, nothing, grow))


def _one_and_power(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Return 1 + e^-x of a vector of floats, the divisor of a sigmoid; finite."""
    exponent = builder.fmul(x, number_vector(-1.0 / NATS_PER_BIT))
    exponent = one_that_is(builder, "<", exponent, number_vector(MOST_EXPONENT))
    return builder.fadd(_power(builder, exponent), number_vector(1.0))


def _gated(argument: Callable[[ir.IRBuilder, ir.Value], ir.Value]) -> Callable[..., Any]:
    """Return a function of an address and a number of panels: x becomes x / (1 + e^-argument)."""

    @written(types.void, types.intp, types.intp)
    def gated(builder: ir.IRBuilder, address: ir.Value, panels: ir.Value) -> None:
        def gate(number: ir.Value, _: Sequence[ir.Value]) -> Sequence[ir.Value]:
            found = [
                builder.fdiv(one, _one_and_power(builder, argument(builder, one)))
                for one in panel_at(builder, address, number)
            ]
            store_panel(builder, found, address, number)
            return []

        repeat(builder, panels, [], gate)

    return gated


def _gelu_tanh(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Return √(8/π) · (x + 0.044715 x³): half of it is what GELU's approximation takes tanh of."""
    factor, cubic = math.sqrt(8 / math.pi), math.sqrt(8 / math.pi) * 0.044715
    square = builder.fmul(x, x)
    inner = unit().multiply_add(builder, square, number_vector(cubic), number_vector(factor))
    return builder.fmul(inner, x)


silu, gelu_tanh = _gated(lambda builder, x: x), _gated(_gelu_tanh)
"""Activations of so many panels at an address, in place.

Source: Hendrycks & Gimpel 2016, §2: 0.5 x (1 + tanh z) is x / (1 + e^-2z).
"""


@written(types.void, *[types.intp] * 6)
def recur_panels(
    builder: ir.IRBuilder,
    candidates: ir.Value,
    gates: ir.Value,
    before: ir.Value,
    after: ir.Value,
    x: ir.Value,
    panels: ir.Value,
) -> None:
    """Write the next state, σ(gate) · state + (1 - σ(gate)) · candidate; add relu of it to `x`.

    It is computed as candidate + σ(gate) · (state - candidate), of 1 or more panels of floats at
    each address.

    Source: `model/recurrence.py`.
    """

    def move(number: ir.Value, _: Sequence[ir.Value]) -> Sequence[ir.Value]:
        states, sums = [], []
        vectors = (panel_at(builder, one, number) for one in (candidates, gates, before, x))
        for candidate, gate, state, total in zip(*vectors, strict=True):
            kept = builder.fdiv(number_vector(1.0), _one_and_power(builder, gate))
            change = builder.fsub(state, candidate)
            states.append(unit().multiply_add(builder, kept, change, candidate))
            positive = one_that_is(builder, ">", states[-1], number_vector(0.0))
            sums.append(builder.fadd(total, positive))
        store_panel(builder, states, after, number)
        store_panel(builder, sums, x, number)
        return []

    repeat(builder, panels, [], move)


@written(types.void, types.intp, types.intp)
def softmax(builder: ir.IRBuilder, address: ir.Value, length: ir.Value) -> None:
    """Replace scores in bits, 1 or more, by 2^score, divided by the sum of them all.

    What fills up the last vector is replaced too.
    """
    vectors = builder.add(length, ir.Constant(I64, LANES - 1))
    vectors = builder.lshr(vectors, ir.Constant(I64, LANES.bit_length() - 1))
    lanes = ir.Constant(INTS, list(range(LANES)))

    def place(number: ir.Value) -> ir.Value:
        return element(builder, address, number, VECTOR_BYTES)

    def scores(number: ir.Value) -> ir.Value:
        left = builder.sub(length, builder.mul(number, ir.Constant(I64, LANES)))
        left = spread(builder, builder.trunc(left, I32), INTS)
        is_one = builder.icmp_signed("<", lanes, left)
        score = loaded(builder, place(number), 0, FLOATS)
        return builder.select(is_one, score, number_vector(LOWEST_SCORE))

    def look(number: ir.Value, found: Sequence[ir.Value]) -> Sequence[ir.Value]:
        return [one_that_is(builder, ">", scores(number), found[0])]

    def raise_two(number: ir.Value, totals: Sequence[ir.Value]) -> Sequence[ir.Value]:
        power = _power(builder, builder.fsub(scores(number), most))
        store(builder, power, place(number))
        return [builder.fadd(totals[0], power)]

    def divide(number: ir.Value, _: Sequence[ir.Value]) -> Sequence[ir.Value]:
        power = loaded(builder, place(number), 0, FLOATS)
        store(builder, builder.fmul(power, inverse), place(number))
        return []

    [found] = repeat(builder, vectors, [number_vector(LOWEST_SCORE)], look)
    most = folded(builder, found, partial(one_that_is, builder, ">"))
    most = spread(builder, most, FLOATS)
    [total] = repeat(builder, vectors, [number_vector(0.0)], raise_two)
    total = spread(builder, folded(builder, total, builder.fadd), FLOATS)
    inverse = builder.fdiv(number_vector(1.0), total)
    repeat(builder, vectors, [], divide)


@written(types.void, types.intp, types.intp, types.intp, types.float32)
def copy_panels(
    builder: ir.IRBuilder, row: ir.Value, to: ir.Value, panels: ir.Value, least: ir.Value
) -> None:
    """Copy panels of floats from one address to another; what is below `least` becomes it."""
    least = spread(builder, least, FLOATS)

    def copy(number: ir.Value, _: Sequence[ir.Value]) -> Sequence[ir.Value]:
        panel = panel_at(builder, row, number)
        found = [one_that_is(builder, ">", one, least) for one in panel]
        store_panel(builder, found, to, number)
        return []

    repeat(builder, panels, [], copy)


@written(types.void, *[types.intp] * 4, types.float32, types.intp, types.intp)
def norm_panels(
    builder: ir.IRBuilder,
    row: ir.Value,
    to: ir.Value,
    panels: ir.Value,
    length: ir.Value,
    eps: ir.Value,
    weight: ir.Value,
    bias: ir.Value,
) -> None:
    """Write (x - mean) / sqrt(variance + eps) * weight + bias, for panels of `length` floats.

    What fills up the last panel is 0 before and after, also of weight and bias. What Numba makes of
    loops over single floats depends on what they are compiled with, the last bits of their sums
    too.

    Source: Ba et al. 2016, Eq. 3 and 4.
    """
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
