"""Runs of text on a page with their places, fonts and colours, as PDFium finds them."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from translator.text.files.pdf.faces import PLAIN, Face, face_like

Colour = tuple[int, int, int]
_INVISIBLE = 3
_DRAWN = (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE)
_MOST_BOXES = 5_000  # of a page; more are a picture
_MOST_NAME = 200  # characters of the name of a font
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


class Box(NamedTuple):
    """Around a line, a drawing or a picture on a page."""

    left: float
    bottom: float
    right: float
    top: float


def contents_of(page: pypdfium2.PdfPage) -> tuple[list[Run], list[Box]]:
    """Return the runs of a page in the order in which they are shown, and what else is drawn."""
    text_page = page.get_textpage()
    runs, boxes = list[Run](), list[Box]()
    try:
        for index in range(pdfium.FPDFPage_CountObjects(page)):
            shown = pdfium.FPDFPage_GetObject(page, index)
            kind = pdfium.FPDFPageObj_GetType(shown)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                runs.append(_run(len(runs), shown, text_page))
            elif kind in _DRAWN and len(boxes) < _MOST_BOXES:
                boxes.append(_box(shown))
    finally:
        text_page.close()
    return runs, boxes


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
