"""Runs parted where one string shows several cells of a table."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.runs import FROM_THE_RIGHT, LEADER, Box, Run

_BARE = re.compile(r"[\W\d_]*")  # as amounts are
_END_OF_LEADER = re.compile(r"^\s*(?:[.·…]\s*){2,}(?=\d+\s*$)")

Place = tuple[float, float]
"""Where a letter begins and ends on its line."""


class _Gap(NamedTuple):
    """What is between two words of a run; its width is in units of the size."""

    left: float
    right: float
    width: float
    end: int  # where the second word begins in the text


def _word_gaps(run: Run, places: Sequence[Place]) -> list[_Gap]:
    """Return the gaps of a run, also where it shows spaces; none of one from the right."""
    gaps = list[_Gap]()
    seen = [number for number, char in enumerate(run.text) if not char.isspace()]
    for before, number in itertools.pairwise(() if FROM_THE_RIGHT.search(run.text) else seen):
        left, right = places[before][1], places[number][0]
        if (width := (right - left) / (run.size or 1.0)) > by.SPACE:
            gaps.append(_Gap(left, right, width, number))
    return gaps


def with_cells(shown: Sequence[tuple[Run, Sequence[Place]]], boxes: Iterable[Box]) -> list[Run]:
    """Return the runs of a page; what one string shows over several cells is in parts.

    Cells are parted by lines that are drawn between words, by gaps that no justified line has, and
    by those that are above each other in several rows. No space is wide between amounts, or in a
    typewriter's face.
    """
    rules = sorted(
        box for box in boxes if box.right - box.left < by.THIN < box.top - box.bottom - by.THIN
    )
    gaps = [_word_gaps(run, places) if places else [] for run, places in shown]
    wide = sorted(
        (run.base, gap)
        for (run, _), own in zip(shown, gaps, strict=True)
        for gap in own
        if gap.width > by.CELL_GAP and not _is_justified(run, own)
    )
    found = list[Run]()
    for (run, places), own in zip(shown, gaps, strict=True):
        widths = sorted(gap.width for gap in own)
        usual = widths[len(widths) // 2 - 1] if len(widths) > 2 else 0.0
        least = min(max(by.CELL_GAP, by.MUCH_WIDER * usual), by.WIDEST_SPACE)
        least = by.CELL_GAP if run.face.family == "Mono" else least
        least = least if _is_prose(run, own) else by.NEW_CELL
        ends = {gap.end for gap in own if gap.width > least} | {*_between_numbers(run, own)}
        aligned = {gap.end for gap in own if _is_in_column(gap, run, wide)}
        if not _is_justified(run, own):
            ends |= aligned
        elif 2 * len(aligned) > len(own):
            ends |= {gap.end for gap in own}
        middle = run.base + by.MIDDLE * run.size
        for gap in own if rules else ():
            between = rules[bisect_left(rules, (gap.left,)) : bisect_left(rules, (gap.right,))]
            if any(box.bottom <= middle <= box.top for box in between):
                ends.add(gap.end)
        if places and not FROM_THE_RIGHT.search(run.text):
            leaders = (*LEADER.finditer(run.text), *_END_OF_LEADER.finditer(run.text))
            ends = ends.union(*(leader.span() for leader in leaders))
        ends -= {0, len(run.text)}
        found.append(replace(run, cells=_cells(run, places, ends)) if ends else run)
    return found


def _are_bare(run: Run, gaps: Sequence[_Gap]) -> list[bool]:
    """Return whether each word of a run has no letter."""
    starts = [0, *(gap.end for gap in gaps), len(run.text)]
    return [bool(_BARE.fullmatch(run.text[s:end])) for s, end in itertools.pairwise(starts)]


def _is_prose(run: Run, gaps: Sequence[_Gap]) -> bool:
    """Return whether most words have letters, and spaces may be wide, as in a justified line."""
    bare = _are_bare(run, gaps)
    return 2 * sum(bare) < len(bare)


def _between_numbers(run: Run, gaps: Sequence[_Gap]) -> Iterator[int]:
    """Yield where gaps between numbers of a row end, as in a timetable."""
    bare = _are_bare(run, gaps)
    if 2 * sum(bare) > len(bare):
        least = by.NEW_CELL if run.face.family == "Mono" else by.LETTER_CELL
        for gap, (before, after) in zip(gaps, itertools.pairwise(bare), strict=True):
            if before and after and gap.width > least:
                yield gap.end


def _is_justified(run: Run, gaps: Sequence[_Gap]) -> bool:
    """Return whether all gaps of a line of prose are alike, and wide, but less than its words."""
    widths = [gap.width for gap in gaps] or [0.0]
    is_even = max(widths) < min(min(widths) + by.SPACE, by.WIDEST_SPACE)
    is_even = is_even and 2 * sum(widths) * run.size < run.right - run.left
    return len(gaps) > 1 and is_even and run.face.family != "Mono" and _is_prose(run, gaps)


def _is_in_column(gap: _Gap, run: Run, wide: Sequence[tuple[float, _Gap]]) -> bool:
    """Return whether wide gaps of other rows are above or below one."""
    near, least = by.SAME_TEXT * run.size, by.SPACE * run.size
    first = bisect_left(wide, run.base - near, key=lambda one: one[0])
    last = bisect_right(wide, run.base + near, key=lambda one: one[0])
    rows = {
        round(base)
        for base, other in wide[first:last]
        if min(gap.right, other.right) - max(gap.left, other.left) >= least
    }
    return gap.width > by.NEW_CELL and len(rows - {round(run.base)}) >= by.FEWEST_ROWS - 1


def _cells(run: Run, places: Sequence[Place], ends: Iterable[int]) -> tuple[Run, ...]:
    """Return the parts of a run between some of its characters; none if all but one are empty."""
    cells = list[Run]()
    for start, end in itertools.pairwise((0, *sorted(ends), len(run.text))):
        text = run.text[start:end]
        seen = [place for place, char in zip(places[start:end], text, strict=True) if char.strip()]
        if seen:
            left, right = min(left for left, _ in seen), max(right for _, right in seen)
            signs = tuple(sign for sign in run.signs if sign[0] in text)
            gaps = run.gaps[start : end - 1]
            cells.append(replace(run, text=text, left=left, right=right, gaps=gaps, signs=signs))
    return tuple(cells) if len(cells) > 1 else ()
