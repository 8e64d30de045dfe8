"""Texts that go on at the top of the next column, or of the next page."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block
from translator.documents.pdf.lines import LETTER, WORD
from translator.documents.pdf.runs import LEADER, Box, overlap_across
from translator.documents.pdf.words import Words

_IS_OPEN = re.compile(r"[\w,‐\xad-]\s*$")
"""How a line ends inside a sentence."""


def flows(pages: Sequence[Sequence[Block]]) -> Iterator[tuple[Block, Block]]:
    """Yield each text that ends a column inside a sentence, and the text that goes on with it."""
    before: tuple[Block, float] | None = None
    for blocks in pages:
        body = [(block, block.box) for block in _body(blocks)]
        starts, ends = _outermost(body), _outermost(body[::-1])
        for last, box in ends:
            right = max(other.right for _, other in body if overlap_across(box, other))
            beside = next((its for _, its in starts if its.left >= box.right), None)
            if beside and (first := _rest(last, right, body, beside)):
                yield last, first
        if before is not None and starts and (first := _rest(*before, body, starts[0][1])):
            yield before[0], first
        before = (last, right) if ends else None


def _rest(last: Block, right: float, body: Iterable[tuple[Block, Box]], top: Box) -> Block | None:
    """Return what goes on with a text in the column below a box, perhaps behind a running head.

    That may as well be the caption of a picture.
    """
    column = (block for block, box in body if overlap_across(box, top))
    firsts = itertools.islice(column, by.COLUMN_TOPS)
    return next((first for first in firsts if _goes_on(last, right, first)), None)


def _body(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with words that are in the letters of most of a page, from the top."""
    level = [
        block
        for block in blocks
        if not block.angle and any(LETTER.search(line.text) for line in block.lines)
    ]
    sizes = Counter[tuple[float, str]]()
    for block in level:
        sizes[_look(block)] += sum(len(line.text) for line in block.lines)
    most = max(sizes, key=lambda look: sizes[look], default=None)
    return sorted((block for block in level if _look(block) == most), key=lambda it: -it.box.top)


def _look(block: Block) -> tuple[float, str]:
    return round(block.lines[0].size, 1), block.lines[0].face.family


def _outermost(body: Iterable[tuple[Block, Box]]) -> list[tuple[Block, Box]]:
    """Return those that have none of those before them above or below, from the left."""
    found = list[tuple[Block, Box]]()
    seen = list[Box]()
    for block, box in body:
        if not any(overlap_across(box, other) for other in seen):
            found.append((block, box))
        seen.append(box)
    return sorted(found, key=lambda pair: pair[1].left)


def _goes_on(block: Block, right: float, other: Block) -> bool:
    """Return whether the next word had no room in a long line, and begins with a small letter."""
    last, first = block.lines[-1], other.lines[0]
    return (
        len(last.text) > by.SHORT_CELL
        and last.right + first.first_word > right - by.ALIGNED * last.size
        and _look(block) == _look(other)
        and not (LEADER.search(last.text) or last.leader or first.has_marker or other.has_dot)
        and _IS_OPEN.search(last.text) is not None
        and first.text.lstrip()[:1].islower()
        and WORD.search(first.text) is not None
    )


def cut(words: Words, share: float) -> tuple[Words, Words]:
    """Return words in two parts, at the space that is nearest to a share of all characters.

    The first part is empty if there is no such space.
    """
    starts = [0, *itertools.accumulate(len(text) for text, _ in words)]
    spaces = [
        (abs(start + found.start() - share * starts[-1]), number, found.span())
        for number, (start, (text, _)) in enumerate(zip(starts, words, strict=False))
        for found in re.finditer(r" +", text)
        if start + found.start() > 0 and start + found.end() < starts[-1]
    ]
    if not spaces:
        return [], words
    _, number, (end, start) = min(spaces)
    text, style = words[number]
    before = [*words[:number], (text[:end], style)] if end else words[:number]
    return before, [(text[start:], style)] * (start < len(text)) + words[number + 1 :]
