"""How words of a translation look, and the boxes around them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.runs import Badge, Box, Colour, Run
from translator.documents.pdf.typefaces import Face, has_sign, shown, width_of

NO_LINK = -1
PARTS = re.compile(r"\s+|\S+")  # of a text: words, and spaces between them
USUAL_REACH = Box(0.0, by.DEPTH, 0.0, by.HEIGHT)  # of letters, in units of their size
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


class Placed(NamedTuple):
    """Words in one style, where they begin."""

    text: str
    style: Style
    left: float
    base: float
    size: float
    angle: float


def box_of(words: Placed, reach: Box = USUAL_REACH) -> Box:
    """Return a box that reaches beyond words by so much, in units of their size."""
    left, below, beyond, above = (side * words.size for side in reach)
    sign, text = words.style.sign, words.text.rstrip()
    width = words.style.width * (sign.width if sign else width_of(text, words.style.face))
    right = words.left + words.size * width
    return Box(words.left - left, words.base - below, right + beyond, words.base + above)


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
