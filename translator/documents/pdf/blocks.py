"""Lines joined to paragraphs by where they stand on the page, and as the file tells."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.lines import (
    ITEM_NUMBER,
    LETTER,
    Line,
    are_parted,
    ends_inside,
    lines_of,
)
from translator.documents.pdf.reading import Box, Run

_MARKER = re.compile(rf"\s*(?:[•◦▪‣·*–—-]|{ITEM_NUMBER}|§+\s?\d+)\s")
_HANGING = re.compile(rf"{_MARKER.pattern}|\s*\d{{1,3}}(?:\.\d{{1,3}})+\.?\s")
_ENDS_TO_FILL = re.compile(r"(?:[_.…]\s?){4}$|^[\s_.…]*$")
_LABEL = re.compile(r"[^\W\d_][^:]{0,25}:\s")
_HYPHEN = re.compile(r"[^\W\d_]-$")


@dataclass(slots=True)
class Block:
    """Lines of one paragraph, a heading, or a cell; perhaps an item with a bullet."""

    lines: list[Line] = field(default_factory=list)
    has_dot: bool = False

    @property
    def left(self) -> float:
        """Where the leftmost line begins."""
        return min(line.left for line in self.lines)

    @property
    def right(self) -> float:
        """Where the rightmost line ends."""
        return max(line.right for line in self.lines)

    @property
    def box(self) -> Box:
        """Return what its letters cover."""
        first = self.lines[0]
        return Box(self.left, self.lines[-1].base, self.right, first.base + by.HEIGHT * first.size)

    @property
    def numbers(self) -> set[int]:
        """The numbers of its runs, of their twins and of its leaders."""
        runs = [run for line in self.lines for run in (*line.runs, *line.leader)]
        return {number for run in runs for number in (run.number, *run.twins)}

    @property
    def angle(self) -> float:
        """What it is turned by, in degrees."""
        return self.lines[0].runs[0].angle

    @property
    def pitch(self) -> float:
        """From one line to the next."""
        if len(self.lines) < 2:
            return by.USUAL_PITCH * self.lines[0].size
        return (self.lines[0].base - self.lines[-1].base) / (len(self.lines) - 1)

    @property
    def is_centred(self) -> bool:
        """Whether the middles of several lines are one above the other, and their ends are not."""
        near = by.ALIGNED * self.lines[0].size
        return len(self.lines) > 1 and (
            _spread(line.centre for line in self.lines)
            < near
            < _spread(line.left for line in self.lines)
        )

    @property
    def is_to_the_right(self) -> bool:
        """Whether several lines end at one place, and begin at others."""
        near = by.ALIGNED * self.lines[0].size
        ends, starts = (
            [*places] for places in zip(*((x.right, x.left) for x in self.lines), strict=True)
        )
        return len(self.lines) > 1 and _spread(ends) < near < _spread(starts[1:]) > 2 * near

    @property
    def is_justified(self) -> bool:
        """Whether all of several lines but the last end at one place."""
        near = by.FLUSH * self.lines[0].size
        return len(self.lines) > 2 and _spread(line.right for line in self.lines[:-1]) < near

    def parts(self) -> list[tuple[str, Run]]:
        """Return the text of each run; words that were broken at the ends of lines are whole."""
        parts: list[tuple[str, Run]] = []
        for line in self.lines:
            new = line.parts()
            if parts:
                text, run = parts[-1]
                text = text.rstrip()
                is_broken = _is_broken(text, new[0][0])
                parts[-1] = (text[:-1] if is_broken else f"{text} ", run)
                new[0] = (new[0][0].lstrip(), new[0][1])
            parts += new
        text, run = parts[-1]
        return [*parts[:-1], (text.rstrip(), run)]


def blocks_of(runs: Iterable[Run], drawn: Sequence[Box] = ()) -> list[Block]:
    """Return the paragraphs of a page, from the top down; what is `drawn` may be bullets."""
    by_angle: dict[float, list[Run]] = {}
    for run in itertools.chain.from_iterable(whole.cells or (whole,) for whole in runs):
        places = (run.left, run.right, run.base, run.size)
        if run.size > by.SMALLEST and all(abs(one) < by.FARTHEST for one in places):
            by_angle.setdefault(run.angle, []).append(run)
    blocks = list[Block]()
    for angle, same in by_angle.items():
        around = () if angle else drawn
        blocks += _joined(lines_of(same, around), around)
    return blocks


def _joined(lines: Sequence[Line], drawn: Sequence[Box]) -> list[Block]:
    blocks: list[Block] = []
    largest = by.WIDEST_DOT * max((line.size for line in lines), default=0.0)
    dots = [box for box in drawn if box.right - box.left < largest > box.top - box.bottom]
    columns = _Columns(lines, drawn)
    for line in lines:
        has_dot = line.has_marker or _has_dot(line, dots)
        for block in () if has_dot or line.is_marker else reversed(blocks[-by.MOST_ABOVE :]):
            if _goes_on(block, line, columns):
                block.lines.append(line)
                break
        else:
            blocks.append(Block([line], has_dot))
    return blocks


def _has_dot(line: Line, dots: Iterable[Box]) -> bool:
    size = line.size
    largest = by.WIDEST_DOT * size
    return any(
        0 < line.left - dot.right < by.FARTHEST_DOT * size
        and dot.right - dot.left < largest > dot.top - dot.bottom
        and by.DOT_RISES[0] * size < (dot.bottom + dot.top) / 2 - line.base < by.DOT_RISES[1] * size
        for dot in dots
    )


class _Side(NamedTuple):
    """A side of cells: where it is, and from where to where it goes."""

    at: float
    start: float
    end: float


class _Grid:
    def __init__(self, drawn: Iterable[Box]) -> None:
        """Take what is drawn: lines, or frames and backgrounds of cells."""
        upright, level = list[_Side](), list[_Side]()
        for box in drawn:
            width, height = box.right - box.left, box.top - box.bottom
            if height > by.SHORTEST:
                sides = {(box.left + box.right) / 2} if width < by.THIN else {box.left, box.right}
                upright += [_Side(side, box.bottom, box.top) for side in sides]
            if width > by.SHORTEST:
                sides = {(box.bottom + box.top) / 2} if height < by.THIN else {box.bottom, box.top}
                level += [_Side(side, box.left, box.right) for side in sides]
        self._upright, self._level = sorted(upright), sorted(level)

    def cell(self, text: Box) -> Box | None:
        """Return the cell around a text, if it has a line or an edge on each side."""
        middle = (text.bottom + text.top) / 2
        left, right = _around(
            self._upright, text.left + by.NEAR, text.right - by.NEAR, middle, middle
        )
        bottom, top = _around(
            self._level, text.bottom + by.NEAR, text.top - by.NEAR, text.left, text.right
        )
        if left is None or right is None or bottom is None or top is None:
            return None
        return Box(left, bottom, right, top)


def _around(
    sides: Sequence[_Side], least: float, most: float, start: float, end: float
) -> tuple[float | None, float | None]:
    below = bisect_right(sides, least, key=lambda side: side.at)
    above = bisect_left(sides, most, key=lambda side: side.at)
    before = (
        side.at
        for side in reversed(sides[max(below - by.MOST_SIDES, 0) : below])
        if side.start <= start and end <= side.end
    )
    after = (
        side.at
        for side in sides[above : above + by.MOST_SIDES]
        if side.start <= start and end <= side.end
    )
    return next(before, None), next(after, None)


def _usual_steps(lines: Iterable[Line]) -> dict[int, float]:
    """Return the step from line to line that is most frequent, by the size of the letters."""
    steps = defaultdict[int, Counter[float]](Counter)
    columns = sorted(lines, key=lambda line: (round(line.left), line.base))
    for below, above in itertools.pairwise(columns):
        step = abs(above.base - below.base) / below.size
        if round(above.left) == round(below.left) and by.PITCH[0] < step < by.PITCH[1]:
            steps[round(below.size)][round(step, 1)] += 1
    most = {size: own.most_common(1)[0] for size, own in steps.items()}
    return {size: step for size, (step, count) in most.items() if count >= by.FEWEST_ROWS}


class _Columns:
    """How far the lines of a page go to the right."""

    def __init__(self, lines: Sequence[Line], drawn: Sequence[Box]) -> None:
        """Take all lines, and what is drawn around and beside them."""
        self._by_left = sorted(lines, key=lambda line: line.left)
        self._grid, self._cells = _Grid(drawn), dict[int, Box | None]()
        self._drawn = sorted(drawn)
        self._usual = _usual_steps(lines)
        self._stacks = dict[tuple[int, int], tuple[list[Line], dict[int, int]]]()
        self._by_base = sorted(lines, key=lambda line: line.base)
        self._lefts = [line.left for line in self._by_left]
        self._bases = [line.base for line in self._by_base]

    def cell(self, last: Line, line: Line) -> Box | None:
        """Return the cell that is drawn around two short lines, if nothing stands beside them."""
        if not (_is_cell(last) or _is_cell(line)):
            return None
        cell = self._cell(last)
        is_list = " " not in last.text and last.text[:1].islower() == line.text[:1].islower()
        if cell is None or cell != self._cell(line) or is_list:
            return None
        beside = [*self._in_row(last), *self._in_row(line)]
        return None if any(cell.left < other.centre < cell.right for other in beside) else cell

    def _cell(self, line: Line) -> Box | None:
        if line.num_in_row == 1:
            return None
        if id(line) not in self._cells:
            top = line.base + by.HEIGHT * line.size
            around = Box(line.left, line.base, line.right, top)
            self._cells[id(line)] = self._grid.cell(around)
        return self._cells[id(line)]

    def is_apart(self, last: Line, line: Line) -> bool:
        """Return whether two lines are farther apart than most of their size on the page."""
        usual = self._usual.get(round(line.size), by.PITCH[1])
        return last.base - line.base > by.ROW_GAP * usual * line.size

    def end(self, lines: Sequence[Line]) -> float:
        """Return where lines end that begin where these do, or are in one paragraph with them.

        A title, in larger letters, does not count. Lines over several columns go past what stands
        beside these lines, and do not, either. The first may end before a picture.
        """
        most, first = min(self._beside(line) for line in lines), lines[0]
        like = [other for line in lines for other in self._like(line, most)]
        if first.paragraph:
            like = [one for one in like if one.paragraph == first.paragraph] or [first]
        end, start = max(one.end for one in like), bisect_left(self._drawn, (first.right,))
        for picture in self._drawn[start : start + by.MOST_SIDES]:
            is_tall = picture.top - picture.bottom > by.TWO_LINES * first.size
            if is_tall and picture.bottom < first.middle < picture.top:
                beside = {one.end for one in like if picture.bottom < one.middle < picture.top}
                ends = {end for end in beside if end < picture.left}
                end = min(end, picture.left) if len(ends) < by.MANY_LINES else max(ends)
                break
        return end

    def _like(self, line: Line, most: float) -> Iterator[Line]:
        yield line
        first = bisect_left(self._lefts, line.left - by.SAME_COLUMN * line.size)
        last = bisect_right(self._lefts, line.left + by.SAME_COLUMN * line.size)
        for other in self._by_left[first:last]:
            if other.size <= by.TITLE * line.size and other.end <= most:
                yield other

    def end_of_title(self, last: Line, line: Line) -> float:
        """Return where a line in the middle of the page ends that was not broken by hand."""
        left, right = self._by_left[0].left, max(other.end for other in self._by_left)
        is_in_middle = abs((left + right) / 2 - line.centre) < by.SAME_COLUMN * line.size
        return last.left + by.TITLE_WIDTH * (right - left) if is_in_middle else -by.FARTHEST

    def has_rows(self, last: Line, line: Line) -> bool:
        """Return whether other lines that begin where these do are farther apart, as rows are.

        A row of its own often has a number in it, and many in turn have as many cells each.
        """
        if self.num_bare(line):
            return False
        group, around = self._stack(last, line)
        if len(group) >= by.FEWEST_ROWS + 1 and len({other.num_in_row for other in group}) == 1:
            return False
        return around

    def is_list(self, last: Line, line: Line) -> bool:
        """Return whether most lines above each other end where the next word would have fitted."""
        if len(last.text) > (by.SHORT_CELL if line.text[:1].islower() else by.LONG_ITEM):
            return False
        group, _ = self._stack(last, line)
        end = max(other.end for other in group) - by.ALIGNED * line.size
        num_short = sum(below.fits_after(above, end) for below, above in itertools.pairwise(group))
        return len(group) >= by.FEWEST_ROWS and 2 * num_short > len(group) - 1

    def _stack(self, last: Line, line: Line) -> tuple[Sequence[Line], bool]:
        """Return the lines that begin where two do and are as near, and whether there are others.

        The lowest comes first.
        """
        first = bisect_left(self._lefts, line.left - by.SAME_LINE * line.size)
        end = bisect_right(self._lefts, line.left + by.SAME_LINE * line.size)
        if (first, end) not in self._stacks:
            column = sorted(self._by_left[first:end], key=lambda other: other.base)
            self._stacks[first, end] = column, {id(one): n for n, one in enumerate(column)}
        column, places = self._stacks[first, end]
        most = by.ROW_GAP * (last.base - line.base)
        place = start = places[id(line)]
        while start and column[start].base - column[start - 1].base < most:
            start -= 1
        while place + 1 < len(column) and column[place + 1].base - column[place].base < most:
            place += 1
        return column[start : place + 1], start > 0 or place + 1 < len(column)

    def num_bare(self, line: Line) -> int:
        """Return how many cells without letters stand beside a line; one may be its number."""
        return len(self._bare(line))

    def are_around(self, line: Line) -> bool:
        """Return whether cells without letters stand on both sides of a line, as in contents."""
        return {one.left < line.left for one in self._bare(line)} == {False, True}

    def _bare(self, line: Line) -> list[Line]:
        return [other for other in self._in_row(line) if not LETTER.search(other.text)]

    def are_long(self, line: Line) -> bool:
        """Return whether a line goes about as far as others that begin where it does."""
        near = by.SAME_TEXT * line.size
        return any(
            other is not line
            and abs(other.base - line.base) < near
            and other.end > line.end - by.ABOUT * line.size
            for other in self._like(line, self._beside(line))
        )

    def _in_row(self, line: Line) -> Iterator[Line]:
        first = bisect_left(self._bases, line.base - by.HEIGHT * line.size)
        last = bisect_right(self._bases, line.base + by.HEIGHT * line.size)
        for other in self._by_base[first:last]:
            if other.left >= line.right or other.right <= line.left:
                yield other

    def _beside(self, line: Line) -> float:
        beside = (other.left for other in self._in_row(line) if other.left >= line.right)
        return min(beside, default=by.FARTHEST)


def _goes_on(block: Block, line: Line, columns: _Columns) -> bool:
    last, size = block.lines[-1], line.size
    if last.is_marker or last.leader or are_parted(last, line) or not _is_below(block, line):
        return False
    if not LETTER.search(last.text + line.text) or _ENDS_TO_FILL.search(last.text):
        return False
    is_other = last.face != line.face and line.runs[0].face != last.runs[-1].face
    if is_other and not _is_broken(last.text, line.text):
        return False
    cell, is_told = columns.cell(last, line), last.paragraph == line.paragraph != 0
    if not is_told and not _may_go_on(block, line, columns, cell):
        return False
    if abs(last.centre - line.centre) < by.ALIGNED * size and abs(last.left - line.left) > size / 2:
        are_alone = last.num_in_row == line.num_in_row == 1
        return not (are_alone and line.fits_after(last, columns.end_of_title(last, line)))
    is_sparse = not _is_near(last, line) and max(len(last.text), len(line.text)) < by.SHORT_CELL
    is_apart = not _begins_below(block, line) or (is_sparse and not line.text[:1].islower())
    if len(block.lines) == 1 and not line.text[:1].islower():
        is_apart |= columns.is_apart(last, line)
    if is_apart and not is_told:
        return False
    end = columns.end((last, line))
    is_full = _is_near(last, line) or last.right > end - by.ABOUT * size
    is_long = last.right - last.left > by.LONG_LINE * size
    if is_full and is_long and ends_inside(last.text, line.text):
        return True
    if cell is not None:  # which may have as much room at its right as at its left
        end = max(end, cell.right - (line.left - cell.left))
    if line.fits_after(last, end - by.ALIGNED * size):
        return False
    return _is_broken(last.text, line.text) or not columns.is_list(last, line)


def _is_below(block: Block, line: Line) -> bool:
    """Return whether a line is as large as those of a paragraph, and as far below as they are."""
    last, size = block.lines[-1], line.size
    step = last.base - line.base
    if not by.PITCH[0] * size < step < by.PITCH[1] * size:  # as nearly always
        return False
    is_raised = any(run.rise for run in line.runs)  # which may push a line down
    most = by.RAISED_PITCH if is_raised else by.SAME_PITCH
    return (
        abs(last.size - size) <= by.SAME_SIZE * size
        and (len(block.lines) == 1 or abs(step - block.pitch) <= most * size)
        and min(last.right, line.right) > max(last.left, line.left)
    )


def _may_go_on(block: Block, line: Line, columns: _Columns, cell: Box | None) -> bool:
    """Return whether a line is no item, label, cell or heading of its own, as it looks."""
    last, size = block.lines[-1], line.size
    if _MARKER.match(line.text) or (_LABEL.match(last.text) and _LABEL.match(line.text)):
        return False
    if _is_broken(last.text, line.text):
        return True
    is_item = block.has_dot and abs(last.left - line.left) < by.AT_ONE_PLACE * size
    return cell is not None or is_item or _is_in_cell(block, line, columns)


def _is_broken(text: str, below: str) -> bool:
    """Return whether a line ends inside a word that goes on below."""
    return _HYPHEN.search(text) is not None and below.lstrip()[:1].islower()


def _is_cell(line: Line) -> bool:
    return line.num_in_row > 1 and len(line.text) < by.SHORT_CELL and not line.leader


def _is_in_cell(block: Block, line: Line, columns: _Columns) -> bool:
    """Return whether a line may go on where it is beside others, as cells of a table are."""
    last = block.lines[-1]
    fewer, more = sorted((columns.num_bare(last), columns.num_bare(line)))
    is_cell = more > 1 and _is_cell(last) and _is_cell(line)
    is_row = min(last.num_in_row, line.num_in_row) > 2 and len(last.text) < by.LONG_ITEM
    if fewer and (is_cell or is_row or (columns.are_around(last) and columns.are_around(line))):
        return False  # they are rows with numbers of their own
    if _is_rest_of_cell(last, line) or _hangs(block, line):
        return True
    if fewer > 1 and not _is_near(last, line):
        return False
    is_unended = last.num_in_row > 1 and ends_inside(last.text, line.text) and _is_near(last, line)
    if _is_cell(last):
        return is_unended and " " in last.text and columns.has_rows(last, line)
    if not _is_cell(line) or len(block.lines) > 1:  # the end of a column of text
        return True
    is_prose = line.text.endswith((".", "!", "?")) or columns.are_long(last)
    return is_unended and is_prose


def _is_rest_of_cell(last: Line, line: Line) -> bool:
    """Return whether a cell goes on in a line where not all cells of its row do."""
    is_lower = line.text[:1].islower()
    return line.num_in_row < last.num_in_row and is_lower and _is_near(last, line)


def _is_near(last: Line, line: Line) -> bool:
    return last.base - line.base < by.CLOSE * line.size


def _begins_below(block: Block, line: Line) -> bool:
    """Return whether a line begins where lines of a paragraph begin, its first one apart."""
    first, size = block.lines[0], line.size
    if len(block.lines) > 1:
        return abs(block.lines[-1].left - line.left) < by.BELOW * size
    indent = first.left - line.left
    return (
        abs(indent) < by.BELOW * size or 0 < indent < by.MOST_INDENT * size or _hangs(block, line)
    )


def _hangs(block: Block, line: Line) -> bool:
    """Return whether a line begins right of the number or bullet that a paragraph begins with."""
    first = block.lines[0]
    is_item = _HANGING.match(first.text) is not None
    return is_item and 0 < line.left - first.left < by.MOST_INDENT * line.size


def _spread(places: Iterable[float]) -> float:
    known = [*places] or [0.0]
    return max(known) - min(known)
