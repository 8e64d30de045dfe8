"""The divisors by which search compares hypotheses of different lengths, by name."""

from __future__ import annotations

from translator.config import DecodingOptions


def length_penalty(length: float, options: DecodingOptions) -> float:
    """Return what a hypothesis of `length` ids, EOS included, has its log-probability divided by.

    `none` is 1, `average` is length^alpha, `gnmt` is ((5 + length) / 6)^alpha.

    Source: Wu et al. 2016, Eq. 14, for `gnmt`.
    """
    if options.length_penalty == "none":
        return 1.0
    base = (5 + length) / 6 if options.length_penalty == "gnmt" else length
    penalty: float = base**options.alpha
    return penalty
