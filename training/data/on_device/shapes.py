"""The few shapes that batches have where each new shape costs something.

A step of one shape can be recorded on a GPU and played back. So sentences are sorted into a few
widths, each with a fixed number of rows; what is missing in a batch is padding.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.data.sampler import Lengths

WIDTHS = (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 176, 256)
"""Those of sentences. Longer pairs get further ones, each half as wide again."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """Shapes (rows, width), one for each width.

    Attributes:
        widths: ascending; the last one fits the longest pair.
        max_batch_tokens: rows times width, at most; a wider pair is a batch of its own.
    """

    widths: tuple[int, ...]
    max_batch_tokens: int

    @classmethod
    def fitting(cls, lengths: Lengths, max_batch_tokens: int, most: int | None = None) -> Shapes:
        """Return the shapes for pairs with `lengths` (2, n).

        Args:
            lengths: of all pairs.
            max_batch_tokens: rows times width, at most.
            most: positions that the model has, if it has not any number; no shape is wider, unless
                a pair is.
        """
        longest = int(lengths.max(initial=1))
        further = itertools.accumulate(
            itertools.repeat(WIDTHS[-1]), lambda width, _: width * 3 // 2
        )
        widths = list(WIDTHS)
        for width in itertools.islice(further, 1, None):
            if widths[-1] >= longest:
                break
            widths.append(width)
        if most is not None and longest <= most < widths[-1]:
            widths = [*(width for width in widths if width < most), most]
        return cls(tuple(widths), max_batch_tokens)

    def rows_of(self, width: int) -> int:
        """Return how many rows a batch of this width has."""
        return max(1, self.max_batch_tokens // width)

    def of(self, lengths: Lengths) -> tuple[int, int]:
        """Return the shape (rows, width) of a batch of pairs with `lengths` (2, m)."""
        width = self.widths[int(np.searchsorted(self.widths, lengths.max()))]
        return self.rows_of(width), width

    def group(self, lengths: Lengths, order: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Group pairs into batches, all of them full but the last.

        What is left over of a width goes with the next one.

        Args:
            lengths: (2, n) source and target lengths.
            order: (m,) pairs to group; those of one width are taken in this order.
        """
        bucket = np.searchsorted(self.widths, lengths[:, order].max(axis=0))
        batches: list[NDArray[np.int64]] = []
        left = order[:0]
        for number, width in enumerate(self.widths):
            found = np.concatenate((left, order[bucket == number]))
            rows = self.rows_of(width)
            whole = len(found) // rows * rows
            batches += np.split(found[:whole], range(rows, whole, rows)) if whole else []
            left = found[whole:]
        return [*batches, left] if len(left) else batches
