"""Runs joined to lines, and lines to paragraphs, by where they stand on the page."""

from __future__ import annotations

import functools
import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from translator.documents.pdf.faces import Face
from translator.documents.pdf.reading import Box, Run, raised_signs

_SAME_BASE = 0.25  # of the size: heights that are one line
_SPACE, _NEW_CELL = 0.12, 0.95  # of the size: gaps; the last parts cells
_WIDEST_SET = 0.3  # of the size: room between letters that are no words of their own
_FEWEST_GAPS, _AS_WIDE = 4, 0.02  # that tell how wide letters are set; fewer must be as wide
_SAME_SIZE, _TITLE = 0.06, 1.3  # of the size
_SMALLEST, _FARTHEST = 0.5, 1e6  # points: what lies beyond nobody sees
_HEIGHT = 0.8  # of letters above the line, in units of the size
_PITCH = (0.6, 1.9)  # of the size: between lines of one paragraph
_MOST_INDENT, _SAME_COLUMN = 4.0, 1.5  # of the size: of a first line; between left ends
_MOST_ABOVE = 200  # paragraphs that a line may belong to
_LARGEST_DOT, _FARTHEST_DOT = 6.0, 3.0  # points; of the size
_SHORT_CELL = 30  # characters
_MARKER = re.compile(r"\s*(?:[•◦▪‣·*–—-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s")
_SPACES = re.compile(r"\s+")
_HYPHEN = re.compile(r"[^\W\d_]-$")


@dataclass
class Line:
    """Runs that stand side by side, without a wide gap; all must be there when it is asked."""

    runs: list[Run]
    num_in_row: int = 1

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.runs[0].left

    @functools.cached_property
    def _typical(self) -> Run:
        """One that looks as most of the letters do; each may be a run of its own."""
        looks: dict[tuple[float, float, Face], list[Run]] = {}
        for run in self.runs:
            looks.setdefault((run.size, run.rise, run.face), []).append(run)
        return max(looks.values(), key=lambda runs: sum(len(run.text) for run in runs))[0]

    @functools.cached_property
    def right(self) -> float:
        """Where it ends."""
        return max(run.right for run in self.runs)

    @property
    def size(self) -> float:
        """Size of most of its letters."""
        return self._typical.size

    @property
    def face(self) -> Face:
        """Face of most of its letters."""
        return self._typical.face

    @property
    def base(self) -> float:
        """Height that most of its letters stand on."""
        return self._typical.base

    @property
    def centre(self) -> float:
        """The middle between its ends."""
        return (self.left + self.right) / 2

    @functools.cached_property
    def text(self) -> str:
        """Its text, with spaces where there are gaps."""
        return "".join(text for text, _ in self.parts())

    def parts(self) -> list[tuple[str, Run]]:
        """Return the text of each run, with spaces where there are gaps."""
        parts, before, set_apart = list[tuple[str, Run]](), None, self.letter_space
        for run in self.runs:
            text = _SPACES.sub(" ", _spaced(run, set_apart + _SPACE))
            if before is not None:
                gap = (run.left - before.right) / (run.size / run.scale)
                is_apart = gap > set_apart + _SPACE or gap < -1  # or it stands in a hole of that
                if parts[-1][0].endswith(" "):
                    text = text.lstrip()
                elif is_apart and not text.startswith(" "):
                    text = f" {text}"
            parts.append((text, run))
            before = run
        return parts

    @functools.cached_property
    def letter_space(self) -> float:
        """How far apart letters of one word are set, in units of the size: most gaps are such."""
        gaps = list[float]()
        before: Run | None = None
        for run in self.runs:
            if before is not None and " " not in before.text[-1:] + run.text[:1]:
                gaps.append((run.left - before.right) / run.size)
            pairs = zip(run.gaps, itertools.pairwise(run.text), strict=False)
            inside = [gap for gap, pair in pairs if " " not in pair]
            gaps += inside if run.gaps else [0.0] * (len(run.text) - 1)
            before = run
        gaps.sort()
        if len(gaps) < _FEWEST_GAPS and (len(gaps) < 2 or gaps[-1] - gaps[0] > _AS_WIDE):
            return 0.0
        narrow = gaps[len(gaps) // 4]
        return narrow if 0 < narrow < _WIDEST_SET else 0.0


def _spaced(run: Run, least: float) -> str:
    """Return the text of a run with spaces where letters are apart by so much."""
    if not run.gaps:
        return run.text
    after = [" " if gap > least else "" for gap in run.gaps]
    return "".join(f"{char}{space}" for char, space in zip(run.text, [*after, ""], strict=True))


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
        return Box(self.left, self.lines[-1].base, self.right, first.base + _HEIGHT * first.size)

    @property
    def angle(self) -> float:
        """What it is turned by, in degrees."""
        return self.lines[0].runs[0].angle

    @property
    def pitch(self) -> float:
        """From one line to the next."""
        if len(self.lines) < 2:
            return 1.2 * self.lines[0].size
        return (self.lines[0].base - self.lines[-1].base) / (len(self.lines) - 1)

    @property
    def is_centred(self) -> bool:
        """Whether the middles of several lines are one above the other, and their ends are not."""
        near = 0.3 * self.lines[0].size
        return len(self.lines) > 1 and (
            _spread(line.centre for line in self.lines)
            < near
            < _spread(line.left for line in self.lines)
        )

    @property
    def is_to_the_right(self) -> bool:
        """Whether several lines end at one place, and begin at others."""
        near = 0.3 * self.lines[0].size
        ends, starts = (
            [*places] for places in zip(*((x.right, x.left) for x in self.lines), strict=True)
        )
        return len(self.lines) > 1 and _spread(ends) < near < _spread(starts[1:]) > 2 * near

    @property
    def is_justified(self) -> bool:
        """Whether all of several lines but the last end at one place."""
        near = 0.15 * self.lines[0].size
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


def blocks_of(runs: Iterable[Run], drawn: Iterable[Box] = ()) -> list[Block]:
    """Return the paragraphs of a page, from the top down; what is `drawn` may be bullets."""
    dots = [box for box in drawn if box.right - box.left < _LARGEST_DOT > box.top - box.bottom]
    by_angle: dict[float, list[Run]] = {}
    for run in runs:
        places = (run.left, run.right, run.base, run.size)
        if (
            run.text.strip()
            and run.size > _SMALLEST
            and all(abs(one) < _FARTHEST for one in places)
        ):
            by_angle.setdefault(run.angle, []).append(run)
    return [
        block
        for angle, same in by_angle.items()
        for block in _joined(_lines(same), dots if not angle else [])
    ]


def _lines(runs: Sequence[Run]) -> list[Line]:
    """Return lines, the highest first; what stands in one row is parted at wide gaps."""
    rows: list[list[Run]] = []
    signs = raised_signs(runs)
    alone = {sign.number for those in signs.values() for sign in those}
    for run in sorted((one for one in runs if one.number not in alone), key=lambda run: -run.base):
        if rows and abs(rows[-1][0].base - run.base) <= _SAME_BASE * min(
            run.size, rows[-1][0].size
        ):
            rows[-1].append(run)
        else:
            rows.append([run])
    lines: list[Line] = []
    for row in rows:
        row += [sign for run in row for sign in signs.get(run.number, ())]
        row.sort(key=lambda run: run.left)
        inside, right = [Line([row[0]])], row[0].right
        widest = _NEW_CELL + 2 * Line(row).letter_space
        for before, run in itertools.pairwise(row):
            if run.left - right > widest * max(run.size, before.size):
                inside.append(Line([]))
                right = run.right
            inside[-1].runs.append(run)
            right = max(right, run.right)
        for line in inside:
            line.num_in_row = len(inside)
        lines += inside
    return lines


def _joined(lines: Sequence[Line], dots: Sequence[Box]) -> list[Block]:
    blocks: list[Block] = []
    columns = _Columns(lines)
    for line in lines:
        has_dot = _has_dot(line, dots)
        for block in () if has_dot else reversed(blocks[-_MOST_ABOVE:]):
            if _goes_on(block, line, columns):
                block.lines.append(line)
                break
        else:
            blocks.append(Block([line], has_dot))
    return blocks


def _has_dot(line: Line, dots: Iterable[Box]) -> bool:
    """Return whether a bullet is drawn before a line."""
    size = line.size
    return any(
        0 < line.left - dot.right < _FARTHEST_DOT * size
        and line.base - 0.1 * size < (dot.bottom + dot.top) / 2 < line.base + 0.7 * size
        for dot in dots
    )


class _Columns:
    """How far the lines of a page go to the right."""

    def __init__(self, lines: Iterable[Line]) -> None:
        """Take all lines."""
        self._by_left = sorted(lines, key=lambda line: line.left)
        self._by_base = sorted(lines, key=lambda line: line.base)
        self._lefts = [line.left for line in self._by_left]
        self._bases = [line.base for line in self._by_base]

    def end(self, lines: Sequence[Line]) -> float:
        """Return where lines end that begin where these do.

        A title, in larger letters, does not count. Lines over several columns go past what stands
        beside these lines, and do not, either.
        """
        most = min(self._beside(line) for line in lines)
        return max(other.right for line in lines for other in self._like(line, most))

    def _like(self, line: Line, most: float) -> Iterator[Line]:
        yield line
        first = bisect_left(self._lefts, line.left - _SAME_COLUMN * line.size)
        last = bisect_right(self._lefts, line.left + _SAME_COLUMN * line.size)
        for other in self._by_left[first:last]:
            if other.size <= _TITLE * line.size and other.right <= most:
                yield other

    def _beside(self, line: Line) -> float:
        first = bisect_left(self._bases, line.base - _HEIGHT * line.size)
        last = bisect_right(self._bases, line.base + _HEIGHT * line.size)
        beside = (other.left for other in self._by_base[first:last] if other.left >= line.right)
        return min(beside, default=_FARTHEST)


def _goes_on(block: Block, line: Line, columns: _Columns) -> bool:
    """Return whether a line belongs to a paragraph above it."""
    last, size = block.lines[-1], line.size
    step = last.base - line.base
    if abs(last.size - size) > _SAME_SIZE * size or not _PITCH[0] * size < step < _PITCH[1] * size:
        return False
    if len(block.lines) > 1 and abs(step - block.pitch) > 0.15 * size:
        return False
    if min(last.right, line.right) <= max(last.left, line.left) or _MARKER.match(line.text):
        return False
    if not _is_broken(last.text, line.text):
        if last.face != line.face and line.runs[0].face != last.runs[-1].face:
            return False
        if _is_cell(last) and not _is_rest_of_cell(last, line):
            return False
        if _is_cell(line) and len(block.lines) < 2 and not _is_rest_of_cell(last, line):
            return False  # behind two long lines, a short one is the end of a column of text
    is_centred = (
        abs(last.centre - line.centre) < 0.3 * size and abs(last.left - line.left) > size / 2
    )
    if is_centred:
        return True
    if not _begins_below(block, line):
        return False
    word = line.text.split()[0]
    needed = (line.right - line.left) * (len(word) + 1) / max(len(line.text), 1)
    return last.right + needed > columns.end((last, line)) - 0.3 * size


def _is_broken(text: str, below: str) -> bool:
    """Return whether a line ends inside a word that goes on below."""
    return _HYPHEN.search(text) is not None and below.lstrip()[:1].islower()


def _is_cell(line: Line) -> bool:
    return line.num_in_row > 1 and len(line.text) < _SHORT_CELL


def _is_rest_of_cell(last: Line, line: Line) -> bool:
    """Return whether a cell goes on in a line where not all cells of its row do."""
    is_near = last.base - line.base < 1.3 * line.size
    return line.num_in_row < last.num_in_row and line.text[:1].islower() and is_near


def _begins_below(block: Block, line: Line) -> bool:
    """Return whether a line begins where lines of a paragraph begin, its first one apart."""
    first, size = block.lines[0], line.size
    if len(block.lines) > 1:
        return abs(block.lines[-1].left - line.left) < 0.6 * size
    indent = first.left - line.left
    hangs = _MARKER.match(first.text) is not None and -3 * size < indent < 0
    return abs(indent) < 0.6 * size or 0 < indent < _MOST_INDENT * size or hangs


def _spread(places: Iterable[float]) -> float:
    known = [*places] or [0.0]
    return max(known) - min(known)
