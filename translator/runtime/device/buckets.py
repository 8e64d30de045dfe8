"""Sizes are rounded up to a few, so that steps have few shapes, and each shape is captured once."""

from __future__ import annotations

from typing import NamedTuple

from translator.search.rows import round_up

FINE, FINE_UP_TO = 32, 128
"""Lengths are multiples of `FINE` up to `FINE_UP_TO`, and have two steps for each doubling above.

PyTorch's attention reads masks best whose rows begin at multiples of 16."""

SENTENCES_STEP = 128
"""Numbers of sentences are powers of two up to twice this, and multiples of it above."""


class Capacity(NamedTuple):
    """How much there is room for: B sentences, S places of a source, T positions of a target."""

    sentences: int
    source: int
    target: int


class Bucket(NamedTuple):
    """The shape of a step.

    Attributes:
        sentences: B.
        source: S, places of a source.
        target: T, positions of a target.
        ngram_size: the longest that no sentence may have twice; 0 if all may repeat what they like.
        is_forced: whether a sentence may still have to say what it was told to.
    """

    sentences: int
    source: int
    target: int
    ngram_size: int = 0
    is_forced: bool = False


def length_bucket(length: int) -> int:
    """Return the size for sources or targets of this length."""
    if length <= FINE_UP_TO:
        return round_up(max(length, 1), FINE)
    return round_up(length, 1 << ((length - 1).bit_length() - 2))


def sentences_bucket(count: int) -> int:
    """Return the size for so many sentences."""
    if count <= 2 * SENTENCES_STEP:
        return 1 << max(count - 1, 0).bit_length()
    return round_up(count, SENTENCES_STEP)
