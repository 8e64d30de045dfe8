"""The cells that lines and frames draw on a page."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from translator.documents.pdf.reading import Box

_THIN = 2.0  # points: lines; what is thicker has sides
_SHORTEST = 6.0  # points: sides of cells
_NEAR = 1.0  # points: from text to a side that it may touch
_BEYOND = 0.5  # points that the line below a cell is longer than its text; an underline is not
_MOST_SIDES = 300  # that are looked at around a text


class _Side(NamedTuple):
    """A side of cells: where it is, and from where to where it goes."""

    at: float
    start: float
    end: float


class Grid:
    """The sides of all cells of a page."""

    def __init__(self, drawn: Iterable[Box]) -> None:
        """Take what is drawn: lines, or frames and backgrounds of cells."""
        upright, level = list[_Side](), list[_Side]()
        for box in drawn:
            width, height = box.right - box.left, box.top - box.bottom
            if height > _SHORTEST:
                sides = {(box.left + box.right) / 2} if width < _THIN else {box.left, box.right}
                upright += [_Side(side, box.bottom, box.top) for side in sides]
            if width > _SHORTEST:
                sides = {(box.bottom + box.top) / 2} if height < _THIN else {box.bottom, box.top}
                level += [_Side(side, box.left, box.right) for side in sides]
        self._upright, self._level = sorted(upright), sorted(level)

    def cell(self, text: Box) -> Box | None:
        """Return the cell around a text, if it has a line or an edge on each side."""
        middle = (text.bottom + text.top) / 2
        left, right = _around(self._upright, text.left + _NEAR, text.right - _NEAR, middle, middle)
        start, end = text.left - _BEYOND, text.right + _BEYOND
        bottom, top = _around(self._level, text.bottom + _NEAR, text.top - _NEAR, start, end)
        if left is None or right is None or bottom is None or top is None:
            return None
        return Box(left, bottom, right, top)


def _around(
    sides: Sequence[_Side], least: float, most: float, start: float, end: float
) -> tuple[float | None, float | None]:
    """Return the next sides before and behind two places that go from a start to an end."""
    below = bisect_right(sides, least, key=lambda side: side.at)
    above = bisect_left(sides, most, key=lambda side: side.at)
    before = (
        side.at
        for side in reversed(sides[max(below - _MOST_SIDES, 0) : below])
        if side.start <= start and end <= side.end
    )
    behind = (
        side.at
        for side in sides[above : above + _MOST_SIDES]
        if side.start <= start and end <= side.end
    )
    return next(before, None), next(behind, None)
