"""Matrices in 8 bits, defined once for training, model directories and the engine.

Each row of a matrix becomes levels, which are whole numbers from -127 to 127, and one scale that
multiplies them: the largest absolute value of the row, divided by 127.

Letters: F rows (outputs of a linear layer, or pieces) of D numbers.

Source: Wu et al. 2020, §3 (symmetric, a scale for each output channel).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

HIGHEST = 127
"""Level of what is largest in a row."""

LEAST = 1e-8
"""What is largest in a row counts as no less, so that a row of zeros has a scale too."""

ROWS_AT_ONCE = 1024
"""Are rounded together: a large matrix never has a second copy in float32."""


@dataclass(frozen=True, slots=True)
class Int8Matrix:
    """A matrix: levels times the scale of their row."""

    levels: NDArray[np.int8]  # (F, D) int8, -127 to 127
    scales: NDArray[np.float32]  # (F,) float32, positive

    @property
    def nbytes(self) -> int:
        """Return the memory of both."""
        return self.levels.nbytes + self.scales.nbytes

    def floats(self) -> NDArray[np.float32]:
        """Return the matrix in float32."""
        return self.levels * self.scales[:, None]


def to_int8(matrix: NDArray[Any]) -> Int8Matrix:
    """Round a matrix (F, D) of finite floats.

    A matrix that was rounded before keeps its levels; its scales change by the last bit at most.
    """
    levels = np.empty(matrix.shape, np.int8)
    scales = np.empty(len(matrix), np.float32)
    for first in range(0, len(matrix), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        some = matrix[rows].astype(np.float32)
        largest = np.abs(some).max(axis=1, initial=0.0)
        scales[rows] = np.maximum(largest, np.float32(LEAST)) / np.float32(HIGHEST)
        levels[rows] = np.rint(some / scales[rows, None])
    return Int8Matrix(levels, scales)
