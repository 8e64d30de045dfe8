"""Sentences that go on in the next line: which line breaks only wrap prose, and the way back.

A break between two lines of running text is no end of a sentence. It is taken out before
translation, and one comes back near the same place, with the same indentation behind it, so that a
text keeps its number of lines.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from translator.placeholders import span_places

WRAPPED_WIDTHS = range(50, 121)
"""Characters in the longest line of text that somebody has wrapped."""

MOST = 2 / 3
"""Of the breaks in a block of lines; if fewer look like wrapping, none of them is."""

_MARGIN = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*")
_MARKER = re.compile(r"(?:[-*+•–—]|\d{1,3}[.)]|\[[ xX]\])[ \t]+")
_NO_PROSE = re.compile(r"[#|=]|```|~~~|\.\. |:\w[\w -]{0,50}:(?:\s|$)|[-*+•–—>] |\d|\W*$|\w+::")
_STARTS_LIKE_PROSE = re.compile(r"[^\W\d_]|[`(\[*\"'„“”‚‘<{&$%@:_]")
_FIRST_WORD = re.compile(r"\S+")
_BREAK = re.compile(r"[ \t\r]*\n[ \t]*(?:>[ \t]?)*[ \t]*")


def soft_breaks(text: str) -> frozenset[int]:
    """Return the offsets of the line feeds at which a line of prose goes on in the next line."""
    lines, found, block_start, offset = text.split("\n"), set[int](), 0, 0
    for number, line in enumerate(lines):
        is_last = number + 1 == len(lines)
        if is_last or not _may_go_on(line, lines[number + 1]):
            block = lines[block_start : number + 1]
            place = offset + len(line) - sum(map(len, block)) - (len(block) - 1)
            for above, is_soft in zip(block, _are_soft(block), strict=False):
                place += len(above) + 1
                if is_soft:
                    found.add(place - 1)
            block_start = number + 1
        offset += len(line) + 1
    return frozenset(found)


def _may_go_on(above: str, below: str) -> bool:
    """Whether two neighbouring lines are prose with the same margin, or the first is an item."""
    above, below = above.removesuffix("\r"), below.removesuffix("\r")
    upper, lower = _margin_end(above), _margin_end(below)
    marker = _MARKER.match(above, upper)
    if lower not in (upper, marker.end() if marker else upper):
        return False
    ends_hard = above.endswith(("  ", "\\", "::")) or " | " in above or " | " in below
    if ends_hard or _NO_PROSE.match(below, lower) or not _STARTS_LIKE_PROSE.match(below, lower):
        return False
    start = marker.end() if marker else upper
    return bool(above[start:].strip()) and (bool(marker) or not _NO_PROSE.match(above, upper))


def _margin_end(line: str) -> int:
    found = _MARGIN.match(line)
    return found.end() if found else 0


def _are_soft(block: Sequence[str]) -> list[bool]:
    """Return for each line but the last of a block whether it goes on in the next."""
    lines = [line.rstrip() for line in block]
    width = max((len(line) for line in lines if "://" not in line), default=0)
    if width not in WRAPPED_WIDTHS:
        return [False] * (len(lines) - 1)
    soft = [_is_full(above, below, width) for above, below in itertools.pairwise(lines)]
    return soft if sum(soft) >= MOST * len(soft) else [False] * len(soft)


def _is_full(above: str, below: str, width: int) -> bool:
    """Whether the next line's first word had no place, or is in small letters, in mid-sentence."""
    word = _FIRST_WORD.search(below, _margin_end(below))
    if word is None or above.endswith((".", "!", "?", ":", ";")):
        return word is not None and len(above) + 1 + len(word[0]) > width
    if word[0][0].islower() and len(above) >= width * (0.6 if above.endswith(",") else 0.3):
        return True
    return len(above) + 1 + len(word[0]) > width


def unwrap(sentence: str) -> str:
    """Return a sentence in one line."""
    return _BREAK.sub(" ", sentence) if "\n" in sentence else sentence


def rewrap(translation: str, sentence: str) -> str:
    """Break a translation into as many lines as its sentence, at spaces near the same places.

    No break falls into a span that is not language. Breaks for which there is no space follow at
    the end.
    """
    breaks = list(_BREAK.finditer(sentence))
    if not breaks:
        return translation
    taken = {place for start, end in span_places(translation) for place in range(start, end)}
    spaces = [found.start() for found in re.finditer(" ", translation)]
    spaces = [place for place in spaces if place not in taken]
    scale = len(translation) / len(unwrap(sentence))
    parts, done, longer = [], 0, 0
    for number, found in enumerate(breaks, start=1):
        wanted = (found.start() - longer) * scale
        longer += len(found[0]) - 1
        spaces = [place for place in spaces if place >= done]
        free = spaces[: max(len(spaces) - (len(breaks) - number), 1)]  # leave one a later break
        place = min(free, key=lambda place: abs(place - wanted), default=len(translation))
        parts += [translation[done:place], found[0]]
        done = min(place + 1, len(translation))
    return "".join([*parts, translation[done:]])
