"""Halves of 16 bits by arithmetic of 32, for CPUs without instructions for them.

LLVM would call a function for each number, which a compiled process does not have.
"""

from __future__ import annotations

from llvmlite import ir

from translator.runtime.kernels.vectors import FLOATS, HALVES, I16, INTS, LANES

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
