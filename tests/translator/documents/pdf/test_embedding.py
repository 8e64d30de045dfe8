"""Embedded faces have the letters that are used, and tell which they are."""

from __future__ import annotations

import io

import pikepdf
from fontTools.ttLib import TTFont

from tests.pdf_files import drawn
from translator.documents.pdf.typefaces import FOLDER, EmbeddedFonts, Face

FACE = Face("Serif", is_bold=True)


def test_a_face_has_only_what_is_used() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda canvas: canvas.drawString(9, 9, "x")))) as pdf:
        fonts = EmbeddedFonts(pdf)
        page = pdf.pages[0]
        name = fonts.name_on(page, FACE)
        codes = fonts.codes("äa", FACE)
        fonts.embed()
        font = page.Resources.Font[str(name)]
        assert name == "/TranslationSerifBold"
        assert "/F1" in page.Resources.Font
        assert len(codes) == 8
        [descendant] = font.DescendantFonts
        data = bytes(descendant.FontDescriptor.FontFile2.read_bytes())
        assert len(data) < (FOLDER / f"{FACE}.ttf").stat().st_size / 2
        cmap = TTFont(io.BytesIO(data))
        assert cmap["glyf"][cmap.getGlyphOrder()[int(codes[:4], 16)]].numberOfContours != 0
        assert f"<{codes[:4]}> <00e4>".encode() in font.ToUnicode.read_bytes()
        assert [int(width[0]) for width in [*descendant.W][1::2]] == [500, 500]


def test_a_page_whose_fonts_are_damaged_gets_its_own() -> None:
    with pikepdf.open(io.BytesIO(drawn(lambda canvas: canvas.drawString(9, 9, "x")))) as pdf:
        page = pdf.pages[0]
        page.Resources.Font = 7
        EmbeddedFonts(pdf).name_on(page, FACE)
        assert [*page.Resources.Font.keys()] == ["/TranslationSerifBold"]
