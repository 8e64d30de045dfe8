"""The divisors by which search compares hypotheses of different lengths, by name."""

from __future__ import annotations

from typing import get_args

from translator.config import DecodingOptions, LengthPenalty
from translator.jit import compiled

NAMES: tuple[str, ...] = get_args(LengthPenalty)
NONE, GNMT = NAMES.index("none"), NAMES.index("gnmt")


@compiled
def penalty(length: int, name: int, alpha: float) -> float:
    """Return what `length_penalty` does, given the name's place in `NAMES`."""
    if name == NONE:
        return 1.0
    base = (5.0 + length) / 6.0 if name == GNMT else 1.0 * length
    found: float = base**alpha
    return found


def length_penalty(length: int, options: DecodingOptions) -> float:
    """Return what a hypothesis of `length` ids, EOS included, has its log-probability divided by.

    `none` is 1, `average` is length^alpha, `gnmt` is ((5 + length) / 6)^alpha.

    Source: Wu et al. 2016, Eq. 14, for `gnmt`.
    """
    return penalty(length, NAMES.index(options.length_penalty), options.alpha)
