"""The divisors by which search compares hypotheses of different lengths, by name."""

from __future__ import annotations

from typing import TypeVar

from torch import Tensor

from translator.config import DecodingOptions

Length = TypeVar("Length", float, Tensor)


def length_penalty(length: Length, options: DecodingOptions) -> Length:
    """Return what a hypothesis of `length` ids, EOS included, has its log-probability divided by.

    `none` is 1, `average` is length^alpha, `gnmt` is ((5 + length) / 6)^alpha.

    Source: Wu et al. 2016, Eq. 14, for `gnmt`.
    """
    base = (5 + length) / 6 if options.length_penalty == "gnmt" else length
    penalty: Length = base ** exponent(options)
    return penalty


def exponent(options: DecodingOptions) -> float:
    """Return alpha, or 0 where there is no penalty."""
    return 0.0 if options.length_penalty == "none" else options.alpha
