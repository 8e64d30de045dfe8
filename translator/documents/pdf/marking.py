"""Lines below and through words, and boxes behind them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block
from translator.documents.pdf.lines import Line
from translator.documents.pdf.runs import Badge, Box, Run
from translator.documents.pdf.typefaces import width_of
from translator.documents.pdf.words import PARTS


def mark_lined(block: Block, drawn: Sequence[Box]) -> list[Box]:
    """Tell the runs of a paragraph that have a line below or through them, or a badge.

    Returns these lines and badges, which go where the words go.
    """
    found = list[Box]()
    for line in () if block.angle else block.lines:
        size = line.size
        near = [
            box
            for box in drawn
            if box.top - box.bottom < by.THICKEST * size
            and -by.LOWEST * size < box.bottom - line.base < size
            and line.left - by.FLUSH * size < box.left
            and box.right < line.right + by.BELOW * size  # below a space, too
        ]
        below = [box for box in near if _is_underline(line, box, drawn)]
        through = [box for box in near if box not in below and _is_through(line, box)]
        behind = [box for box in drawn if box.bottom < line.base < box.top - by.THIN]
        badges = [badge for box in behind if (badge := _badge(line, box))]
        lines = [*below, *through]
        found += [*lines, *(box for box, _ in badges)]
        if lines or badges:
            line.runs = [
                _marked(run, below, through, badges)
                for whole in line.runs
                for run, _ in parted(
                    whole.text, whole, [box for box in lines if not _covers(box, whole)]
                )
            ]
    return found


def _marked(run: Run, below: Iterable[Box], through: Iterable[Box], badges: Iterable[Badge]) -> Run:
    low = run.base - by.LOWEST * run.size / run.scale
    marked = replace(
        run,
        is_underlined=any(_covers(box, run) and low < box.bottom <= run.base for box in below),
        is_struck=any(_covers(box, run) for box in through),
    )
    middle = (run.left + run.right) / 2
    own = (badge for badge in badges if badge[0].left < middle < badge[0].right)
    return replace(marked, badge=next(own, None))


def parted(text: str, run: Run, boxes: Sequence[Box]) -> Iterator[tuple[Run, Box | None]]:
    """Yield a run, with a text of its own, in parts: each has the box that its words are in."""
    words = PARTS.findall(text) if boxes else [text]
    widths = [width_of(word, run.face) for word in words]
    widths[0] *= not words[0].isspace()  # a run has its ends without spaces
    widths[-1] *= not words[-1].isspace()
    scale = (run.right - run.left) / (sum(widths) or 1.0)
    ends = [run.left + scale * width for width in itertools.accumulate(widths, initial=0.0)]
    middles = [(left + right) / 2 for left, right in itertools.pairwise(ends)]
    own = [next((one for one in boxes if one.left <= at <= one.right), None) for at in middles]
    first, start = 0, 0
    for box, group in itertools.groupby(own):
        last = first + len([*group])
        part = "".join(words[first:last])
        gaps = run.gaps[start : start + len(part) - 1]
        yield replace(run, text=part, left=ends[first], right=ends[last], gaps=gaps), box
        first, start = last, start + len(part)


def _badge(line: Line, box: Box) -> Badge | None:
    """Return a box around a few words of a line as their badge, if it is close around them."""
    inside = [run for run in line.runs if box.left < (run.left + run.right) / 2 < box.right]
    if not inside or len(inside) == len(line.runs):
        return None
    first, last = inside[0], inside[-1]
    sides = first.left - box.left, first.base - box.bottom, box.right - last.right
    reach = Box(*(side / first.size for side in (*sides, box.top - first.base)))
    is_short = sum(len(run.text) for run in inside) <= by.LONGEST_BADGE
    least, most = by.CLOSE_SIDES
    is_close = least < min(reach) < max(reach[:3]) < most and reach.top < by.CLOSE_TOP
    return (box, reach) if is_short and is_close and first.looks == last.looks else None


def _covers(box: Box, run: Run) -> bool:
    """Return whether a line below or through words is as long as a run at least."""
    near = min(run.size / 2, (run.right - run.left) / 3)
    return box.left < run.left + near and box.right > run.right - near


def _is_underline(line: Line, box: Box, drawn: Iterable[Box]) -> bool:
    """Return whether a line is drawn below some words, or below a raised sign.

    One below all of a text may be a border; it is none if it ends where the text ends.
    """
    width = box.right - box.left
    for run in line.runs:
        if run.rise > 0 and _covers(box, run) and width < run.right - run.left + run.size / 2:
            return 0 <= run.base - box.bottom < by.LOWEST * run.size
    parts = [part for run in line.runs for part in parted(run.text, run, [box])]
    own = [run for run, inside in parts if inside and run.text.strip()]
    if box.bottom > line.base or width < line.size / 2 or not own:
        return False
    is_even = max(abs(box.left - own[0].left), abs(box.right - own[-1].right)) < by.EVEN * line.size
    is_part = any(not inside and run.text.strip() for run, inside in parts)
    return is_even and (is_part or not any(_continues(box, other) for other in drawn))


def _continues(box: Box, other: Box) -> bool:
    is_level = abs(box.bottom - other.bottom) < 1 > abs(box.top - other.top)
    return is_level and (abs(other.left - box.right) < 2 or abs(other.right - box.left) < 2)


def _is_through(line: Line, box: Box) -> bool:
    rise = ((box.bottom + box.top) / 2 - line.base) / line.size
    is_level = by.THROUGH[0] < rise < by.THROUGH[1] and box.right - box.left > line.size / 2
    return is_level and any(
        _covers(box, run) and box.right - box.left > (run.right - run.left) / 2
        for run in line.runs
        if not run.rise and run.text.strip()
    )
