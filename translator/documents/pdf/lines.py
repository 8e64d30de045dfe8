"""Runs joined to lines by where they stand on the page; cells of a row are lines of their own."""

from __future__ import annotations

import functools
import itertools
import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.runs import FROM_THE_RIGHT, LEADER, Box, Run, raised_signs
from translator.documents.pdf.typefaces import Face

ITEM_NUMBER = r"\(?\d{1,3}[.)]|\[\d{1,3}\]|\(?(?:[a-z]|[ivx]{1,5})[.)]"  # of an item
_BULLET = re.compile(rf"\s*(?:[•◦▪‣·*–—●○■□➢➔❖✓✔\ue000-\uf8ff-]|{ITEM_NUMBER})\s*")
_SIGN = re.compile(r"[^\w\s\"'„“”‚‘’«»‹›()\[\]{}§&/]")  # some font shows a bullet for it
_BOX = re.compile(r"\s*[☐☑☒□▢◻❏❑❒\u2b1c]\s*")  # to be ticked
_INSIDE = re.compile(r"[^\W_]{2}")
WORD, SHOWN = re.compile(r"[^\W\d_]{2}"), re.compile(r"[^\W_]")
_SPACES = re.compile(r"\s+")
LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")


@dataclass
class Line:
    """Runs that stand side by side, without a wide gap; all must be there when it is asked.

    Attributes:
        runs: from the left.
        num_in_row: how many lines stand side by side.
        is_marker: whether it is a bullet, or a box to be ticked.
        has_marker: whether one stands before it, or a leader.
        leader: dots after it, which end where the number of a page or a price begins.
    """

    runs: list[Run]
    num_in_row: int = 1
    is_marker: bool = False
    has_marker: bool = False
    leader: tuple[Run, ...] = ()

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.runs[0].left

    @functools.cached_property
    def _typical(self) -> Run:
        """One that looks as most of the letters do; each may be a run of its own."""
        sizes, looks = Counter[float](), Counter[tuple[float, float, Face]]()
        for run in self.runs:
            sizes[run.size] += len(run.text)
            looks[run.size, run.rise, run.face] += len(run.text)
        return max(
            self.runs, key=lambda run: (sizes[run.size], looks[run.size, run.rise, run.face])
        )

    @functools.cached_property
    def right(self) -> float:
        """Where it ends."""
        return max(run.right for run in self.runs)

    @functools.cached_property
    def paragraph(self) -> int:
        """Number of the one that it is in, if the file tells; 0 otherwise."""
        return next((run.paragraph for run in self.runs if run.paragraph), 0)

    @property
    def end(self) -> float:
        """Where it ends with its leader."""
        return max(self.right, *(run.right for run in self.leader)) if self.leader else self.right

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
    def middle(self) -> float:
        """Height of the middle of its letters."""
        return self.base + by.MIDDLE * self.size

    @property
    def centre(self) -> float:
        """The middle between its ends."""
        return (self.left + self.right) / 2

    @functools.cached_property
    def text(self) -> str:
        """Its text, with spaces where there are gaps."""
        return "".join(text for text, _ in self.parts())

    @property
    def first_word(self) -> float:
        """How wide its first word is, and a space before it."""
        word = self.text.split()[0]
        return (self.right - self.left) * (len(word) + 1) / len(self.text)

    def parts(self) -> list[tuple[str, Run]]:
        """Return the text of each run, with spaces where there are gaps."""
        parts, before = list[tuple[str, Run]](), None
        for run in self.runs:
            own = self._letter_spaces[run.size, run.face]
            set_apart = self.letter_space if run.font else own  # letters of formulas stand apart
            text = _SPACES.sub(" ", _spaced(run, set_apart + by.SPACE))
            if before is None:
                text = text.lstrip()
            else:
                gap = (run.left - before.right) / (run.size / run.scale)
                last, its = parts[-1]
                if before.font and gap < -by.OVERLAP and len(last.strip()) == 1 and not run.rise:
                    parts[-1] = (last, replace(its, overlap=-round(gap, 2)))
                is_apart = gap > set_apart + by.SPACE or gap < -1  # or it stands in a hole of that
                if parts[-1][0].endswith(" "):
                    text = text.lstrip()
                elif is_apart and not text.startswith(" "):
                    text = f" {text}"
            if parts and parts[-1][1].looks == run.looks:
                joined, first = parts.pop()
                text, whole = joined + text, replace(first, right=max(first.right, run.right))
                parts.append((text, whole))
            else:
                parts.append((text, run))
            before = run
        return [*self._scaled(parts)]

    def _scaled(self, parts: Sequence[tuple[str, Run]]) -> Iterator[tuple[str, Run]]:
        """Yield texts; runs of words that are larger or smaller than most know by how much.

        Letters inside a word do not count: small capitals are such.
        """
        texts = ["", *(text for text, _ in parts), ""]
        for before, (text, run), after in zip(texts, parts, texts[2:], strict=False):
            scale = run.size / self.size
            is_word = not (_INSIDE.fullmatch(before[-1:] + text[:1]))
            is_word = is_word and not _INSIDE.fullmatch(text[-1:] + after[:1])
            is_other = abs(scale - 1) > by.LEAST_OTHER
            yield text, replace(run, scale=scale) if is_word and is_other and not run.rise else run

    @functools.cached_property
    def letter_space(self) -> float:
        """How far apart letters of one word are set, in units of the size: most gaps are such."""
        return _usual(itertools.chain.from_iterable(self._gaps.values()))

    @functools.cached_property
    def _letter_spaces(self) -> dict[tuple[float, Face], float]:
        """The same for letters of each size and face."""
        return {look: _usual(gaps) for look, gaps in self._gaps.items()}

    @functools.cached_property
    def _gaps(self) -> dict[tuple[float, Face], list[float]]:
        """Gaps between letters without a space, in units of the size, by their size and face."""
        found = defaultdict[tuple[float, Face], list[float]](list)
        before: Run | None = None
        for run in self.runs:
            gaps = found[run.size, run.face]
            if before is not None and " " not in before.text[-1:] + run.text[:1]:
                gaps.append((run.left - before.right) / run.size)
            pairs = zip(run.gaps, itertools.pairwise(run.text), strict=False)
            silent = " .·…" if LEADER.search(run.text) else " "
            inside = [gap for gap, pair in pairs if set(pair).isdisjoint(silent)]
            gaps += inside if run.gaps else [0.0] * (len(run.text) - 1)
            before = run
        return found


def _usual(gaps: Iterable[float]) -> float:
    every = sorted(gaps)
    narrow = every[len(every) // 4] if len(every) >= by.FEWEST_GAPS else 0.0
    return narrow if 0 < narrow < by.WIDEST_SET else 0.0


def _spaced(run: Run, least: float) -> str:
    """Return the text of a run with spaces where letters are apart by so much."""
    if not run.gaps:
        return run.text
    after = [" " if gap > least else "" for gap in run.gaps]
    return "".join(f"{char}{space}" for char, space in zip(run.text, [*after, ""], strict=True))


def lines_of(runs: Sequence[Run], drawn: Sequence[Box]) -> list[Line]:
    """Return the lines of runs that are turned alike, the highest first; cells are lines, too.

    What is `drawn` parts them.
    """
    lines = [*_at_leaders(_Rows(runs, drawn).lines())]
    if _tells_paragraphs(lines):
        return lines
    untold = [replace(run, paragraph=0) for run in runs]
    return [*_at_leaders(_Rows(untold, drawn).lines())]


def _tells_paragraphs(lines: Sequence[Line]) -> bool:
    """Return whether what the file tells may be true: some programs call each line a paragraph."""
    told = Counter(line.paragraph for line in lines if line.paragraph)
    num_parted = sum(
        are_parted(above, below)
        and above.right - above.left > by.LONG_LINE * above.size
        and _ends_inside(above.text, below.text)
        for above, below in itertools.pairwise(lines)
    )
    return num_parted <= sum(told.values()) - len(told)


def _rows(runs: Sequence[Run]) -> list[list[Run]]:
    """Return what stands side by side, the highest first, with what shows spaces alone."""
    rows: list[list[Run]] = []
    signs = raised_signs(runs)
    alone = {sign.place for those in signs.values() for sign in those}
    for run in sorted((one for one in runs if one.place not in alone), key=lambda run: -run.base):
        if rows and abs(rows[-1][0].base - run.base) <= by.SAME_LINE * min(
            run.size, rows[-1][0].size
        ):
            rows[-1].append(run)
        else:
            rows.append([run])
    for row in rows:
        row[:] = [one for run in row for one in _with_signs(run, signs)]
        row.sort(key=lambda run: run.left)
    return [row for row in rows if any(run.text.strip() for run in row)]


def _with_signs(run: Run, signs: Mapping[tuple[int, float], Sequence[Run]]) -> Iterator[Run]:
    """Yield a run, what is raised or lowered behind it, and what is so behind that."""
    yield run
    for sign in signs.get(run.place, ()):
        rise = run.rise + sign.rise * run.scale
        yield from _with_signs(replace(sign, scale=sign.scale * run.scale, rise=rise), signs)


class _Gap(NamedTuple):
    """What is between two words of a row.

    Attributes:
        width: in units of the size.
        has_space: whether the file shows a space there, or may have left it out.
        is_own: whether the words themselves end or begin with it.
        is_alone: whether it is shown by itself.
        goes_on: whether the second begins with it, as no cell does, or looks otherwise, as what
            follows a head in the same line.
        has_rule: whether a line is drawn there, or a cell ends.
        is_end: whether a paragraph ends there, as the file tells, or a number in a row of them.
        right: where it ends.
    """

    width: float
    has_space: bool
    is_own: bool
    is_alone: bool
    goes_on: bool
    has_rule: bool
    is_end: bool
    right: float


class _Rows:
    """The rows of a page, which are parted where cells, options or bullets end."""

    def __init__(self, runs: Sequence[Run], drawn: Sequence[Box]) -> None:
        """Take what is shown, and what is drawn between it."""
        self._rules = sorted(
            box
            for box in drawn
            if box.right - box.left < by.THIN and box.top - box.bottom > 2 * by.THIN
        )
        self._frames = sorted(box for box in drawn if box.right - box.left > by.SHORTEST)
        self._columns = _columns(self._frames)
        self._ends = sorted(self._columns, key=lambda box: box.right)
        self._rows = [(row, [*self._gaps(row)]) for row in _rows(runs)]
        self._depths = [-row[0].base for row, _ in self._rows]
        self._shows_spaces = self._has_spaces()
        self._starts = Counter(
            round(gap.right)
            for _, gaps in self._rows
            for gap in gaps
            if gap.width > (by.NEW_CELL if gap.has_space else by.SPACE)
        )

    def lines(self) -> Iterator[Line]:
        """Yield lines, the highest first."""
        for row, gaps in self._rows:
            runs = [run for run in row if run.text.strip()]
            space, usual = Line(runs).letter_space, _usual_space(gaps)
            inside = [Line(runs[:1])]
            for run, gap, is_spread in zip(runs[1:], gaps, self._spread(runs, gaps), strict=True):
                is_marker = _is_marker(inside[-1].runs, run, gap, space)
                if (
                    is_marker
                    or _BOX.fullmatch(run.text)
                    or self._parts(gap, space, usual, is_spread)
                ):
                    inside[-1].is_marker = is_marker
                    inside.append(Line([], has_marker=is_marker))
                elif gap.is_alone:
                    run = _with_space(run)
                inside[-1].runs.append(run)
            for line in inside:
                line.num_in_row = sum(not line.is_marker for line in inside)
            yield from inside

    def _gaps(self, row: Sequence[Run]) -> Iterator[_Gap]:
        before: Run | None = None
        right, blank = 0.0, math.inf
        bare = [LETTER.search(run.text) is None for run in row if run.text.strip()]
        has_numbers = 2 * sum(bare) > len(bare)
        for run in row:
            if not run.text.strip():
                blank = min(blank, run.left)
                continue
            if before is not None:
                is_own = before.text.endswith(" ") or run.text.startswith(" ")
                sizes = (run.size / run.scale, before.size / before.scale)
                is_title = max(sizes) > by.TITLE * min(sizes)  # beside a column
                width = (run.left - right) / (min(sizes) if is_title else max(sizes))
                has_rule = self._has_rule(right, run) or self._begins_field(right, row, run)
                is_alone = run.left - blank > by.SPACE * run.size
                has_space = is_alone or is_own or not _may_be_cells(before, run, width)
                begins = run.text.startswith(" ") and not before.text.endswith(" ")
                is_head = before.face != run.face and before.face.family == run.face.family
                is_head = is_head and not before.font and not run.font
                goes_on = begins or (is_head and before.size == run.size)
                are_numbers = has_numbers and _is_number(before) and _is_number(run)
                is_end = are_parted(before, run) or (are_numbers and width > by.NARROW_CELL)
                is_end = is_end and not run.rise
                yield _Gap(width, has_space, is_own, is_alone, goes_on, has_rule, is_end, run.left)
            right, before, blank = max(right, run.right), run, math.inf

    def _has_rule(self, left: float, run: Run) -> bool:
        middle = run.base + by.MIDDLE * run.size
        first = bisect_left(self._rules, left, key=lambda box: box.left)
        last = bisect_right(self._rules, run.left, key=lambda box: box.left)
        return any(
            box.bottom <= middle <= box.top for box in self._rules[first:last]
        ) or self._has_cells(left, run.left, middle)

    def _has_cells(self, left: float, right: float, middle: float) -> bool:
        """Return whether a cell with a frame of its own ends in a gap, and another begins there."""
        first = bisect_left(self._columns, left, key=lambda box: box.left)
        last = bisect_right(self._columns, right, key=lambda box: box.left)
        for box in self._columns[first:last]:
            if box.bottom < middle < box.top:
                start = bisect_left(self._ends, left, key=lambda other: other.right)
                end = bisect_right(self._ends, box.left + by.THIN, key=lambda other: other.right)
                if any(
                    abs(other.bottom - box.bottom) < by.THIN > abs(other.top - box.top)
                    for other in self._ends[start:end]
                ):
                    return True
        return False

    def _begins_field(self, left: float, row: Sequence[Run], run: Run) -> bool:
        """Return whether a frame begins before a run that is wider than what stands in it."""
        middle = run.base + by.MIDDLE * run.size
        first = bisect_left(self._frames, left, key=lambda box: box.left)
        last = bisect_right(self._frames, run.left, key=lambda box: box.left)
        for box in self._frames[first:last]:
            if box.bottom < middle < box.top and box.top - box.bottom < by.HIGHEST_FIELD * run.size:
                end = max(other.right for other in row if other.left < box.right)
                if box.right - end > by.LEAST_EMPTY * run.size:
                    return True
        return False

    def _has_spaces(self) -> bool:
        """Return whether the strings of the page have the spaces between their words."""
        every = [
            gap for _, gaps in self._rows for gap in gaps if by.SPACE < gap.width < by.NEW_CELL
        ]
        runs = [run for row, _ in self._rows for run in row]
        inside = sum(run.text.strip().count(" ") for run in runs)
        bare = sum(
            gap > by.SPACE and " " not in pair
            for run in runs
            for gap, pair in zip(run.gaps, itertools.pairwise(run.text), strict=False)
        )
        num_shown = inside + sum(gap.is_own or gap.is_alone for gap in every)
        num_bare = sum(not (gap.is_own or gap.is_alone) for gap in every)
        return num_shown >= max(by.FEWEST_SPACES, num_bare) and bare < inside / 10 + 1

    def _parts(self, gap: _Gap, space: float, usual: float, is_spread: bool) -> bool:
        if is_spread or gap.is_end:
            return gap.is_end
        if gap.has_rule and gap.width > 0:
            return True
        is_bare = self._shows_spaces and not gap.has_space and gap.width > by.WIDER * usual
        if self._starts[round(gap.right)] >= by.FEWEST_ROWS:
            return gap.width > (by.SPACE + space if is_bare else by.NEW_CELL + 2 * space)
        least = by.CELL_GAP if gap.goes_on else by.NARROW_CELL if is_bare else by.NEW_CELL
        return gap.width > least + 2 * space

    def _spread(self, runs: Sequence[Run], gaps: Sequence[_Gap]) -> Iterator[bool]:
        """Yield whether each gap is as wide as it is because its line is justified."""
        gutters = [place for place, gap in enumerate(gaps) if self._is_gutter(runs, gap)]
        start = 0
        for end in (*gutters, len(gaps)):
            is_spread = self._is_spread(runs[start : end + 1], gaps[start:end])
            yield from itertools.repeat(is_spread, end - start)
            yield from itertools.repeat(False, end < len(gaps))
            start = end + 1

    def _is_gutter(self, runs: Sequence[Run], gap: _Gap) -> bool:
        """Return whether a wide gap goes on in the rows above and below."""
        if gap.width < by.NEW_CELL:
            return False
        base, size = runs[0].base, runs[0].size
        x = gap.right - gap.width * size / 2
        first = bisect_left(self._depths, -base - by.TWO_LINES * size)
        last = bisect_right(self._depths, -base + by.TWO_LINES * size)
        return not any(
            row[0].base != base and any(run.left < x < run.right for run in row)
            for row, _ in self._rows[first:last]
        )

    def _is_spread(self, runs: Sequence[Run], gaps: Sequence[_Gap]) -> bool:
        """Return whether words are so far apart because their line is justified."""
        words = [gap for gap in gaps if gap.width > by.SPACE or gap.is_own or gap.is_alone]
        widths, are_own = [gap.width for gap in words], all(gap.is_own for gap in words)
        if (
            not widths
            or not by.NEW_CELL < max(widths) < min(min(widths) + by.SPACE, by.WIDEST_SPACE)
            or any(gap.has_rule for gap in gaps)
            or not all(LETTER.search(text) for text in _words(runs, gaps))
            or not (are_own or self._are_bare(runs))
        ):
            return False
        size = runs[0].size
        middles = [gap.right - gap.width * size / 2 for gap in words]
        crossed = [
            all(any(one.left < x < one.right for one in row) for x in middles)
            for row, _ in self._rows
            if row[0].base != runs[0].base
            and abs(row[0].base - runs[0].base) < by.SAME_TEXT * size
            and any(abs(run.left - runs[0].left) < by.SAME_LINE * size for run in row)
            and any(abs(run.right - runs[-1].right) < by.SAME_LINE * size for run in row)
        ]
        return any(crossed) or (are_own and not crossed and len(words) >= by.FEWEST_SPACES)

    def _are_bare(self, runs: Sequence[Run]) -> bool:
        """Return whether words may be parted without a space, and are no cells of one string."""
        are_cells = len({run.number for run in runs}) < len(runs)
        has_spaces = any(" " in _spaced(run, by.SPACE).strip() for run in runs)
        return not (self._shows_spaces or are_cells or has_spaces)


def _is_number(run: Run) -> bool:
    return _DIGIT.search(run.text) is not None and LETTER.search(run.text) is None


def are_parted(before: Run | Line, after: Run | Line) -> bool:
    """Return whether the file tells that two are in different paragraphs."""
    return 0 != before.paragraph != after.paragraph != 0


def _columns(frames: Iterable[Box]) -> list[Box]:
    """Return the frames that stand one above the other, as cells do."""
    widths = dict[tuple[int, int], set[int]]()
    for box in frames:
        widths.setdefault((round(box.left), round(box.right)), set()).add(round(box.bottom))
    return [box for box in frames if len(widths[round(box.left), round(box.right)]) > 1]


def _with_space(run: Run) -> Run:
    """Return a run with the space before it; letters of some fonts reach over it."""
    return replace(run, text=f" {run.text}", gaps=(0.0, *run.gaps) if run.gaps else ())


def _may_be_cells(before: Run, run: Run, width: float) -> bool:
    """Return whether a gap without a space can be one between cells.

    Spaces are left out in code, around raised signs, where letters come one by one, and beside
    Arabic and Hebrew.
    """
    return (
        "Mono" not in (before.face.family, run.face.family)
        and before.rise == run.rise == 0
        and (max(len(before.text), len(run.text)) > 1 or width > by.LETTER_CELL)
        and not FROM_THE_RIGHT.search(before.text + run.text)
    )


def _usual_space(gaps: Iterable[_Gap]) -> float:
    """Return how wide the spaces of a line are that the file shows; 0 if it shows none."""
    widths = (gap.width for gap in gaps if gap.is_own or gap.is_alone)
    shown = sorted(width for width in widths if width < by.LETTER_CELL)
    return shown[len(shown) // 2] if shown else 0.0


def _words(runs: Sequence[Run], gaps: Iterable[_Gap]) -> Iterator[str]:
    """Yield what is between the wide gaps of a line, which may be shown letter by letter."""
    text = runs[0].text
    for run, gap in zip(runs[1:], gaps, strict=True):
        if gap.width > by.SPACE:
            yield text
            text = ""
        text += run.text
    yield text


def _is_marker(runs: Sequence[Run], after: Run, gap: _Gap, space: float) -> bool:
    """Return whether a line has only a bullet or a box so far, and text apart from it follows.

    A dash before another one or an amount stands for a number that there is not.
    """
    text = "".join(run.text for run in runs)
    if text.strip() == "o":  # as Word has it
        return "Mono" == runs[0].face.family != after.face.family
    if text.strip() in ("-", "–", "—") and not LETTER.match(after.text.strip()):
        return False
    if _BOX.fullmatch(text):
        return True
    if _SIGN.fullmatch(text.strip()) and gap.width > by.LETTER_CELL + space:
        return True
    is_apart = gap.width > (by.SPACE if len(text.strip()) < 2 else by.NARROW_CELL) + space
    return _BULLET.fullmatch(text) is not None and is_apart


def _at_leaders(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield lines; one whose only leader goes to a number or to its end is parted there.

    Dots inside a sentence are a gap to fill. They may be runs of their own.
    """
    for line in lines:
        text = "".join(run.text for run in line.runs)
        before, *others = LEADER.split(text)
        after = others[0].strip() if others else ""
        is_number = len(after) <= by.LONGEST_BEHIND and _DIGIT.search(after)
        if len(others) != 1 or not before.strip() or (after and not is_number):
            yield line
            continue
        first, end = len(before.rstrip()), len(text[: len(text) - len(others[0])].rstrip())
        parts: tuple[list[Run], list[Run], list[Run]] = [], [], []
        starts = itertools.accumulate((len(run.text) for run in line.runs), initial=0)
        for start, run in zip(starts, line.runs, strict=False):
            parts[(start >= first) + (start >= end)].append(run)
        num_in_row, leader = line.num_in_row + 1, tuple(parts[1])
        if not leader:
            yield line
            continue
        yield Line(parts[0], num_in_row, has_marker=line.has_marker, leader=leader)
        if parts[2]:
            yield Line(parts[2], num_in_row, has_marker=True)


def _ends_inside(text: str, below: str) -> bool:
    """Return whether a long line ends inside a sentence that goes on below."""
    return below[:1].islower() and text[-1:].isalnum()
