"""Fonts of documents have a face that is like them."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont

from translator.documents.pdf.typefaces import FOLDER, Face, face_like, shown, width_of

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
        ("Calibri", 34, "Sans-Regular"),
    ],
)
def test_a_font_has_a_face(name: str, flags: int, face: str) -> None:
    assert str(face_like(name, flags)) == face


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
