"""Whether a line goes on in the next: a small network, over what can be measured of the two.

It was trained on tagged files, which tell what is a paragraph (`python -m training.paragraphs`).
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.lines import ITEM_NUMBER, LETTER, Line
from translator.documents.pdf.runs import Box, overlap_across

WEIGHTS = "joins.safetensors"
"""Weights of the network, beside this module."""

Vector = NDArray[np.float32]

_MARKER = re.compile(rf"(?:[•◦▪‣·*–—-]|{ITEM_NUMBER}|§+\s?\d+|\d{{1,3}}(?:\.\d{{1,3}})+\.?)(?=\s)")
_CLOSE_MARKER = re.compile(rf"(?:{ITEM_NUMBER})(?=[^\W\d_])")
_LABEL = re.compile(r"[^\W\d_][^:]{0,25}:\s")
_STARTS = (_MARKER, _CLOSE_MARKER, _LABEL, re.compile(r"\d"), re.compile(r"[\"'„“‚‘«»‹›(\[]"))
"""What a line may begin with."""

_ENDS = (".!?", ",;", ":", "-\xad", ")]\"'“”’»«›‹", "_…", "0123456789", "{}=+<>&|*/\\")
"""What a line may end with."""

FARTHEST = 5.0
"""Deviations from the mean; what is farther counts as this."""

_HYPHEN = re.compile(r"[^\W\d_]-$")
_AMOUNT = re.compile(rf"(?=.*\d)[^\n]{{1,{by.LONGEST_BEHIND}}}$")
_MARK, _ADDRESS = re.compile(r"[^\w\s]"), re.compile(r"@|://|www\.|\+\d\d")
_NUM_DISTANCES, _FAR, _NEAR, _HAIR = 20, 99.0, 1.0, 0.3
"""How many features are distances, and as far as what they are told, in units of the size."""


class _Stack(NamedTuple):
    """The lines that begin at one place, each below the other, as one of them sees it.

    Attributes:
        number: of the first of them.
        end: where the longest of those near this line ends.
        num_lines: how many they are.
        short: share of those that end where the first word of the next would have fitted.
        lower: share of those that begin with a small letter.
        ended: share of those that end as sentences do.
        alike: share of those that are in rows of as many cells as this line.
        beside: share of those that are in rows of several cells.
    """

    number: int
    end: float
    num_lines: int
    short: float
    lower: float
    ended: float
    alike: float
    beside: float


class Surroundings:
    """The lines of a page, and what stands around each."""

    def __init__(self, lines: Sequence[Line], drawn: Iterable[Box]) -> None:
        """Take the lines that are turned alike, and what is drawn."""
        self._by_base = sorted(lines, key=lambda line: line.base)
        self._bases = [line.base for line in self._by_base]
        self._by_left = sorted(lines, key=lambda line: line.left)
        self._lefts = [line.left for line in self._by_left]
        wide = [box for box in drawn if box.right - box.left > by.SHORTEST]
        self._edges = sorted((y, box) for box in wide for y in {box.bottom, box.top})
        self._known = dict[int, list[float]]()
        self._stacks = {id(line): stack for line, stack in _stacks(lines)}

    def features(self, lines: Sequence[Line], line: Line) -> list[float]:
        """Return what can be measured of the lines of a paragraph so far and one below."""
        last, first, size = lines[-1], lines[0], line.size
        above, below = self._next(last, 1), self._next(line, -1)
        step, end = last.base - line.base, self._end(last, line)
        pitch = (first.base - last.base) / (len(lines) - 1) if len(lines) > 1 else step
        distances = [
            *(step, step - pitch),
            step - (line.base - below.base) if below else -_FAR,
            step - (above.base - last.base) if above else -_FAR,
            *(line.left - last.left, line.left - first.left, line.right - last.right),
            *(line.centre - last.centre, line.right - last.left, end - last.left),
            *(end - last.right, end - last.right - line.first_word),
            self._stack(last).end - last.right - line.first_word,
            *(last.size - size, self._beside(last) - last.right, self._beside(line) - line.right),
            *((above.left - last.left, above.right - last.right) if above else (0.0, 0.0)),
            *((below.left - line.left, below.right - line.right) if below else (0.0, 0.0)),
        ]
        faces, num_edges = (last.face, line.face), self._num_edges(last, line)
        looks = [
            *(faces[0] == faces[1], last.runs[-1].face == line.runs[0].face),
            *(len(lines) > 1, len(lines) > 2, num_edges > 0, num_edges > 1),
            above is not None and above.face == last.face,
            above is not None and self._num_edges(above, last) > 0,
            below is not None and below.face == line.face,
            below is not None and self._num_edges(line, below) > 0,
            *(faces[0].family == faces[1].family, "Mono" == faces[0].family == faces[1].family),
            *(any(run.rise for run in line.runs), is_broken(last.text, line.text)),
            *(
                last.text.count("(") > last.text.count(")"),
                self._stack(last).number == self._stack(line).number,
            ),
        ]
        return [
            *(distance / size for distance in distances),
            *looks,
            *self._own(last),
            *self._own(line),
            *_start(first.text),
            *_start(below.text if below else ""),
        ]

    def are_apart(self, last: Line, line: Line) -> bool:
        """Return whether a line begins a text of its own, as it looks: a label, or a row.

        So do lines in another face or colour, and numbers below short lines. Rows of a table have
        some at their right.
        """
        faces = (run.face._replace(is_italic=False) for run in (last.runs[-1], line.runs[0]))
        is_other = last.face != line.face and len({*faces}) > 1
        colours = {run.colour for run in last.runs}, {run.colour for run in line.runs}
        is_other = is_other or colours[0].isdisjoint(colours[1])
        have_numbers = (
            any(one.left >= other.right and _AMOUNT.match(one.text) for one in self._in_row(other))
            for other in (last, line)
        )
        may_go_on, is_short = line.text[:1].islower(), len(last.text) < by.SHORT_CELL
        return (
            (_LABEL.match(last.text) is not None and _LABEL.match(line.text) is not None)
            or (is_other and not may_go_on)
            or ((not may_go_on or is_short) and all(have_numbers))
            or (is_short and LETTER.search(line.text) is None)
            or self._are_cells(last, line)
        )

    def _are_cells(self, last: Line, line: Line) -> bool:
        """Return whether rows have as many cells each, with a word, or room for the next one.

        They are as far from each other, and nothing parts them, or they were lines of cells.
        """
        stack = self._stack(line)
        if not stack.alike == stack.beside == 1 or stack.num_lines < by.FEWEST_ROWS:
            return False
        most = by.ROW_GAP * (last.base - line.base)
        for above, below in ((self._next(last, 1), last), (line, self._next(line, -1))):
            if (
                above
                and below
                and (above.base - below.base > most or self._num_edges(above, below))
            ):
                return False
        are_words = " " not in last.text.strip() + line.text.strip()
        is_list = stack.short > by.LIST and len(last.text) < by.SHORT_CELL
        return are_words or (is_list and not line.text[:1].islower())

    def _own(self, line: Line) -> list[float]:
        """Return what can be told of a line alone, and of those that begin where it does."""
        if id(line) not in self._known:
            text = line.text.strip()
            words, bare, stack = text.split(), [*self._bare(line)], self._stack(line)
            counts = (len(text), len(words), (line.right - line.left) / line.size, line.num_in_row)
            self._known[id(line)] = [
                *(math.log1p(max(count, 0)) for count in (*counts, len(bare), line.size)),
                *(sum(map(str.isdigit, text)) / len(text), len(_MARK.findall(text)) / len(text)),
                _ADDRESS.search(text) is not None,
                *(sum(word[:1].isupper() for word in words) / len(words),),
                {one.left < line.left for one in bare} == {False, True},
                *(":" in text, line.face.is_bold, line.face.is_italic),
                *(text[-1] in end for end in _ENDS),
                *_start(text),
                *(math.log(stack.num_lines), *stack[3:]),
            ]
        return self._known[id(line)]

    def _stack(self, line: Line) -> _Stack:
        return self._stacks[id(line)]

    def _next(self, line: Line, way: int) -> Line | None:
        """Return the next line above (1) or below (-1) that is not beside a line."""
        place = bisect_left(self._bases, line.base)
        while 0 <= (place := place + way) < len(self._by_base):
            other = self._by_base[place]
            step = way * (other.base - line.base) / line.size
            if step > by.FARTHEST_NEXT:
                return None
            if step > by.MIDDLE and overlap_across(line, other):
                return other
        return None

    def overlapping(self, line: Line) -> Iterator[Line]:
        """Yield the lines of the page that are above, at or below some of a line."""
        return (other for other in self._by_base if overlap_across(line, other))

    def _end(self, last: Line, line: Line) -> float:
        """Return where lines end that begin where these do; titles and wide lines do not count."""
        most = min(self._beside(last), self._beside(line))
        ends = [last.end, line.end]
        for one in (last, line):
            start = bisect_left(self._lefts, one.left - by.SAME_COLUMN * one.size)
            stop = bisect_right(self._lefts, one.left + by.SAME_COLUMN * one.size)
            for other in self._by_left[start:stop]:
                if other.size <= by.TITLE * one.size and other.end <= most:
                    ends.append(other.end)
        return max(ends)

    def _bare(self, line: Line) -> Iterator[Line]:
        """Yield the cells without letters beside a line; one may be its number."""
        return (other for other in self._in_row(line) if not LETTER.search(other.text))

    def _in_row(self, line: Line) -> Iterator[Line]:
        first = bisect_left(self._bases, line.base - by.HEIGHT * line.size)
        last = bisect_right(self._bases, line.base + by.HEIGHT * line.size)
        for other in self._by_base[first:last]:
            if other.left >= line.right or other.right <= line.left:
                yield other

    def _beside(self, line: Line) -> float:
        """Return where the next text at the right of a line begins."""
        beside = (other.left for other in self._in_row(line) if other.left >= line.right)
        return min(beside, default=line.right + _FAR * line.size)

    def _num_edges(self, last: Line, line: Line) -> int:
        """Return how many rules, or sides of cells, are drawn between two lines."""
        low, high = line.base + line.size / 2, last.base + by.THIN / 2
        first = bisect_left(self._edges, low, key=lambda edge: edge[0])
        end = bisect_right(self._edges, high, key=lambda edge: edge[0])
        return sum(
            box.left < min(last.right, line.right) and max(last.left, line.left) < box.right
            for _, box in self._edges[first:end]
        )


def inputs(features: Sequence[Sequence[float]]) -> Vector:
    """Return what the network takes: (pairs, inputs). Distances are told on three scales."""
    every = np.array(features, np.float32)
    far, others = every[:, :_NUM_DISTANCES].clip(-_FAR, _FAR), every[:, _NUM_DISTANCES:]
    near, hair = far.clip(-_NEAR, _NEAR) / _NEAR, far.clip(-_HAIR, _HAIR) / _HAIR
    return np.concatenate([np.sign(far) * np.log1p(np.abs(far)), near, hair, others], axis=1)


def log_odds(features: Sequence[Sequence[float]]) -> Vector:
    """Return how likely each line goes on, by what is known of it: (pairs,)."""
    weights = _weights()
    layer = (inputs(features) - weights["mean"]) / weights["deviation"]
    layer = layer.clip(-FARTHEST, FARTHEST)
    for number in range(len(weights) // 2 - 1):
        layer = np.maximum(layer, 0) if number else layer
        layer = layer @ weights[f"{number}.weight"].T + weights[f"{number}.bias"]
    return np.asarray(layer[:, 0], np.float32)


@functools.cache
def _weights() -> dict[str, Vector]:
    stored = safetensors.numpy.load(files(__package__).joinpath(WEIGHTS).read_bytes())
    return {name: weights.astype(np.float32) for name, weights in stored.items()}


def is_item(line: Line) -> bool:
    """Return whether a line begins with a bullet or a number, as an item of a list does."""
    return _MARKER.match(line.text) is not None


def is_broken(text: str, below: str) -> bool:
    """Return whether a line ends inside a word that goes on below."""
    return _HYPHEN.search(text) is not None and below.lstrip()[:1].islower()


@functools.lru_cache(maxsize=4096)
def _start(text: str) -> tuple[bool, ...]:
    text = text.lstrip()
    cased = (text[:1].islower(), text[:1].isupper(), text[:2].isupper())
    return *(kind.match(text) is not None for kind in _STARTS), *cased


def _stacks(lines: Iterable[Line]) -> Iterator[tuple[Line, _Stack]]:
    columns: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (round(line.left), -line.base)):
        last = columns[-1][-1] if columns else None
        if (
            last is not None
            and round(last.left) == round(line.left)
            and last.base - line.base < by.PITCH[1] * line.size
            and abs(last.size - line.size) < by.OTHER_SIZE * line.size
        ):
            columns[-1].append(line)
        else:
            columns.append([line])
    for number, own in enumerate(columns):
        ends = [*_ends(own)]
        num_short = sum(
            above.right + below.first_word < end - by.ALIGNED * below.size
            for end, (above, below) in zip(ends, itertools.pairwise(own), strict=False)
        )
        shares = (
            num_short / max(len(own) - 1, 1),
            sum(line.text[:1].islower() for line in own) / len(own),
            sum(line.text.rstrip()[-1:] in _ENDS[0] for line in own) / len(own),
        )
        rows = Counter(line.num_in_row for line in own)
        beside = 1 - rows[1] / len(own)
        for line, end in zip(own, ends, strict=True):
            alike = rows[line.num_in_row] / len(own)
            yield line, _Stack(number, end, len(own), *shares, alike, beside)


def _ends(lines: Sequence[Line]) -> Iterator[float]:
    """Yield for each of several lines where the longest of those near it ends."""
    for place in range(len(lines)):
        near = lines[max(place - by.MANY_LINES, 0) : place + by.MANY_LINES + 1]
        yield max(line.right for line in near)
