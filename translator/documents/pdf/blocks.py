"""Lines joined to paragraphs by where they stand on the page, and as the file tells."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.joins import Surroundings, is_broken, is_item, log_odds
from translator.documents.pdf.lines import SHOWN, WORD, Line, are_parted, lines_of
from translator.documents.pdf.runs import Box, Run, overlap_across


@dataclass(slots=True)
class Block:
    """Lines of one paragraph, a heading, or a cell; perhaps an item with a bullet."""

    lines: list[Line] = field(default_factory=list)
    has_dot: bool = False

    @property
    def text(self) -> str:
        """Its lines, with a space between them."""
        return " ".join(line.text for line in self.lines)

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
                rest = text[:-1] if is_broken(text, new[0][0]) else f"{text} "
                parts[-1] = (rest, run)
                new[0] = (new[0][0].lstrip(), new[0][1])
            parts += new
        text, run = parts[-1]
        return [*parts[:-1], (text.rstrip(), run)]


Choice = Callable[[Sequence[Block], Line, Surroundings], Block | None]
"""Of the paragraphs that a line may belong to, the one that it does; None if it is the first."""


def likeliest(above: Sequence[Block], line: Line, around: Surroundings) -> Block | None:
    """Return the paragraph that goes on in a line, most likely, and as the file tells."""
    told = [block for block in above if block.lines[-1].paragraph == line.paragraph != 0]
    above = told or [
        block
        for block in above
        if not (are_parted(block.lines[-1], line) or around.are_apart(block.lines[-1], line))
    ]
    if not above:
        return None
    likely = log_odds([around.features(block.lines, line) for block in above])
    likely -= 0.0 if told else by.ITEM_LESS_LIKELY * is_item(line)
    best = int(likely.argmax())
    may_go_on = line.text[:1].islower() or len(above[best].lines[-1].text) > by.SHORT_CELL
    least = by.LIKELY_TOLD if told else by.LIKELY if may_go_on else by.LIKELY_ANEW
    return above[best] if likely[best] > least else None


def blocks_of(
    runs: Iterable[Run], drawn: Sequence[Box] = (), choose: Choice = likeliest
) -> list[Block]:
    """Return the paragraphs of a page, from the top down; what is `drawn` may be bullets."""
    by_angle: dict[float, list[Run]] = {}
    for run in itertools.chain.from_iterable(whole.cells or (whole,) for whole in runs):
        places = (run.left, run.right, run.base, run.size)
        if run.size > by.SMALLEST and all(abs(one) < by.FARTHEST for one in places):
            by_angle.setdefault(run.angle, []).append(run)
    blocks = list[Block]()
    for angle, same in by_angle.items():
        around = () if angle else drawn
        blocks += _joined(lines_of(same, around), around, choose)
    return blocks


def _joined(lines: Sequence[Line], drawn: Sequence[Box], choose: Choice) -> list[Block]:
    blocks: list[Block] = []
    largest = by.WIDEST_DOT * max((line.size for line in lines), default=0.0)
    dots = [box for box in drawn if box.right - box.left < largest > box.top - box.bottom]
    around = Surroundings(lines, drawn)
    for line in lines:
        has_dot = line.has_marker or _has_dot(line, dots)
        near = (block for block in reversed(blocks[-by.MOST_ABOVE :]) if _is_below(block, line))
        above = [] if has_dot or line.is_marker else [*itertools.islice(near, by.MOST_NEAR)]
        block = choose(above, line, around) if above else None
        if block is None:
            blocks.append(Block([line], has_dot))
        else:
            block.lines.append(line)
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


def _is_below(block: Block, line: Line) -> bool:
    """Return whether a line may go on with a paragraph: it is below, near, and about as large."""
    last, size = block.lines[-1], line.size
    return (
        by.PITCH[0] * size < last.base - line.base < by.PITCH[1] * size
        and abs(last.size - size) <= by.OTHER_SIZE * size
        and overlap_across(last, line)
        and not (last.is_marker or last.leader)
        and WORD.search(last.text) is not None
        and SHOWN.search(line.text) is not None
    )


def _spread(places: Iterable[float]) -> float:
    known = [*places] or [0.0]
    return max(known) - min(known)
