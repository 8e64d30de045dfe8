"""A translation set into the room of its paragraph, smaller than it was where it must."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.blocks import Block
from translator.documents.pdf.lines import Line
from translator.documents.pdf.reading import Badge, Box, Colour, Run, overlap
from translator.documents.pdf.typefaces import Face, has_sign, shown, width_of

_PARTS, _OF_BADGE = re.compile(r"\s+|\S+"), re.compile(r"^\s+|\s+$|\S(?:.*\S)?")
_WHOLE = re.compile(r"[\d/@_]|\.\w|^.{0,7}$")  # what no hyphen may break
Side = Literal["left", "centre", "right"]
NO_LINK = -1
_USUAL_REACH = Box(0.0, by.DEPTH, 0.0, by.HEIGHT)  # of letters, in units of their size
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u05ff\ufb1d-\ufb4f]+(?:\s+[\u0590-\u05ff\ufb1d-\ufb4f]+)*")


class Sign(NamedTuple):
    """A character that the page has in a font of its own, and no face has.

    Attributes:
        font: what the page calls the font.
        code: of the character in the font, in hexadecimal digits.
        width: in units of the size.
    """

    font: str
    code: str
    width: float


class Style(NamedTuple):
    """How a word looks, and which link of its page it is in.

    Attributes:
        face, colour: of its letters.
        link: number of the link.
        scale, rise: see `Run`.
        sign: if the text is such a character.
        is_underlined: whether a line is drawn below it.
        is_struck: whether a line is drawn through it.
        font, overlap: see `Run`.
        badge: in units of the size; it moves with the word.
        width: of its letters, as a share of that of the face.
    """

    face: Face = Face()
    colour: Colour = (0, 0, 0)
    link: int = NO_LINK
    scale: float = 1.0
    rise: float = 0.0
    sign: Sign | None = None
    is_underlined: bool = False
    is_struck: bool = False
    font: str = ""
    overlap: float = 0.0
    badge: Badge | None = None
    width: float = 1.0


Words = list[tuple[str, Style]]
"""Texts of one style each, in order."""


def style_of(run: Run, link: int = NO_LINK) -> Style:
    """Return how a run looks."""
    first = run.face, run.colour, link, run.scale, run.rise, None
    return Style(*first, run.is_underlined, run.is_struck, run.font, run.overlap, run.badge)


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


class _Word(NamedTuple):
    """A word, a part of one, or a space; its width is in units of the size."""

    text: str
    style: Style
    width: float


class Placed(NamedTuple):
    """Words in one style, where they begin."""

    text: str
    style: Style
    left: float
    base: float
    size: float
    angle: float


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
    words = _PARTS.findall(text) if boxes else [text]
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


def box_of(words: Placed, reach: Box = _USUAL_REACH) -> Box:
    """Return a box that reaches beyond words by so much, in units of their size."""
    left, below, beyond, above = (side * words.size for side in reach)
    sign, text = words.style.sign, words.text.rstrip()
    width = words.style.width * (sign.width if sign else width_of(text, words.style.face))
    right = words.left + words.size * width
    return Box(words.left - left, words.base - below, right + beyond, words.base + above)


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


def from_the_left(text: str) -> str:
    """Return a text in the order in which it stands on the page: Hebrew is turned."""
    return _RIGHT_TO_LEFT.sub(lambda found: found[0][::-1], text)


def with_signs(words: Words, signs: Mapping[str, Sign]) -> Words | None:
    """Return words with what their faces lack in the fonts of the page, or None if they lack it.

    Args:
        words: texts of one style each, in order.
        signs: of the page; those of fonts for formulas by font and character.
    """
    result = Words()
    for text, style in words:
        known = ""
        for char in from_the_left(shown(text, style.face)):
            sign = signs.get(f"{style.font} {char}") if style.font else None
            if sign is None and has_sign(char, style.face):
                known += char
                continue
            if sign is None and char not in signs:
                return None
            result += [(known, style)] if known else []
            result.append((char, style._replace(sign=sign or signs[char])))
            known = ""
        result += [(known, style)] if known else []
    return result


def _parts(words: Iterable[tuple[str, Style]]) -> Iterator[_Word]:
    """Yield words and the spaces between them; a space is one."""
    for text, style in words:
        if style.sign is not None:
            yield _Word(text, style, style.scale * style.width * (style.sign.width - style.overlap))
            continue
        for part in (_OF_BADGE if style.badge else _PARTS).findall(text):
            yield _word(" " if part.isspace() else part, style)


def _word(text: str, style: Style) -> _Word:
    reach = style.badge[1] if style.badge and text != " " else _USUAL_REACH
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
