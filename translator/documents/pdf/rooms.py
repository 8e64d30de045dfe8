"""Where a translation may stand: up to its neighbours and the margin."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block
from translator.documents.pdf.runs import Box, overlap

Side = Literal["left", "centre", "right"]


@dataclass(frozen=True, slots=True)
class Room:
    """Where a paragraph may stand.

    Attributes:
        left: of all lines but the first.
        right: of all lines.
        indent: of the first line.
        base: height of the first line.
        pitch: from line to line.
        size: of the letters.
        num_lines: that there is room for.
        side: that the lines keep to.
        angle: that the page is turned by.
        is_justified: whether all lines but the last are as wide as the room.
        is_closed: whether a line is drawn close below several lines, as below a cell.
        num_own: lines that it had, which are best not exceeded.
        beside: what some lines end before or begin behind; it goes on for ever on the other side.
    """

    left: float
    right: float
    indent: float
    base: float
    pitch: float
    size: float
    num_lines: int
    side: Side = "left"
    angle: float = 0.0
    is_justified: bool = False
    is_closed: bool = False
    num_own: int = 1
    beside: tuple[Box, ...] = ()

    def ends(self, line: int) -> tuple[float, float]:
        """Return where a line may begin and end."""
        base = self.base - line * self.pitch
        near = [box for box in self.beside if box.bottom - by.HEIGHT * self.size < base < box.top]
        lefts = (box.right for box in near if box.right < math.inf)
        left = max([self.left + (self.indent if line == 0 else 0.0), *lefts])
        return left, min([self.right, *(box.left for box in near if box.left > -math.inf)])


def room_of(block: Block, others: Mapping[Box, list[Box]], drawn: list[Box], paper: Box) -> Room:
    """Return the room of a paragraph: up to its neighbours, and to the margin of the page.

    Args:
        block: the paragraph.
        others: around all paragraphs of the page that are turned as it is, and around their lines.
        drawn: around what else is on the page.
        paper: the whole page.
    """
    first, own = block.lines[0], block.box
    size = first.size
    around = [one for one in others if one != own]
    near = around + [line for one in around if overlap(one, own) for line in others[one]]
    margin = max(one.right for one in (own, *around))
    least = min(one.left for one in (own, *around))
    edges = list[Box]()
    if not block.angle:
        if all(one.top - one.bottom < by.TWO_LINES * size for one in around):  # no paragraphs
            margin = max(margin, paper.right - (least - paper.left))
        edges = [*drawn, paper._replace(top=paper.bottom + by.FOOT)]
    right = max(_right_of(own, size, near, edges, margin), own.right)
    turned, *turned_edges = _mirrored([own, *edges])
    free = -_right_of(turned, size, _mirrored(near), turned_edges, -least)
    of_both = (own, edges), (turned, turned_edges)
    after, before = (_right_of(one, size, (), its, math.inf) - one.right for one, its in of_both)
    is_on_button = abs(after - before) < by.ALIGNED * size
    is_in_the_middle = abs(first.centre - (margin + least) / 2) < 0.01 * (margin - least) + 1
    is_on_button |= is_in_the_middle and first.left > least + size
    side = _side(block, around, is_on_button)
    most_left = min(free if side == "centre" or free == least else (free + own.left) / 2, own.left)
    left = block.lines[min(1, len(block.lines) - 1)].left if side == "left" else own.left
    if side == "centre":
        width = max(min(right - first.centre, first.centre - most_left), own.right - first.centre)
        left, right = first.centre - width, first.centre + width
    elif side == "right" and len(block.lines) == 1:
        left, right = most_left, own.right
    elif len(block.lines) > 1:
        column = (one.right for one in around if abs(one.left - own.left) < by.AT_ONE_PLACE * size)
        right = max(own.right, min(right, max(column, default=own.right)))
    indent = first.left - left  # letters begin at slightly other places
    below = _lines_below(own._replace(left=left, right=right), size, block.pitch, near, edges)
    return Room(
        left=left,
        right=right,
        indent=indent if side == "left" and abs(indent) > by.ALIGNED * size else 0.0,
        base=first.base,
        pitch=block.pitch,
        size=size,
        num_lines=len(block.lines) + below,
        side=side,
        angle=block.angle,
        is_justified=side == "left" and block.is_justified,
        is_closed=len(block.lines) > 1 and not below and _is_closed(own, size, edges),
        num_own=len(block.lines),
        beside=tuple(_beside(block, [*near, *edges])),
    )


def _beside(block: Block, near: Iterable[Box]) -> Iterator[Box]:
    """Yield what stands beside some lines of a paragraph, inside the box around all of them."""
    whole, gap = block.box, by.BESIDE * block.lines[0].size
    lines = [Block([line]).box for line in block.lines]
    for box in itertools.islice((box for box in near if overlap(box, whole)), by.MOST_COVERS):
        if own := [line for line in lines if line.bottom < box.top and box.bottom < line.top]:
            left, right = min(line.left for line in own), max(line.right for line in own)
            if box.left >= right:
                yield box._replace(left=max(box.left - gap, right), right=math.inf)
            elif box.right <= left:
                yield box._replace(left=-math.inf, right=min(box.right + gap, left))


def _mirrored(boxes: Iterable[Box]) -> list[Box]:
    return [Box(-box.right, box.bottom, -box.left, box.top) for box in boxes]


def _side(block: Block, around: Sequence[Box], is_in_the_middle: bool) -> Side:
    """Return what the lines of a paragraph keep to: as most around that have one side with it."""
    if block.is_centred or block.is_to_the_right:
        return "centre" if block.is_centred else "right"
    own, size = block.box, block.lines[0].size
    if len(block.lines) > 1 or block.has_dot:
        return "left"
    counts: dict[Side, int] = {"left": 0, "right": 0, "centre": is_in_the_middle}
    large = (one for one in around if by.TITLE * (one.top - one.bottom) > own.top - own.bottom)
    for one in large:  # the cells below a title do not move it
        far = one.left - own.left, one.right - own.right
        alike = [abs(side) < by.AT_ONE_PLACE * size for side in (*far, sum(far) / 2)]
        gap = max(one.bottom - own.top, own.bottom - one.top) / size
        if sum(alike) == 1 and (gap < by.TWO_LINES or not alike[2]):
            counts[(*counts,)[alike.index(True)]] += 1
    return max(counts, key=lambda side: counts[side])


def _right_of(
    own: Box, size: float, around: Iterable[Box], edges: Iterable[Box], margin: float
) -> float:
    limits = [margin]
    for one in around:
        if one.bottom < own.top and one.top > own.bottom and one.left >= own.right:
            limits.append(one.left - by.BESIDE * size)
    for box in edges:
        if box.bottom < own.top - by.ALIGNED * size and box.top > own.bottom:
            limits += [
                side - by.ALIGNED * size for side in (box.left, box.right) if side > own.right
            ]
    return min(limits)


def _is_closed(own: Box, size: float, edges: Iterable[Box]) -> bool:
    """Return whether a line or the side of a frame is close below a paragraph."""
    return any(
        box.left < own.left and box.right > own.right and 0 < own.bottom - side < size
        for box in edges
        for side in (box.bottom, box.top)
    )


def _lines_below(
    own: Box, size: float, pitch: float, around: Iterable[Box], edges: Iterable[Box]
) -> int:
    near = own.bottom + by.AT_ONE_PLACE * size
    below = [(box, box.top) for box in around if box.top < near]
    below += [(box, side) for box in edges for side in (box.top, box.bottom) if side < own.bottom]
    tops = [top for box, top in below if box.left < own.right and box.right > own.left]
    return max(int((own.bottom - max(tops) - by.ALIGNED * size) / pitch), 0) if tops else 0
