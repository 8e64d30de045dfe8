"""Texts that go on at the top of the next column, or of the next page."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block
from translator.documents.pdf.lines import LETTER
from translator.documents.pdf.setting import Style

_IS_OPEN = re.compile(r"[\w,‐\xad-]\s*$")
"""How a line ends inside a sentence."""

Words = list[tuple[str, Style]]
"""Texts of one style each, in order."""


def flows(pages: Sequence[Sequence[Block]]) -> Iterator[tuple[Block, Block]]:
    """Yield each text that ends a column inside a sentence, and the text that goes on with it.

    Where it is not plain which column comes next, as below a wide text, there is none.
    """
    end: tuple[Block, float] | None = None
    for blocks in pages:
        columns = _columns(_body(blocks))
        for column in columns:
            if end is not None and _goes_on(*end, column[0]):
                yield end[0], column[0]
            end = column[-1], max(block.right for block in column)
        end = end if columns else None


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


def _columns(body: Sequence[Block]) -> list[list[Block]]:
    """Return the blocks of each column, from the left; none if a block is in two columns."""
    columns: list[list[Block]] = []
    for block in body:
        own = [column for column in columns if any(_overlap(block, other) for other in column)]
        if len(own) > 1:
            return []
        if own:
            own[0].append(block)
        else:
            columns.append([block])
    return sorted(columns, key=lambda column: column[0].left)


def _overlap(block: Block, other: Block) -> bool:
    return min(block.right, other.right) > max(block.left, other.left)


def _goes_on(block: Block, right: float, other: Block) -> bool:
    """Return whether the next word had no room in a long line, and begins with a small letter."""
    last, first = block.lines[-1], other.lines[0]
    return (
        len(last.text) > by.SHORT_CELL
        and last.right + first.first_word > right - by.ALIGNED * last.size
        and _look(block) == _look(other)
        and not (last.leader or first.has_marker or other.has_dot)
        and _IS_OPEN.search(last.text) is not None
        and first.text.lstrip()[:1].islower()
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
