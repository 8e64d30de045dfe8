"""Fonts of documents have a face that is like them, of which a file gets what it uses."""

from __future__ import annotations

import io
from collections import Counter

import pikepdf
import pytest
from fontTools.ttLib import TTFont

from tests.pdf_files import drawn
from translator.documents.pdf.typefaces import (
    FOLDER,
    EmbeddedFonts,
    Face,
    face_like,
    heavier,
    name_inside,
    shown,
    width_of,
)

FACES = [
    Face(family, is_bold, is_italic)
    for family in ("Sans", "Serif", "Mono")
    for is_bold in (False, True)
    for is_italic in (False, True)
]


@pytest.mark.parametrize(
    ("name", "flags", "face"),
    [
        ("ABCDEF+Arial-BoldMT", 32, "Sans-Bold"),
        ("Helvetica-Oblique", 32, "Sans-Italic"),
        ("TimesNewRomanPS-BoldItalicMT", 34, "Serif-BoldItalic"),
        ("ABCDEF+CMR10", 4, "Serif-Regular"),
        ("CMBX12", 4, "Serif-Bold"),
        ("CMSS10", 4, "Sans-Regular"),
        ("NimbusRomNo9L-Regu", 4, "Serif-Regular"),
        ("NimbusMonL-Bold", 4, "Mono-Bold"),
        ("DejaVuSansMono", 33, "Mono-Regular"),
        ("Unknown", 2, "Serif-Regular"),
        ("AdobeCorpID-MyriadBdIt", 32, "Sans-BoldItalic"),
        ("Unknown", 1 << 18 | 1 << 6, "Sans-BoldItalic"),
        ("MinionPro", 2, "Serif-Regular"),
        ("Frutiger-Roman", 32, "Sans-Regular"),
        ("Arial-BoldMT", 33, "Sans-Bold"),
        ("SFBI1200 Computer Modern", 4, "Serif-BoldItalic"),
        ("Calibri", 34, "Sans-Regular"),
        ("LGJJKK+AdvTT2dea7504.B", 32, "Sans-Bold"),
        ("AdvTT40ade972.BI", 34, "Serif-BoldItalic"),
        ("AdvTT0b7bb6fa.I+20", 34, "Serif-Italic"),
        ("FreightTextProBook-Regular", 4, "Serif-Regular"),
        ("ABCDEF+SimSun", 33, "Serif-Regular"),
    ],
)
def test_a_font_has_a_face(name: str, flags: int, face: str) -> None:
    assert str(face_like(name, flags)) == face


def test_a_font_with_heavy_stems_is_bold() -> None:
    assert str(face_like("Poppins-Medium", 4, 704)) == "Sans-Bold"
    assert str(face_like("Poppins-Regular", 4, 545)) == "Sans-Regular"
    assert str(face_like("Times-Roman", 34, 2140)) == "Serif-Regular"


@pytest.mark.parametrize(
    ("letters", "heavy"),
    [
        ({"GillSans-Light": 900, "GillSans": 60, "GillSans-Bold": 20}, {"GillSans"}),
        (
            {"HelveticaNeue-Roman": 90, "HelveticaNeue-Medium": 20, "Times": 5},
            {"HelveticaNeue-Medium"},
        ),
        ({"ABCDEF+Lato-Light": 90, "GHIJKL+Lato-Regular": 9}, {"GHIJKL+Lato-Regular"}),
        ({"Avenir-Medium": 90, "Avenir-Light": 20, "Avenir": 5}, set()),
        ({"GillSans-Light": 90, "GillSans-Italic": 9, "Arial": 9}, set()),
        ({}, set()),
    ],
)
def test_what_is_heavier_than_most_of_its_family_is_bold(
    letters: dict[str, int], heavy: set[str]
) -> None:
    assert heavier(Counter(letters)) == heavy


def test_a_font_file_has_its_name_in_it() -> None:
    assert name_inside((FOLDER / "Mono-Bold.ttf").read_bytes()) == "Translator Mono Bold"
    assert [name_inside(data) for data in (b"", b"%!PS-AdobeFont", b"\0\1\0\0\0\x20")] == [""] * 3


@pytest.mark.parametrize("face", FACES, ids=str)
def test_every_face_has_the_letters_of_european_languages(face: Face) -> None:
    letters = "äöüßÄÖÜẞéèçñåøłčőğșțžĳ„“”‚‘’–—…€§°№άΩжяЇ•→−×"
    assert shown(letters, face) == letters
    font = TTFont(FOLDER / f"{face}.ttf")
    assert "Liberation" not in {name.toUnicode() for name in font["name"].names if name.nameID == 1}


def test_widths_are_those_of_the_usual_fonts() -> None:
    assert width_of("Hello", Face("Sans")) == pytest.approx(2.278, abs=0.001)  # as in Helvetica
    assert width_of("Hello", Face("Serif")) == pytest.approx(2.222, abs=0.003)  # as in Times
    assert width_of("ab", Face("Mono")) == pytest.approx(1.2, abs=0.001)


def test_what_has_no_letter_is_shown_otherwise() -> None:
    assert shown("a\u00adb\u200bc\u2003d", Face()) == "abc d"


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
