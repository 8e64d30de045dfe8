"""Runs are found with their places, fonts and colours."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Sequence

import pikepdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Name
from PIL import Image
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tests.pdf_files import drawn, with_codes
from translator.documents.pdf.document import read_pdf
from translator.documents.pdf.reading import contents_of
from translator.documents.pdf.runs import Box, Run
from translator.documents.pdf.typefaces import FOLDER, Face


def read(data: bytes) -> tuple[list[Run], list[Box]]:
    document = pypdfium2.PdfDocument(data)
    page = document[0]
    runs, boxes, *_ = contents_of(page)
    page.close()
    document.close()
    return runs, boxes


def test_a_run_says_how_it_looks() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColorRGB(1, 0, 0)
        canvas.setFont("Times-Bold", 12)
        canvas.scale(2, 2)
        canvas.drawString(50, 100, "Hello & more")

    [run], boxes = read(drawn(draw))
    assert (run.text, run.face, run.colour) == ("Hello & more", Face("Serif", True), (255, 0, 0))
    assert (run.size, run.base, run.angle, run.number) == (24, 200, 0, 0)
    assert run.left == pytest.approx(100, abs=1)
    assert run.right > run.left + 24 * 4
    assert boxes == []


def test_text_that_is_turned_is_read_as_if_the_page_were_turned() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rotate(90)
        canvas.drawString(50, -100, "Up")

    [run], _ = read(drawn(draw))
    assert (run.text, run.angle) == ("Up", 90)
    assert run.base == pytest.approx(-100, abs=0.1)
    assert run.left == pytest.approx(50, abs=2)


def invisible(canvas: Canvas) -> None:
    canvas.drawString(50, 100, "Hidden", mode=3)


def as_a_clip(canvas: Canvas) -> None:
    canvas.drawString(50, 100, "Hidden", mode=7)


def below_a_panel(canvas: Canvas, alpha: float = 1.0, left: float = 20) -> None:
    canvas.drawString(50, 100, "Hidden")
    canvas.setFillColorRGB(0.2, 0.3, 0.2, alpha)
    canvas.rect(left, 20, 300, 300, fill=1, stroke=0)


def below_a_bar(canvas: Canvas) -> None:
    canvas.drawString(50, 100, "Hidden")
    canvas.rect(49, 96, 41, 14, fill=1, stroke=0)


def below_a_picture(canvas: Canvas) -> None:
    canvas.drawString(50, 100, "Hidden")
    canvas.drawInlineImage(Image.new("RGB", (8, 8), "red"), 20, 20, 300, 300)


def white_on_white(canvas: Canvas) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    canvas.drawString(50, 100, "Hidden")


def cut_off(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(200, 0, 100, 400)
    canvas.clipPath(path, stroke=0, fill=0)
    canvas.drawString(50, 100, "Hidden")


@pytest.mark.parametrize(
    "hide",
    [invisible, as_a_clip, below_a_panel, below_a_bar, below_a_picture, white_on_white, cut_off],
)
def test_text_that_nobody_sees_is_no_text(hide: Callable[[Canvas], None]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        hide(canvas)
        canvas.restoreState()
        canvas.setFillColorRGB(1, 1, hide in (below_a_panel, below_a_picture))
        canvas.drawString(52, 103, "Seen on top of it")

    data = drawn(draw)
    runs, _ = read(data)
    assert [run.text for run in runs] == ["", "Seen on top of it"]
    assert not any("Hidden" in text for text in read_pdf("a.pdf", data).left_alone)


def below_glass(canvas: Canvas) -> None:
    below_a_panel(canvas, alpha=0.5)


def beside_a_panel(canvas: Canvas) -> None:
    below_a_panel(canvas, left=75)


def below_a_frame(canvas: Canvas) -> None:
    canvas.drawString(50, 100, "Hidden")
    canvas.rect(20, 20, 300, 300)


def white_on_a_panel(canvas: Canvas) -> None:
    canvas.rect(20, 20, 300, 300, fill=1)
    white_on_white(canvas)


def traced(canvas: Canvas) -> None:
    canvas.drawString(50, 100, "H")
    canvas.rect(50, 99, 9, 11, fill=1, stroke=0)


@pytest.mark.parametrize(
    "draw", [below_glass, beside_a_panel, below_a_frame, white_on_a_panel, traced]
)
def test_text_that_people_see_below_something_is_read(draw: Callable[[Canvas], None]) -> None:
    [run], _ = read(drawn(draw))
    assert run.text in ("Hidden", "H")


def test_drawings_have_boxes() -> None:
    _, [box] = read(drawn(lambda canvas: canvas.rect(10, 20, 30, 40, stroke=0, fill=1)))
    assert tuple(box) == pytest.approx((10, 20, 40, 60), abs=1)


def in_codes_of_characters(text: str) -> bytes:
    """Return a page in a font whose codes are characters, with no table that says so."""
    path = FOLDER / "Sans-Regular.ttf"
    with TTFont(path) as font:
        unit, glyphs = font["head"].unitsPerEm, font.getBestCmap()
        chosen = {ord(char): font.getGlyphID(glyphs[ord(char)]) for char in text}
        widths = [
            part
            for code in chosen
            for part in (code, [font["hmtx"][glyphs[code]][0] * 1000 // unit])
        ]
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(400, 500))
    numbers = b"".join(chosen.get(code, 0).to_bytes(2, "big") for code in range(256))
    inner = pikepdf.Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Sans,
        CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
        CIDToGIDMap=pdf.make_stream(numbers),
        DW=600,
        W=widths,
        FontDescriptor=pikepdf.Dictionary(
            Type=Name.FontDescriptor,
            FontName=Name.Sans,
            Flags=32,
            FontBBox=[0, -300, 1000, 900],
            Ascent=905,
            Descent=-212,
            ItalicAngle=0,
            CapHeight=700,
            StemV=70,
            FontFile2=pdf.make_stream(path.read_bytes()),
        ),
    )
    font = pikepdf.Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name.Sans,
        Encoding=Name("/Identity-H"),
        ToUnicode=Name("/Identity-H"),
        DescendantFonts=[inner],
    )
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=pdf.make_indirect(font)))
    shown = text.encode("utf-16-be").hex()
    page.Contents = pdf.make_stream(f"BT /F1 11 Tf 50 400 Td <{shown}> Tj ET".encode())
    written = io.BytesIO()
    pdf.save(written)
    return written.getvalue()


def test_letters_are_as_wide_as_the_font_says_where_it_tells_no_characters() -> None:
    [run], _ = read(in_codes_of_characters("wawtwe"))
    assert run.text == "wawtwe"
    assert run.gaps == pytest.approx([0.0] * 5, abs=0.02)


def test_the_number_behind_a_leader_is_a_cell_also_in_its_last_string() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(50, 300, "Scope " + "." * 30)
        canvas.drawString(170, 300, "...3 ")
        canvas.drawString(50, 280, "and ...3 more")

    runs, _ = read(drawn(draw))
    assert [[cell.text for cell in run.cells] for run in runs] == [
        ["Scope ", "." * 30],
        ["...", "3 "],
        [],
    ]


@pytest.mark.parametrize(
    ("font", "gap", "is_parted"),
    [("Helvetica", 4, True), ("Helvetica", 2, False), ("Courier", 4, True), ("Courier", 2, False)],
)
def test_numbers_of_a_timetable_are_cells(font: str, gap: float, is_parted: bool) -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(50, 300)
        text.setFont(font, 7)
        text.setWordSpace(gap)
        text.textOut("0657 0702 0707 0712")
        canvas.drawText(text)

    [run], _ = read(drawn(draw))
    assert len(run.cells) == 4 * is_parted


def test_a_field_to_tick_is_a_dot_before_its_option() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.acroForm.checkbox(x=50, y=298, size=10)
        canvas.acroForm.textfield(x=50, y=200, width=200, height=12)
        canvas.showPage()

    _, boxes = read(drawn(draw))
    dots = [box for box in boxes if max(box.right - box.left, box.top - box.bottom) < 2]
    assert [round(dot.right) for dot in dots] == [60]


UNTOLD = "\ufffd"
GERMAN = b"Er fand die Kasse, au\xffer am Tag, f\xfcr alle: \x9f 2"


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        (GERMAN, "Er fand die Kasse, außer am Tag, für alle: § 2"),
        (b"Sie \x1cnden \x10so\x11 viel \x15 \xf6\x1bnen", "Sie ﬁnden “so” viel – öﬀnen"),
        (b"Caf\xe9 d'\xf7uvre, 5 \xbf in \x8a\xf3d\xb9", "Café d’œuvre, 5 £ in Łódź"),
        (b"plain words only", "plain words only"),
        (b"an o\x1cce", f"an o{UNTOLD}ce"),  # in TeX's older fonts, another letter
        (b"\xe7\xc4\xc5 \xd7 \xd3\xc1\xcd\xc1", None),  # as Cyrillic has it
    ],
)
def test_fonts_of_pictures_have_the_letters_of_tex(codes: bytes, text: str | None) -> None:
    [run], _ = read(with_codes(("", codes)))
    assert run.text == text if text else UNTOLD in run.text


def test_codes_of_a_font_with_a_name_are_letters_only_if_they_look_like_words() -> None:
    data = with_codes(("Times-Roman", b"some words"), ("Courier", b"$%"))
    [words, sign], _ = read(data)
    assert words.text == "some words"
    assert sign.text
    assert not sign.text.isprintable()  # no letter, figure or mark
    assert [char for char, _ in sign.signs] == [*sign.text]  # it comes back in its own font


ACCENTS = {"\u0300": "`", "\u0301": "´", "\u0302": "ˆ", "\u0303": "˜", "\u0308": "¨"}
BASES = {letter: unicodedata.normalize("NFD", letter) for letter in "àáâãäèéêëìíîïñòóôõöùúûüÄÖÜÉ"}


def with_accents_apart(word: Sequence[str], are_strings: bool) -> bytes:
    """Return a page with a word as TeX shows it: each accent, and then its letter at its place.

    Each is a string of its own if they `are_strings`.
    """

    def draw(canvas: Canvas) -> None:
        parts, pen, left = list[str](), 0.0, 0.0
        for letter in word:
            base, mark = (*BASES.get(letter, letter), "")[:2]
            width = stringWidth(base, "Times-Roman", 1000)
            for char in (ACCENTS[mark], base) if mark else base:
                own = stringWidth(char, "Times-Roman", 1000)
                place = left + (width - own) / 2
                code = f"<{char.encode('cp1252').hex()}>"
                parts += (
                    [f"{pen - place:.0f}", code]
                    if not are_strings
                    else [f"1 0 0 1 {40 + place * 0.012:.3f} 400 Tm {code} Tj"]
                )
                pen = place + own
            left += width
        shown = " ".join(parts) if are_strings else f"40 400 Td [{' '.join(parts)}] TJ"
        font = canvas._doc.getInternalFontName("Times-Roman")
        canvas._code.append(f"BT {font} 12 Tf {shown} ET")

    return drawn(draw)


@settings(max_examples=200, deadline=None)
@given(
    word=st.lists(st.sampled_from([*"abcfmntz", *BASES]), min_size=2, max_size=12),
    are_strings=st.booleans(),
)
def test_an_accent_is_read_in_its_letter(word: list[str], are_strings: bool) -> None:
    runs, _ = read(with_accents_apart(word, are_strings))
    assert "".join(run.text for run in runs) == "".join(word)
    assert all(len(run.gaps) == len(run.text) - 1 for run in runs if run.text)
    going = {number for run in runs if run.text for number in (run.number, *run.twins)}
    assert going == {*range(len(runs))}  # no accent stays behind
