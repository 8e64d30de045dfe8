"""Letters as PDFium finds them, and those that a font tells wrongly or not at all."""

from __future__ import annotations

import ctypes
import itertools
import math
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.cells import Place
from translator.documents.pdf.runs import Box
from translator.documents.pdf.typefaces import CORK

UNTOLD = 0x100000  # private use: the codes of letters that their font does not tell
_MARKS = str.maketrans("`´ˆ˜¯˘˙¨˚˝ˇ¸", unicodedata.normalize("NFD", "ÀÁÂÃĀĂĖÄÅŐŠÇ")[1::2])
_HYPHENS = str.maketrans({"\x02": "-", "\ufffe": "-", "\u00ad": "-", "\r": " ", "\n": " "})


class Letter(NamedTuple):
    """A character where it is shown: its origin, a box as wide as its font says, and its ink."""

    char: str
    x: float
    y: float
    box: Box
    ink: Box


def address_of(shown: object) -> int:
    """Return what tells an object of PDFium from others."""
    return ctypes.cast(shown, ctypes.c_void_p).value or 0  # type: ignore[arg-type]


def letters_of(text_page: pypdfium2.PdfTextPage) -> dict[int, list[Letter]]:
    """Return the characters that each object of a page shows, without the spaces PDFium adds."""
    letters = dict[int, list[Letter]]()
    x, y, box = ctypes.c_double(), ctypes.c_double(), pdfium.FS_RECTF()
    left, bottom, right, top = (ctypes.c_double() for _ in Box._fields)
    origin, around = (ctypes.byref(x), ctypes.byref(y)), ctypes.byref(box)
    ink = [ctypes.byref(side) for side in (left, right, bottom, top)]
    for index in range(text_page.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text_page, index)
        if pdfium.FPDFText_IsGenerated(text_page, index) == 1 or not 0 < code <= sys.maxunicode:
            continue
        code += UNTOLD * (pdfium.FPDFText_HasUnicodeMapError(text_page, index) == 1)
        shown = pdfium.FPDFText_GetTextObject(text_page, index)
        pdfium.FPDFText_GetCharOrigin(text_page, index, *origin)
        pdfium.FPDFText_GetLooseCharBox(text_page, index, around)
        pdfium.FPDFText_GetCharBox(text_page, index, *ink)
        letter = Letter(
            *(chr(code).translate(_HYPHENS), x.value, y.value),
            Box(box.left, box.bottom, box.right, box.top),
            Box(left.value, bottom.value, right.value, top.value),
        )
        letters.setdefault(address_of(shown), []).append(letter)
    return letters


def tell_letters(texts: Sequence[tuple[str, list[Letter]]]) -> None:
    """Put letters for codes that fonts do not tell; U+FFFD among others if nothing tells a letter.

    Codes that are mostly small letters are characters. TeX's fonts without a name have ASCII, and
    Cork's letters if they have other codes, too. Else a font without a letter has signs.
    """
    codes, telling = defaultdict[str, str](str), set[str]()
    for name, own in texts:
        chars = "".join([one.char for one in own])
        telling |= {name} if any(map(str.isalpha, chars)) else set()
        codes[name] += "".join(chr(ord(one) - UNTOLD) for one in chars if ord(one) >= UNTOLD)
    num_ascii = sum(map(str.isascii, codes[""]))
    cork = CORK if len(codes[""]) / 2 < num_ascii < len(codes[""]) else {}
    for name, own in texts:
        is_plain = not name or 2 * sum(map(str.islower, codes[name])) > len(codes[name])
        for at, one in enumerate(own if is_plain or name in telling else ()):
            if ord(one.char) >= UNTOLD:
                char = chr(ord(one.char) - UNTOLD).translate({} if name else cork)
                is_known = is_plain and char.isprintable() and (name or cork or char.isascii())
                own[at] = one._replace(char=char if is_known else "\ufffd")


def close_ligatures(texts: Sequence[tuple[str, list[Letter]]]) -> None:
    """Drop each space that InDesign shows in the second half of a ligature."""
    places = [(own, one) for _, own in texts for one in own]
    four = zip(places, places[1:], places[2:], places[3:], strict=False)
    for (_, first), (_, last), (own, space), (_, after) in four:
        if space.char == " " and first.box == last.box:
            _, bottom, end, top = last.box
            if math.dist((after.x, after.y), (end, last.y)) < by.TOUCHES * (top - bottom):
                own.remove(space)


def join_accents(texts: Sequence[tuple[str, list[Letter]]]) -> dict[int, tuple[int]]:
    """Put each accent into the letter that TeX shows next, at the same place.

    Return the numbers of runs that show accents by those of others, which show their letters.
    """
    twins = dict[int, tuple[int]]()
    places = [(run, at, one) for run, (_, own) in enumerate(texts) for at, one in enumerate(own)]
    accents = [at for at, (_, _, one) in enumerate(places[:-1]) if ord(one.char) in _MARKS]
    for (run, at, accent), (below, to, base) in (places[at : at + 2] for at in reversed(accents)):
        if base.x < (accent.ink.left + accent.ink.right) / 2 < base.box.right:
            char = unicodedata.normalize("NFC", base.char + accent.char.translate(_MARKS))
            if len(char) == 1 and texts[run][0] == texts[below][0]:
                texts[below][1][to] = base._replace(char=char)
                del texts[run][1][at]
                twins |= {below: (run,)} if run != below else {}
    return twins


def is_wrong(font: object, letters: Iterable[Letter], angle: float, scale: float) -> bool:
    """Return whether a font gives another width than its room to a letter that fits into it.

    PDFium takes the width of a wrong sign if the font does not tell which characters it has.
    """
    told = ctypes.c_float()
    for letter in itertools.islice(filter(lambda one: one.char.isalnum(), letters), by.COMPARED):
        left, right, end_of_ink = _extent(letter, angle)
        if end_of_ink < right - by.LEVEL * scale:
            pdfium.FPDFFont_GetGlyphWidth(font, ord(letter.char), scale, told)
            if abs(right - left - told.value) > by.TOUCHES * scale:
                return True
    return False


def _extent(letter: Letter, angle: float) -> tuple[float, float, float]:
    """Return where a letter begins on its line, and where its room and its ink end."""
    if not angle:  # as nearly always
        return letter.x, letter.box.right, letter.ink.right
    cos, sin = math.cos(angle), math.sin(angle)
    right, end_of_ink = (
        max(x * cos + y * sin for x in (box.left, box.right) for y in (box.bottom, box.top))
        for box in (letter.box, letter.ink)
    )
    return letter.x * cos + letter.y * sin, right, end_of_ink


def place_of(
    letter: Letter, angle: float, font: object, scale: float, is_straight: bool
) -> tuple[float, float]:
    """Return where a letter begins and ends on its line.

    PDFium's box of a letter is as wide as the font says, but wider if the letter hangs over, is
    turned or slanted; then the font is asked for the width of the character. That alone would not
    do, since two signs of a font may stand for one character.
    """
    left, right, end_of_ink = _extent(letter, angle)
    if is_straight and end_of_ink < right - by.LEVEL * scale:
        return left, right
    told = ctypes.c_float()
    pdfium.FPDFFont_GetGlyphWidth(font, ord(letter.char), scale, told)
    is_likely = 0 <= right - left - told.value < by.MOST_OVERHANG * scale
    return left, left + told.value if told.value > 0 and (is_likely or not is_straight) else right


def gaps_of(places: Sequence[Place], size: float) -> tuple[float, ...]:
    """Return how far apart letters are; some scripts go from the right to the left."""
    return tuple(
        max(left - before_right, before_left - right) / (size or 1.0)
        for (before_left, before_right), (left, right) in itertools.pairwise(places)
    )
