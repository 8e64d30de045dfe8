"""The typefaces that translations are set in: three families of four, with Latin, Greek, Cyrillic.

They are as wide as Helvetica, Times and Courier, so that most text fits where it stood.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Literal, NamedTuple

from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent / "fonts"
Family = Literal["Sans", "Serif", "Mono"]

_MONO = re.compile(r"mono|courier|consol|typewriter|menlo|nimbusmon|cmtt|sftt|lmmono", re.I)
_SANS = re.compile(r"sans|arial|helvetica|verdana|calibri|tahoma|gothic|nimbussan|cmss|lmss", re.I)
_SERIF = re.compile(
    r"serif|times|roman|georgia|garamond|cambria|palatino|bookman|nimbusrom|minion|libertine"
    r"|\b(?:[A-Z]{6}\+)?(?:cm[a-z]|sf[brt]|lmr)",
    re.I,
)
_BOLD = re.compile(r"bold|black|heavy|semib|demi|medi(?!um)|cmbx|sfbx|(?-i:Bd(?![a-z]))", re.I)
_ITALIC = re.compile(r"ital|oblique|obli|slant|cmti|cmsl|sfti|(?-i:(?<=[a-z])It(?![a-z]))", re.I)
_FIXED_FLAG, _SERIF_FLAG, _ITALIC_FLAG, _BOLD_FLAG = 1, 1 << 1, 1 << 6, 1 << 18


class Face(NamedTuple):
    """A typeface; the name of its file is its text."""

    family: Family = "Sans"
    is_bold: bool = False
    is_italic: bool = False

    def __str__(self) -> str:
        """Return a name such as `Serif-BoldItalic`."""
        style = "Bold" * self.is_bold + "Italic" * self.is_italic
        return f"{self.family}-{style or 'Regular'}"


PLAIN = Face()


def face_like(name: str, flags: int) -> Face:
    """Return the face that is most like a font of a document.

    Args:
        name: of the font, such as `ABCDEF+Arial-BoldMT`.
        flags: of its descriptor (ISO 32000-1, table 123).
    """
    family: Family = "Sans"
    if _MONO.search(name) or flags & _FIXED_FLAG:
        family = "Mono"
    elif not _SANS.search(name) and (_SERIF.search(name) or flags & _SERIF_FLAG):
        family = "Serif"
    is_bold = _BOLD.search(name) is not None or flags & _BOLD_FLAG != 0
    return Face(family, is_bold, _ITALIC.search(name) is not None or flags & _ITALIC_FLAG != 0)


@functools.cache
def _metrics(face: Face) -> tuple[dict[int, float], float]:
    """Return the width of each character in units of the size, and of one that is missing."""
    with TTFont(FOLDER / f"{face}.ttf", lazy=True) as font:
        unit: int = font["head"].unitsPerEm
        advances = font["hmtx"].metrics
        widths = {code: advances[glyph][0] / unit for code, glyph in font.getBestCmap().items()}
        return widths, advances[".notdef"][0] / unit


def width_of(text: str, face: Face) -> float:
    """Return the width of a text in units of its size."""
    widths, missing = _metrics(face)
    return sum(widths.get(ord(char), missing) for char in text)


def shown(text: str, face: Face) -> str:
    """Return a text without what nobody sees, and with plain spaces for those a face lacks."""
    widths, _ = _metrics(face)
    return "".join(
        " " if char.isspace() and ord(char) not in widths else char
        for char in text
        if char not in "\u00ad\u200b\u200c\u200d\u2060\ufeff"
    )


def has_sign(char: str, face: Face) -> bool:
    """Return whether a face has a character."""
    return ord(char) in _metrics(face)[0]
