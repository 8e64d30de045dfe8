"""Runs of text on a page with their places, fonts and colours, as PDFium finds them."""

from __future__ import annotations

import ctypes
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from translator.documents.pdf.faces import PLAIN, Face, face_like

Colour = tuple[int, int, int]
_INVISIBLE = 3
_DRAWN = (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE)
_MOST_BOXES = 5_000  # of a page; more are a picture
_MOST_NAME = 200  # characters of the name of a font
_LARGEST_SIGN, _LONGEST_SIGN = 0.87, 4  # of the size of the word before it; characters
_MOST_SIGNS = 500  # of a page
_NEXT_TO, _FARTHEST = 0.3, 30.0  # from a word to its sign: of the size, and in points
_RISES, _FALLS = (0.15, 0.7), (-0.55, -0.08)  # of signs, in units of the size of the word
_HYPHENS = str.maketrans({"\x02": "-", "\ufffe": "-", "\u00ad": "-", "\r": " ", "\n": " "})


@dataclass(frozen=True, slots=True)
class Run:
    """What one operator of a page shows.

    Places are those on a page that is turned so that the run is level.

    Attributes:
        number: among all that show text on the page.
        text: as people read it; empty if the font does not tell.
        left: where it begins.
        right: where it ends.
        base: height of the line that it stands on.
        size: of the letters.
        angle: that it is turned by, in degrees.
        face: most like its font.
        colour: red, green, blue.
        origin: where it begins on the page itself.
        scale: size of a raised or lowered one, as a share of the size of the word before it.
        rise: how far such a one is above the line of that word, as a share of the same size.
    """

    number: int
    text: str
    left: float
    right: float
    base: float
    size: float
    angle: float = 0.0
    face: Face = PLAIN
    colour: Colour = (0, 0, 0)
    origin: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    rise: float = 0.0


class Box(NamedTuple):
    """Around a line, a drawing or a picture on a page."""

    left: float
    bottom: float
    right: float
    top: float


def contents_of(page: pypdfium2.PdfPage) -> tuple[list[Run], list[Box], int]:
    """Return the runs of a page in the order in which they are shown, and what else is drawn.

    The number tells how many characters are found on the page in all, also inside forms.
    """
    text_page = page.get_textpage()
    runs, boxes = list[Run](), list[Box]()
    try:
        num_chars = text_page.count_chars()
        for index in range(pdfium.FPDFPage_CountObjects(page)):
            shown = pdfium.FPDFPage_GetObject(page, index)
            kind = pdfium.FPDFPageObj_GetType(shown)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                runs.append(_run(len(runs), shown, text_page))
            elif kind in _DRAWN and len(boxes) < _MOST_BOXES:
                boxes.append(_box(shown))
    finally:
        text_page.close()
    return runs, boxes, num_chars


def raised_signs(runs: Iterable[Run]) -> dict[int, list[Run]]:
    """Return footnote marks, exponents and indices, by the number of the run that each follows.

    They stand higher or lower than that, and know by how much.

    Args:
        runs: of one page, turned alike.
    """
    words = sorted((run for run in runs if run.size), key=lambda run: run.right)
    ends = [run.right for run in words]
    signs = [run for run in words if len(run.text.strip()) <= _LONGEST_SIGN]
    by_word: dict[int, list[Run]] = {}
    for sign in signs[:_MOST_SIGNS]:
        first = bisect_left(ends, sign.left - _FARTHEST)
        last = bisect_right(ends, sign.left + _FARTHEST)
        beside = [word for word in words[first:last] if _is_raised(sign, word)]
        if beside:
            word = min(beside, key=lambda word: abs(word.right - sign.left))
            rise = (sign.base - word.base) / word.size
            known = replace(sign, scale=sign.size / word.size, rise=rise)
            by_word.setdefault(word.number, []).append(known)
    return by_word


def _is_raised(sign: Run, word: Run) -> bool:
    rise = (sign.base - word.base) / word.size
    return (
        sign.size <= _LARGEST_SIGN * word.size
        and abs(sign.left - word.right) <= _NEXT_TO * word.size
        and (_RISES[0] <= rise <= _RISES[1] or _FALLS[0] <= rise <= _FALLS[1])
    )


def _box(shown: object) -> Box:
    sides = [ctypes.c_float() for _ in Box._fields]
    pdfium.FPDFPageObj_GetBounds(shown, *sides)
    return Box(*(side.value for side in sides))


def _run(number: int, shown: object, text_page: pypdfium2.PdfTextPage) -> Run:
    matrix, size, quad = pdfium.FS_MATRIX(), ctypes.c_float(), pdfium.FS_QUADPOINTSF()
    pdfium.FPDFPageObj_GetMatrix(shown, matrix)
    pdfium.FPDFTextObj_GetFontSize(shown, size)
    pdfium.FPDFPageObj_GetRotatedBounds(shown, quad)
    angle = math.atan2(matrix.b, matrix.a)
    cos, sin = math.cos(angle), math.sin(angle)
    corners = ((quad.x1, quad.y1), (quad.x2, quad.y2), (quad.x3, quad.y3), (quad.x4, quad.y4))
    across = [x * cos + y * sin for x, y in corners]
    is_hidden = pdfium.FPDFTextObj_GetTextRenderMode(shown) == _INVISIBLE
    return Run(
        number=number,
        text="" if is_hidden else _text(shown, text_page),
        left=min(across),
        right=max(across),
        base=matrix.f * cos - matrix.e * sin,
        size=abs(size.value) * math.hypot(matrix.c, matrix.d),
        angle=round(math.degrees(angle), 1),
        face=_face(shown),
        colour=_colour(shown),
        origin=(matrix.e, matrix.f),
    )


def _text(shown: object, text_page: pypdfium2.PdfTextPage) -> str:
    """Return the text, or an empty one if it has characters that stand for nothing."""
    wanted = pdfium.FPDFTextObj_GetText(shown, text_page, None, 0)
    if wanted <= 2:
        return ""
    buffer = ctypes.create_string_buffer(wanted)
    place = ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR))
    pdfium.FPDFTextObj_GetText(shown, text_page, place, wanted)
    text = buffer.raw[: wanted - 2].decode("utf-16-le", "replace").translate(_HYPHENS)
    is_readable = all(char.isprintable() or char.isspace() for char in text)
    return text if is_readable else ""


def _face(shown: object) -> Face:
    font = pdfium.FPDFTextObj_GetFont(shown)
    name = ctypes.create_string_buffer(_MOST_NAME)
    pdfium.FPDFFont_GetBaseFontName(font, name, _MOST_NAME)
    flags = pdfium.FPDFFont_GetFlags(font)
    return face_like(name.value.decode("utf-8", "replace"), max(flags, 0))


def _colour(shown: object) -> Colour:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium.FPDFPageObj_GetFillColor(shown, red, green, blue, alpha)
    return red.value, green.value, blue.value
