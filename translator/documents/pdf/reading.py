"""Runs of text on a page with their places, fonts and colours, as PDFium finds them."""

from __future__ import annotations

import ctypes
import itertools
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pypdfium2
import pypdfium2.raw as pdfium

from translator.documents.pdf import thresholds as by
from translator.documents.pdf.cells import Place, with_cells
from translator.documents.pdf.letters import (
    UNTOLD,
    Letter,
    address_of,
    close_ligatures,
    gaps_of,
    is_wrong,
    join_accents,
    letters_of,
    place_of,
    tell_letters,
)
from translator.documents.pdf.pixels import unseen
from translator.documents.pdf.runs import Box, Colour, Run, overlap, with_twins
from translator.documents.pdf.structure import paragraphs_of
from translator.documents.pdf.typefaces import (
    FOR_FORMULAS,
    FOR_SIGNS,
    Face,
    face_like,
    has_sign,
    heavier,
    name_inside,
    width_of,
)

_WHITE: Colour = (255, 255, 255)
_OUTLINED, _INVISIBLE = 2, 3  # ways to show text; those above make a clip of it
_DRAWN = (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE)
_MOST_NAME = 200  # characters of the name of a font
_NAMELESS = re.compile(r"(?:[A-Z]{6}\+)?(?:CIDFont)?(?:\+?[FT][\d_]+)?(?:\s|$)")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f©®]")
_Font = tuple[Face, str, bool]
"""The face most like a font, its name if it is for formulas, and whether it is one of signs."""


def contents_of(
    page: pypdfium2.PdfPage, has_tags: bool = False
) -> tuple[list[Run], list[Box], list[str], int]:
    """Return the runs of a page in the order in which they are shown, and what else is drawn.

    Then come the texts that stay, which are unreadable or inside forms, and how many characters
    are on the page in all. Runs know their paragraphs if the file `has_tags`.
    """
    text_page = page.get_textpage()
    runs, boxes, inside = list[tuple[Run, list[Place]]](), list[Box](), list[str]()
    middles, covers = dict[int, tuple[object, Box]](), list[tuple[int, Box]]()
    count = pdfium.FPDFPage_CountObjects(page)
    objects = [pdfium.FPDFPage_GetObject(page, index) for index in range(count)]
    paragraphs = paragraphs_of(page) if has_tags else {}
    try:
        num_chars, letters = text_page.count_chars(), letters_of(text_page)
        texts = [
            (_name_of(pdfium.FPDFTextObj_GetFont(shown)), letters.pop(address_of(shown), []))
            for shown in objects
            if pdfium.FPDFPageObj_GetType(shown) == pdfium.FPDF_PAGEOBJ_TEXT
        ]
        tell_letters(texts)
        close_ligatures(texts)
        twins, faces = join_accents(texts), dict[int, _Font]()
        heavy = heavier(Counter(name for name, own in texts for _ in own))
        for shown in objects:
            kind = pdfium.FPDFPageObj_GetType(shown)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                name, own = texts[len(runs)]
                run, places = _run(len(runs), shown, own, faces)
                is_seen = pdfium.FPDFTextObj_GetTextRenderMode(shown) != _INVISIBLE
                if own and is_seen and not run.text:  # as a drawing
                    boxes.append(_box(shown))
                    inside.append("".join(one.char for one in own if one.char.isprintable()))
                told = paragraphs.get(pdfium.FPDFPageObj_GetMarkedContentID(shown), 0)
                if told or name in heavy or run.number in twins:
                    face = run.face._replace(is_bold=run.face.is_bold or name in heavy)
                    run = replace(run, paragraph=told, twins=twins.get(run.number, ()), face=face)
                runs.append((run, places))
                if ink := [one.ink for one in own if one.char.isalnum()]:
                    middles[run.number] = shown, ink[len(ink) // 2]
            elif kind in _DRAWN and len(boxes) < by.MOST_BOXES:
                box = _box(shown)
                covers.append((len(runs), box))
                if not _is_white(shown) or any(
                    overlap(box, one) for one in boxes[: by.MOST_COVERS]
                ):
                    boxes.append(box)
        pale = {run.number for run, _ in runs if run.colour == _WHITE}
        for number in unseen(page, middles, covers[-by.MOST_COVERS :], pale):
            runs[number] = replace(runs[number][0], text="", gaps=(), signs=()), []
        inside += ("".join(letter.char for letter in own) for own in letters.values())
    finally:
        text_page.close()
    return with_twins(with_cells(runs, boxes)), [*boxes, *_ticks(page)], inside, num_chars


def _ticks(page: pypdfium2.PdfPage) -> Iterator[Box]:
    """Yield a dot for each small field of a form, as one to tick: it is before its option."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), by.MOST_LINKS)):
        note = pdfium.FPDFPage_GetAnnot(page, index)
        place = pdfium.FS_RECTF()
        is_field = pdfium.FPDFAnnot_GetSubtype(note) == pdfium.FPDF_ANNOT_WIDGET
        pdfium.FPDFAnnot_GetRect(note, place)
        pdfium.FPDFPage_CloseAnnot(note)
        width, height = place.right - place.left, place.top - place.bottom
        if is_field and max(width, height) < min(by.HIGHEST_TICK, by.WIDEST_TICK * height):
            middle = place.bottom + by.MIDDLE * height
            yield Box(place.right - by.NEAR, middle, place.right, middle + by.NEAR)


def _box(shown: object) -> Box:
    sides = [ctypes.c_float() for _ in Box._fields]
    pdfium.FPDFPageObj_GetBounds(shown, *sides)
    return Box(*(side.value for side in sides))


def _is_white(shown: object) -> bool:
    """Return whether what is drawn is white and without a border, as paper is."""
    fill, has_border = ctypes.c_int(), ctypes.c_int()
    is_path = pdfium.FPDFPath_GetDrawMode(shown, fill, has_border)
    return bool(is_path and fill.value and not has_border.value) and _colour(shown) == _WHITE


def _run(
    number: int,
    shown: object,
    letters: Sequence[Letter],
    faces: dict[int, _Font],
) -> tuple[Run, list[Place]]:
    """Return what an object shows, and where each letter begins and ends on its line.

    It adds to the `faces` of fonts, by their addresses.
    """
    matrix, font_size = pdfium.FS_MATRIX(), ctypes.c_float()
    pdfium.FPDFPageObj_GetMatrix(shown, matrix)
    pdfium.FPDFTextObj_GetFontSize(shown, font_size)
    angle = math.atan2(matrix.b, matrix.a)
    cos, sin = math.cos(angle), math.sin(angle)
    across = math.hypot(matrix.a, matrix.b) or 1.0
    size = abs(font_size.value * (matrix.a * matrix.d - matrix.b * matrix.c)) / across
    slant = (matrix.a * matrix.c + matrix.b * matrix.d) / across**2
    is_straight = min(abs(cos), abs(sin)) < by.LEVEL and abs(slant) < by.LEVEL
    text = "".join(letter.char for letter in letters)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(shown)
    font = pdfium.FPDFTextObj_GetFont(shown)
    if address_of(font) not in faces:
        faces[address_of(font)] = _face(font)
    face, name, has_signs = faces[address_of(font)]
    least = sys.maxunicode if has_signs else UNTOLD
    is_known = all(char.isprintable() or char.isspace() or ord(char) >= least for char in text)
    if mode >= _INVISIBLE or not is_known or (has_signs and _LATIN.search(text)):
        text = ""
    scale = abs(font_size.value) * across
    is_told = _is_told(shown)
    known = None if is_told or (is_straight and is_wrong(font, letters, angle, scale)) else font
    places = [place_of(letter, angle, known, scale, is_straight) for letter in letters]
    if is_told:
        ends = [*itertools.chain.from_iterable(places)] or [0.0]
        if width_of(text.strip(), face) * size > (max(ends) - min(ends)) * by.MOST_TOLD:
            text = ""  # says what an icon means, or where a link goes
        size /= by.SMALL_CAPITALS if text.islower() else 1.0
    seen = [place for place, char in zip(places, text, strict=False) if not char.isspace()]
    start = matrix.e * cos + matrix.f * sin
    if mode == _OUTLINED or slant > by.LEAST_SLANT:  # for lack of a bold or slanted face
        is_bold, is_italic = face.is_bold or mode == _OUTLINED, slant > by.LEAST_SLANT
        face = Face(face.family, is_bold, face.is_italic or is_italic)
    is_level = bool(name) and angle == 0  # slanted letters of formulas need the room of their ink
    run = Run(
        number=number,
        text=text,
        left=min((left for left, _ in seen), default=start),
        right=max((right for _, right in seen), default=start),
        base=matrix.f * cos - matrix.e * sin,
        size=size,
        angle=round(math.degrees(angle), 1),
        face=face,
        colour=_colour(shown),
        origin=(matrix.e, matrix.f),
        gaps=gaps_of(places, size) if text else (),
        signs=tuple(
            (letter.char, (max(right, letter.ink.right * is_level) - left) / (size or 1.0))
            for letter, (left, right) in zip(letters, places, strict=False)
            if text and not letter.char.isspace() and (name or not has_sign(letter.char, face))
        ),
        font=name,
    )
    return run, places if is_straight else []


def _is_told(shown: object) -> bool:
    """Return whether the file tells the text of an object apart from its letters (ActualText)."""
    marks = range(pdfium.FPDFPageObj_CountMarks(shown))
    length = ctypes.c_ulong()
    return any(
        pdfium.FPDFPageObjMark_GetParamStringValue(
            pdfium.FPDFPageObj_GetMark(shown, mark), b"ActualText", None, 0, length
        )
        for mark in marks
    )


def _face(font: object) -> _Font:
    """Return the face most like a font, which may have a name of its family and wrong flags.

    Then come the name of one for formulas, and whether it is one of signs.
    """
    name, family = _name_of(font), ctypes.create_string_buffer(_MOST_NAME)
    pdfium.FPDFFont_GetFamilyName(font, family, _MOST_NAME)
    narrow, wide = ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFFont_GetGlyphWidth(font, ord("i"), 1.0, narrow)
    pdfium.FPDFFont_GetGlyphWidth(font, ord("m"), 1.0, wide)
    is_set_apart = 0 < narrow.value < wide.value  # whatever its flags say
    flags = max(pdfium.FPDFFont_GetFlags(font), 0) & ~int(is_set_apart)
    names = f"{name} {family.value.decode('utf-8', 'replace')}"
    weight = pdfium.FPDFFont_GetWeight(font)
    if _NAMELESS.match(names) and (inside := name_inside(_file_of(font))):
        names, flags, weight = inside, 0, 0
    formulas = names if FOR_FORMULAS.search(names) else ""
    return face_like(names, flags, weight), formulas, FOR_SIGNS.search(names) is not None


def _name_of(font: object) -> str:
    name = ctypes.create_string_buffer(_MOST_NAME)
    pdfium.FPDFFont_GetBaseFontName(font, name, _MOST_NAME)
    return name.value.decode("utf-8", "replace")


def _file_of(font: object) -> bytes:
    """Return the file of a font; that of a substitute if it is not in the document."""
    length = ctypes.c_size_t()
    pdfium.FPDFFont_GetFontData(font, None, 0, length)
    data = (ctypes.c_uint8 * length.value)()
    pdfium.FPDFFont_GetFontData(font, data, length, length)
    return bytes(data)


def _colour(shown: object) -> Colour:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium.FPDFPageObj_GetFillColor(shown, red, green, blue, alpha)
    seen = alpha.value / 255  # as it looks on white
    on_white = (round(255 - (255 - part.value) * seen) for part in (red, green, blue))
    return next(on_white), next(on_white), next(on_white)
