"""Arrays with a row for each sentence, which come and go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.jit import compiled

Array = NDArray[Any]

FEW_ROWS = 8
"""There is room for so many at first."""


@compiled
def take_over(rows: Array, parents: Array, length: int) -> None:
    """Let each of K rows take over the first numbers of another: row k those of parents[k]."""
    are_moved = False
    for k in range(len(parents)):
        are_moved = are_moved or parents[k] != k
    if not are_moved:
        return
    before = rows[:, :length].copy()
    for k in range(len(parents)):
        for i in range(length):
            rows[k, i] = before[parents[k], i]


class Rows:
    """Arrays with a row for each sentence, and with room behind for those who join.

    The rows in use are `used`.
    """

    def __init__(self, *kinds: tuple[Any, tuple[int, ...]]) -> None:
        """Begin with no rows of arrays of these types; a row has this shape."""
        self._arrays = [np.zeros((FEW_ROWS, *shape), dtype) for dtype, shape in kinds]
        self.used = [array[:0] for array in self._arrays]

    def __len__(self) -> int:
        return len(self.used[0])

    def add(self, count: int) -> list[Array]:
        """Let so many join; return their rows, in which anything may stand."""
        before, end, room = len(self), len(self) + count, len(self._arrays[0])
        if end > room:
            for number, old in enumerate(self._arrays):
                self._arrays[number] = np.zeros((max(end, 2 * room), *old.shape[1:]), old.dtype)
                self._arrays[number][:before] = old[:before]
        self.used = [array[:end] for array in self._arrays]
        return [array[before:end] for array in self._arrays]

    def keep(self, places: Sequence[int]) -> None:
        """Drop all but those at `places`, which are kept in that order.

        None may move to a higher place; room stays as it is.
        """
        moved = [(to, place) for to, place in enumerate(places) if to != place]
        assert all(to < place < len(self) for to, place in moved)
        if len(moved) > FEW_ROWS:
            moved = [tuple(np.array(moved).T)]  # takes as long as five rows one by one
        for array in self._arrays:
            for to, place in moved:
                array[to] = array[place]
        self.used = [array[: len(places)] for array in self._arrays]

    def widen(self, number: int, width: int) -> None:
        """See to it that the last axis of one of the arrays is so long."""
        old = self._arrays[number]
        if width > old.shape[-1]:
            self._arrays[number] = np.zeros((*old.shape[:-1], width), old.dtype)
            self._arrays[number][..., : old.shape[-1]] = old
            self.used[number] = self._arrays[number][: len(self)]


def round_up(number: int, multiple: int) -> int:
    """Return the lowest multiple that is not below the number."""
    return -(-number // multiple) * multiple
