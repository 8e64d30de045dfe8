"""A translation set into the room of its paragraph, smaller than it was where it must."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block
from translator.documents.pdf.rooms import Room
from translator.documents.pdf.runs import Box
from translator.documents.pdf.typefaces import width_of
from translator.documents.pdf.words import NO_LINK, PARTS, USUAL_REACH, Placed, Style, Words, box_of

_OF_BADGE = re.compile(r"^\s+|\s+$|\S(?:.*\S)?")
_WHOLE = re.compile(r"[\d/@_]|\.\w|^.{0,7}$")  # what no hyphen may break


class _Word(NamedTuple):
    """A word, a part of one, or a space; its width is in units of the size."""

    text: str
    style: Style
    width: float


def fitted(
    words: Words,
    room: Room,
    most: float = 1.0,
    widths: Iterable[float] = by.WIDTHS,
) -> list[Placed]:
    """Return where the words of a translation stand.

    Args:
        words: texts of one style each, in order.
        room: of the paragraph.
        most: share of their size that they may keep.
        widths: shares of that of a face that letters may have, tried before they become smaller.
    """
    rooms = dict.fromkeys((replace(room, num_lines=room.num_own), room))
    tries = itertools.product(rooms, widths)
    scale, fits = most, False
    while not fits and scale >= by.LEAST_SHARE:
        try_in, width = next(tries, (room, 0.0))
        if width:
            parts = [*_parts((text, style._replace(width=width)) for text, style in words)]
        else:
            scale *= by.STEP
        lines, own, fits = _tried(parts, try_in, scale)
    if not fits:
        broken, its, fits = _tried([*_broken(parts, own)], room, scale)
        lines, own = (broken, its) if fits else (lines, own)
    return [*_placed(lines, own)]


def _tried(
    parts: Sequence[_Word], room: Room, scale: float
) -> tuple[list[list[_Word]], Room, bool]:
    """Return words in lines at a share of their size, their room, and whether they fit into it."""
    own = replace(room, size=room.size * scale)
    lines = _wrapped(parts, own)
    least = min(by.CLOSEST * own.size, room.pitch)
    count = max(len(lines) - room.is_closed, 1)  # of steps from line to line
    height = (room.num_lines - room.is_closed) * room.pitch
    own = replace(own, pitch=max(min(room.pitch, height / count), least))
    fits = count * least <= height * 1.001 and all(
        _width(line) * own.size <= _space(own, number) for number, line in enumerate(lines)
    )
    return lines, own, fits


def leader_of(block: Block, placed: Sequence[Placed]) -> Iterator[Placed]:
    """Yield the leader of a paragraph, from the end of its translation to where it has ended."""
    line = block.lines[-1]
    if not line.leader:
        return
    first, right = line.leader[0], line.end
    beside = [words for words in placed if abs(words.base - first.base) < first.size / 2]
    left = max((box_of(words).right for words in beside), default=first.left)
    left += by.BEFORE_LEADER * first.size
    style = Style(first.face, first.colour, placed[-1].style.link if placed else NO_LINK)
    sign = first.text.strip()[0]
    num_signs = sum(run.text.count(sign) for run in line.leader)
    width = width_of(sign, first.face) * first.size
    sign += " " * (right - first.left > by.SPACED_LEADER * width * num_signs)
    width = width_of(sign, first.face) * first.size
    if count := int((right - left) / width):
        start = right - count * width
        yield Placed(sign * count, style, start, first.base, first.size, block.angle)


def beyond(block: Block, placed: Iterable[Placed]) -> list[Box]:
    """Return what words of a translation cover, if they go beyond its paragraph."""
    own, reach = block.box, Box(0.0, 0.0, 0.0, by.HEIGHT)
    boxes = [box_of(words, reach) for words in placed if not block.angle]
    least, lowest, most = own.left - 1, own.bottom - 1, own.right + 1
    return [box for box in boxes if box.left < least or box.right > most or box.bottom < lowest]


def _parts(words: Iterable[tuple[str, Style]]) -> Iterator[_Word]:
    """Yield words and the spaces between them; a space is one."""
    for text, style in words:
        if style.sign is not None:
            yield _Word(text, style, style.scale * style.width * (style.sign.width - style.overlap))
            continue
        for part in (_OF_BADGE if style.badge else PARTS).findall(text):
            yield _word(" " if part.isspace() else part, style)


def _word(text: str, style: Style) -> _Word:
    reach = style.badge[1] if style.badge and text != " " else USUAL_REACH
    width = reach.left + style.width * width_of(text, style.face) + reach.right
    return _Word(text, style, style.scale * width)


def _wrapped(parts: Sequence[_Word], room: Room) -> list[list[_Word]]:
    """Return lines as wide as there is room for; what touches stays together."""
    lines: list[list[_Word]] = [[]]
    word: list[_Word] = []
    used, space = 0.0, _space(room, 0)
    for part in (*parts, _Word(" ", Style(), 0.0)):
        if part.text != " ":
            word.append(part)
            continue
        width = _width(word)
        if lines[-1] and (used + width) * room.size > space:
            used, space = 0.0, _space(room, len(lines))
            lines.append([])
        if word:
            lines[-1] += [*word, part]
            used += width + part.width
        word = []
    for line in lines:
        while line and line[-1].text == " ":
            line.pop()
    return [line for line in lines if line]


def _broken(parts: Iterable[_Word], room: Room) -> Iterator[_Word]:
    """Yield words; of those that are wider than the room, parts with hyphens and spaces between."""
    most = (room.right - room.left - max(room.indent, 0.0)) / room.size
    for word in parts:
        while word.width > most and not word.style.badge and not _WHOLE.search(word.text):
            text, style, _ = word
            wide = itertools.accumulate(width_of(char, style.face) for char in f"-{text}")
            most_fit = sum(style.scale * style.width * width <= most for width in wide) - 1
            end = max(min(most_fit, len(text) - by.FEWEST_BROKEN), by.FEWEST_BROKEN)
            end = text.rfind("-", by.FEWEST_BROKEN, end) + 1 or end
            yield from (_word(text[:end].removesuffix("-") + "-", style), _Word(" ", style, 0.0))
            word = _word(text[end:], style)
        yield word


def _space(room: Room, line: int) -> float:
    """Return the width of a line; rounding is forgiven."""
    left, right = room.ends(line)
    return right - left + 0.02 * room.size


def _width(line: Iterable[_Word]) -> float:
    return sum(word.width for word in line)


def _placed(lines: Sequence[list[_Word]], room: Room) -> Iterator[Placed]:
    for number, line in enumerate(lines):
        left, right = room.ends(number)
        spare = right - left - _width(line) * room.size
        left += {"left": 0.0, "centre": spare / 2, "right": spare}[room.side]
        base = room.base - number * room.pitch
        num_spaces = sum(word.text == " " for word in line)
        if room.is_justified and line is not lines[-1] and 0 < spare < num_spaces * room.size:
            for word in line:
                wider = spare / num_spaces if word.text == " " else 0.0
                yield _placed_word(word, left, base, room)
                left += word.width * room.size + wider
            continue
        joined: list[_Word] = []
        for word in line:
            is_same = joined and joined[-1].style == word.style and word.style.sign is None
            if joined and (is_same or word.text == " "):
                text = joined[-1].text + word.text
                joined[-1] = _Word(text, joined[-1].style, joined[-1].width + word.width)
            else:
                joined.append(word)
        for word in joined:
            yield _placed_word(word, left, base, room)
            left += word.width * room.size


def _placed_word(word: _Word, left: float, base: float, room: Room) -> Placed:
    style, size = word.style, room.size
    left += style.scale * size * style.badge[1].left if style.badge else 0.0
    return Placed(word.text, style, left, base + style.rise * size, style.scale * size, room.angle)
