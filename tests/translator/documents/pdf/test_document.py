"""Documents in PDF keep their pages, and have their words set again in the same places."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reportlab.lib import colors
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.documents import A, B, C, shouted, texts, unchanged
from tests.pdf_files import (
    LONG,
    changed,
    drawn,
    in_strings,
    report,
    with_a_damaged_page,
    with_codes,
    with_operators,
)
from tests.presentations import picture
from translator.documents.pdf import pages
from translator.documents.pdf.document import read_pdf
from translator.documents.pdf.reading import contents_of
from translator.documents.pdf.runs import LEADER
from translator.documents.pdf.typefaces import PLAIN, width_of
from translator.errors import InputError


def said(data: bytes) -> list[str]:
    """Return the lines of the first page, as another reader finds them."""
    document = pypdfium2.PdfDocument(data)
    text = document[0].get_textpage().get_text_bounded()
    document.close()
    return [line.strip() for line in text.splitlines()]


def test_paragraphs_headings_and_cells_are_units() -> None:
    data = report()
    document = read_pdf("a.pdf", data)
    assert texts(document) == [
        *("Annual report", "What happened", f"The dog was <{A}>very old</{A}> and slept.", LONG),
        *("Name", "Weight", "Black dog", "12.5", "White cat"),
        f"See <{A}>the site</{A}> of the shelter for more.",
        LONG,
    ]
    assert unchanged(document) == data


@pytest.mark.parametrize("set_apart", [0.0, 0.05, 0.3, 0.8, 2.0, -0.2])
def test_letters_that_are_placed_one_by_one_are_words(set_apart: float) -> None:
    text = "Explicit is better than implicit: 6011 small villages in 2021."
    assert texts(read_pdf("a.pdf", in_strings(text, (), set_apart))) == [text]


WORD = st.text(st.sampled_from("ABIJLTVWaefijlmorstwy.,-0147'"), min_size=1, max_size=9)


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(WORD, min_size=4, max_size=7),
    cuts=st.sets(st.integers(1, 60)),
    set_apart=st.sampled_from([0.0, 0.0, 0.1, 0.8, 1.5]),
    font=st.sampled_from(["Helvetica", "Times-Italic", "Helvetica-Bold", "Times-Roman"]),
)
def test_words_do_not_depend_on_how_a_line_is_cut_into_strings(
    words: list[str], cuts: set[int], set_apart: float, font: str
) -> None:
    text = f"The garden {' '.join(words)} is open"
    assume(not LEADER.search(text))
    [unit] = texts(read_pdf("a.pdf", in_strings(text, cuts, set_apart, font)))
    assert unit == text


def test_another_program_reads_the_translation() -> None:
    data = report()
    written = shouted(read_pdf("a.pdf", data, "de"))
    lines = said(written)
    for line in ("ANNUAL REPORT", "WHAT HAPPENED", "THE DOG WAS VERY OLD AND SLEPT.", "WEIGHT"):
        assert any(line in one for one in lines), line
    assert {"12.5", "4", "run --this code"} <= {*lines}
    assert not any("dog" in line for line in lines)
    with pikepdf.open(io.BytesIO(written)) as after, pikepdf.open(io.BytesIO(data)) as before:
        assert after.Root.Lang == "de"
        assert len(after.pages) == len(before.pages)
        links = [[link.A.URI for link in pdf.pages[0].Annots] for pdf in (before, after)]
        assert links[0] == links[1]


def test_all_that_is_drawn_stays() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.linearGradient(0, 0, 400, 500, (colors.red, colors.yellow))
        canvas.drawInlineImage(__import__("PIL.Image").Image.open(io.BytesIO(picture())), 10, 10)
        canvas.rect(100, 100, 50, 50)
        canvas.drawString(50, 300, "Some words here")

    data = drawn(draw)
    written = shouted(read_pdf("a.pdf", data))
    with pikepdf.open(io.BytesIO(written)) as after, pikepdf.open(io.BytesIO(data)) as before:
        kept = [
            [str(one.operator) for one in pikepdf.parse_content_stream(pdf.pages[0])]
            for pdf in (before, after)
        ]
    for operator in ("sh", "re", "INLINE IMAGE", "cm"):
        assert kept[0].count(operator) == kept[1].count(operator), operator
    assert "SOME WORDS HERE" in said(written)


def test_code_in_a_sentence_stays_in_it() -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(50, 300)
        for font, words in (
            ("Helvetica", "Weight "),
            ("Courier", "max_size"),
            ("Helvetica", " in"),
        ):
            text.setFont(font, 12)
            text.textOut(words)
        canvas.drawText(text)
        canvas.drawString(50, 100, "A longer line of words below it")

    document = read_pdf("a.pdf", drawn(draw))
    assert texts(document)[0] == f"Weight <{A}>max_size</{A}> in"
    assert "WEIGHT max_size IN" in said(shouted(document))


def test_what_comes_behind_text_that_is_gone_keeps_its_place() -> None:
    def draw(canvas: Canvas) -> None:
        canvas._code.append("BT /F1 12 Tf 50 300 Td (Two dogs) Tj 1 0 0 1 200 300 Tm")
        canvas._code.append("(Name of it) Tj [-9000 (12.5)] TJ 0 -14 Td (13.5) Tj ET")

    data = drawn(draw)
    places = list[float]()
    for one in (data, shouted(read_pdf("a.pdf", data))):
        pdf = pypdfium2.PdfDocument(one)
        page = pdf[0].get_textpage()
        text = page.get_text_bounded()
        places += [page.get_charbox(text.index(number))[0] for number in ("12.5", "13.5")]
        pdf.close()
    assert places[:2] == pytest.approx(places[2:], abs=0.05)


def encrypted(password: str) -> bytes:
    rights = StandardEncryption(password, ownerPassword="owner", canModify=0)
    return drawn(lambda canvas: canvas.drawString(9, 9, "Hello"), encrypt=rights)


def in_a_form() -> bytes:
    """Return a page with most of its text in a form, which has patterns."""

    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 400, "A cover")
        canvas.beginForm("page")
        for line in range(9):
            canvas.drawString(40, 300 - 20 * line, "The dog slept in front of the house.")
        canvas.endForm()
        canvas.doForm("page")

    def with_a_pattern(pdf: pikepdf.Pdf) -> None:
        [form] = pdf.pages[0].Resources.XObject.values()
        form.Resources.Pattern = pikepdf.Dictionary()

    return changed(drawn(draw), with_a_pattern)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"^a\.pdf: is damaged, or no PDF; save it again$"),
        (b"%PDF-1.4\nhello", r"is damaged, or no PDF"),
        (encrypted("secret"), r"^a\.pdf: is encrypted; save it without a password$"),
        (encrypted(""), r"^a\.pdf: is encrypted; save it without a password$"),
        (
            drawn(lambda canvas: canvas.rect(9, 9, 9, 9)),
            r"^a\.pdf: has no text that can be changed: its pages are scanned, their text is in",
        ),
        (in_a_form(), r"^a\.pdf: has little text that can be changed: its pages are sc"),
    ],
)
def test_what_cannot_be_translated_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_pdf("a.pdf", data)


def with_another_stream(filter_name: str) -> bytes:
    def add(pdf: pikepdf.Pdf) -> None:
        stream = pikepdf.Stream(pdf, b"no picture")
        stream.Filter = pikepdf.Name(f"/{filter_name}")
        page = pdf.pages[0]
        page.Contents = pikepdf.Array([page.Contents, pdf.make_indirect(stream)])

    return changed(report(), add, compress_streams=False)


@pytest.mark.parametrize("filter_name", ["JBIG2Decode", "FlateDecode"])
def test_a_page_that_cannot_be_unpacked_is_damaged(filter_name: str) -> None:
    with pytest.raises(InputError, match=r"^a\.pdf: is damaged \([^<>]+\); save it again$"):
        read_pdf("a.pdf", with_another_stream(filter_name))


def test_a_page_with_a_command_among_its_letters_is_damaged() -> None:
    data = with_operators(report(), b" BT [(x) Tj (y)] TJ ET")
    with pytest.raises(InputError, match=r"^a\.pdf: is damaged \(.+\); save it again$"):
        read_pdf("a.pdf", data)


def test_a_page_with_operators_that_cannot_be_read_is_left_alone() -> None:
    data = with_operators(report(), b" ) 50 50 m 90 90 l S (")
    with pytest.raises(InputError, match="page 1: has text that cannot be set again"):
        read_pdf("a.pdf", data)


def in_one_string(*cells: str, font: str = "F1") -> bytes:
    """Return a page on which one operator shows cells that are ten letters apart."""
    shown = " -10000 ".join(f"({cell})" for cell in cells)
    text = f" BT /{font} 10 Tf 1 0 0 1 50 300 Tm [{shown}] TJ ET"
    return with_operators(drawn(lambda canvas: canvas.drawString(50, 400, "Form")), text.encode())


def test_cells_that_one_string_shows_stay_apart_and_in_their_places() -> None:
    data = in_one_string("Name of the owner", "***", "Date")
    document = read_pdf("a.pdf", data)
    assert texts(document) == ["Form", "Name of the owner", "Date"]
    assert unchanged(document) == data
    written = document.rebuild(["Form", "Name", "Date"])
    [_, *before], [_, *after] = (
        contents_of(pypdfium2.PdfDocument(file)[0])[0] for file in (data, written)
    )
    assert [run.text for run in after] == ["Name", "***", "Date"]
    assert [run.left for run in after] == [pytest.approx(cell.left) for cell in before[0].cells]


def test_a_string_over_cells_stays_if_one_of_them_cannot_be_set() -> None:
    document = read_pdf("a.pdf", in_one_string("Name of the owner", "Date"))
    written = document.rebuild(["Form", "中", "Datum"])
    assert said(written) == said(in_one_string("Name of the owner", "Date"))
    assert document.left_alone == ["Name of the owner", "Date"]


def test_a_page_that_cannot_be_changed_is_left_alone_beside_others() -> None:
    document = read_pdf("a.pdf", with_a_damaged_page())
    assert texts(document) == ["The first page is well."]
    assert said(shouted(document)) == ["THE FIRST PAGE IS WELL."]
    assert document.left_alone == ["The second page is damaged.", "xy"]


@pytest.fixture(scope="module")
def many_signs() -> str:
    """Return the name of a font with more signs than the faces have."""
    folder = Path(pytest.importorskip("matplotlib").get_data_path())
    pdfmetrics.registerFont(TTFont("Many", folder / "fonts" / "ttf" / "DejaVuSans.ttf"))
    return "Many"


HEBREW = "ירושלים"
SIGNED = (
    *("Press → to continue ✓ and ✗ to stop it.", "The authors ∗ and the editors † have read it."),
    *("It was ≤ 5 °C; for all ∀ x ∈ ℤ it is true ⇔ x = 1.", "Rating: ★★★☆☆ of all guests"),
    f"The city is called {HEBREW} in Hebrew.",
)


@pytest.mark.parametrize("text", SIGNED)
def test_signs_that_no_face_has_are_shown_in_the_font_of_the_page(
    text: str, many_signs: str
) -> None:
    from_the_left = text.replace(HEBREW, HEBREW[::-1])
    document = read_pdf("a.pdf", in_strings(from_the_left, {99}, font=many_signs))
    assert texts(document) == [text]
    written = shouted(document)
    assert said(written) == [text.upper()]
    assert document.left_alone == []
    assert document.rebuild([f"{text} 中"]) == document.rebuild([text])
    document.rebuild([f"{text} 中"])
    assert document.left_alone == [text]


def test_a_formula_stays_also_in_several_fonts() -> None:
    def draw(canvas: Canvas) -> None:
        for left, font, text in (
            *((60, "Times-Italic", "f"), (64, "Times-Roman", "("), (68, "Times-Italic", "x")),
            *((74, "Times-Roman", ") = max "), (112, "Times-Bold", "A"), (122, "Symbol", "≤ 12")),
        ):
            canvas.setFont(font, 11)
            canvas.drawString(left, 400, text)
        canvas.setFont("Times-Roman", 11)
        canvas.drawString(60, 300, "Where this is so, nobody knows.")

    assert texts(read_pdf("a.pdf", drawn(draw))) == ["Where this is so, nobody knows."]


def test_a_program_stays_where_it_stands_also_with_bold_words() -> None:
    tokens = ((60, "function"), (100, "add"), (118.6, "(a,"), (139.8, "b)"), (155, "{"))

    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 450, "The following program adds two numbers, as it is said.")
        for left, token in tokens:
            canvas.setFont("Times-Bold" if token == "function" else "Courier", 9)
            canvas.drawString(left, 400, token)

    data = drawn(draw)
    [unit] = texts(read_pdf("a.pdf", data))
    assert unit.startswith("The following")
    runs, *_ = contents_of(pypdfium2.PdfDocument(shouted(read_pdf("a.pdf", data)))[0])
    places = {(round(run.left, 1), run.text) for run in runs}
    assert {(60, "function"), *tokens[1:]} <= places


def test_a_page_that_is_all_in_a_typewriters_font_is_no_code() -> None:
    def draw(canvas: Canvas) -> None:
        for line in range(9):
            canvas.setFont("Helvetica" if line == 0 else "Courier", 12)
            canvas.drawString(40, 400 - 40 * line, f"The dog slept {'xyz'[line % 3]}")

    data = drawn(draw)
    assert len(texts(read_pdf("a.pdf", data))) == 9
    assert "THE DOG SLEPT Z" in said(shouted(read_pdf("a.pdf", data)))


def test_a_letter_that_is_typed_below_a_printed_head_is_no_code() -> None:
    printed = "Miller and Sons give advice in all matters of law and of the house."
    typed = ("Courier-Bold", "2. Deposit"), ("Courier", "The bank keeps the money until the end.")
    program = ("Courier", "for (i = 0; i < 9; ++i)"), ("Courier-Bold", "print_all(i, j, k)")

    def page(*lines: tuple[str, str]) -> bytes:
        def draw(canvas: Canvas) -> None:
            for number, (font, text) in enumerate((("Helvetica", printed), *lines)):
                canvas.setFont(font, 10)
                canvas.drawString(40, 400 - 40 * number, text)

        return drawn(draw)

    assert texts(read_pdf("a.pdf", page(*typed))) == [printed, *(text for _, text in typed)]
    assert texts(read_pdf("a.pdf", page(*program))) == [printed]
    faces = {run.face for run in contents_of(pypdfium2.PdfDocument(page(*typed))[0])[0]}
    written = shouted(read_pdf("a.pdf", page(*typed)))
    assert {run.face for run in contents_of(pypdfium2.PdfDocument(written)[0])[0]} == faces


@pytest.mark.parametrize("target", ["zh", "ja", "AR", "zh-Hant"])
def test_letters_that_there_are_not_are_refused(target: str) -> None:
    with pytest.raises(InputError, match=rf"^a\.pdf: cannot be set in '{target}'; the letters"):
        read_pdf("a.pdf", report(), target)


def test_too_many_pages_or_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MAX_BLOCKS", 3)
    with pytest.raises(InputError, match=r"^a\.pdf, page 1: has more than 3 texts, as a map has"):
        read_pdf("a.pdf", report())
    monkeypatch.setattr(pages, "MAX_PAGES", 0)
    with pytest.raises(InputError, match=r"^a\.pdf: has 1 pages, and 0 is the most; split it"):
        read_pdf("a.pdf", report())


def test_footnote_marks_exponents_and_indices_follow_their_words() -> None:
    def draw(canvas: Canvas) -> None:
        left = 40.0
        for base, size, text in (
            *((400, 10, "It slept here"), (404, 7, "1"), (400, 10, " for 10"), (404, 7, "6")),
            *((400, 10, " years in CO"), (398, 7, "2"), (400, 10, " and air.")),
        ):
            canvas.setFont("Helvetica", size)
            canvas.drawString(left, base, text)
            left += canvas.stringWidth(text, "Helvetica", size)

    data = drawn(draw)
    document = read_pdf("a.pdf", data)
    one, two, three = (f"<{mark}={sign}/>" for mark, sign in zip((A, B, C), "162", strict=True))
    assert texts(document) == [f"It slept here{one} for 10{two} years in CO{three} and air."]
    assert unchanged(document) == data
    written = document.rebuild([f"Lange {one}10{two} Jahre in der Luft aus CO{three}."])
    runs, *_ = contents_of(pypdfium2.PdfDocument(written)[0])
    signs = {run.text.strip(): run for run in runs if run.size < 8}
    assert {text: run.base for text, run in signs.items()} == pytest.approx(
        {"1": 404, "6": 404, "2": 398}
    )
    assert [run.size for run in signs.values()] == pytest.approx([7, 7, 7])
    assert "Lange1 106 Jahre in der Luft aus CO2." in "".join(said(written))
    ends = {run.text.strip(): run.right for run in runs if run.size > 8}
    assert ends["Lange"] == pytest.approx(signs["1"].left, abs=1)


def test_a_fraction_stays_one() -> None:
    def draw(canvas: Canvas) -> None:
        left = 40.0
        for base, size, text in (
            *((400, 10, "Cut it into "), (403, 7, "1"), (400, 10, "/"), (399, 7, "2")),
            (400, 10, " inch cubes."),
        ):
            canvas.setFont("Helvetica", size)
            canvas.drawString(left, base, text)
            left += canvas.stringWidth(text, "Helvetica", size)

    document = read_pdf("a.pdf", drawn(draw))
    assert texts(document) == [f"Cut it into <{A}=1/>/<{B}=2/> inch cubes."]
    written = document.rebuild([f"In <{A}=1/>/<{B}=2/> Zoll schneiden."])
    assert "In 1/2 Zoll schneiden." in "".join(said(written))


def in_letters(*strings: tuple[float, float, str], font: str = "Helvetica") -> bytes:
    """Return a page with a line that goes on letter by letter: heights, sizes, texts."""

    def draw(canvas: Canvas) -> None:
        left = 40.0
        for base, size, text in strings:
            canvas.setFont(font, size)
            for char in text:
                if char != " ":
                    canvas.drawString(left, base, char)
                left += canvas.stringWidth(char, font, size)

    return drawn(draw)


def test_raised_and_lowered_text_of_several_letters_stays_whole() -> None:
    line, up, down = (400, 10), (404, 8.3), (397, 8.3)
    data = in_letters(
        *((*line, "The value x"), (*up, "n+1"), (*line, " is in C"), (*down, "12"), (*line, "H")),
        *((*down, "22"), (*line, "O since the 1"), (*up, "st"), (*line, " of May.")),
    )
    [text] = texts(read_pdf("a.pdf", data))
    assert text == f"The value x<{A}/> is in C<{B}=12/>H<{C}=22/>O since the 1st of May."
    assert said(shouted(read_pdf("a.pdf", data))) == [
        "THE VALUE Xn+1 IS IN C12H22O SINCE THE 1ST OF MAY."
    ]


def test_a_raised_o_that_means_degrees_stays_raised() -> None:
    line, up = (400, 10), (404, 6)
    data = in_letters((*line, "Bake it at 150"), (*up, "o"), (*line, "C for an hour."))
    [text] = texts(read_pdf("a.pdf", data))
    assert text == f"Bake it at 150<{A}=o/>C for an hour."


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(st.sampled_from(["Size", "the 5 V", "open", "II"]), min_size=2, max_size=5),
    mark=st.sampled_from([":", ",", ".", "–", ");", "(", "’"]),
    font=st.sampled_from(["Helvetica-Bold", "Times-Italic", "Helvetica"]),
)
def test_a_mark_in_a_font_of_its_own_has_the_face_of_its_words(
    words: list[str], mark: str, font: str
) -> None:
    def draw(canvas: Canvas) -> None:
        line = canvas.beginText(40, 400)
        for word in words:
            for own, text in (("Times-Roman", word), (font, f"{mark} ")):
                line.setFont(own, 11)
                line.textOut(text)
        canvas.drawText(line)

    assert texts(read_pdf("a.pdf", drawn(draw))) == [" ".join(f"{word}{mark}" for word in words)]


def test_plain_marks_between_bold_words_are_not_bold() -> None:
    def draw(canvas: Canvas) -> None:
        line = canvas.beginText(40, 400)
        for number, text in enumerate(
            ["The owners (“", "we", ",” “", "us", "”) live in this house."]
        ):
            line.setFont("Times-Bold" if number % 2 else "Times-Roman", 11)
            line.textOut(text)
        canvas.drawText(line)

    data = drawn(draw)
    told = f"The owners (“<{A}>we</{A}>,” “<{B}>us</{B}>”) live in this house."
    assert texts(read_pdf("a.pdf", data)) == [told]


def test_lines_of_a_program_stay_in_any_font() -> None:
    lines = ["The light is on while a key is pressed:", "while((now() - 1000) < last)"]

    def draw(canvas: Canvas) -> None:
        for number, line in enumerate(lines):
            canvas.drawString(40, 400 - 30 * number, line)

    document = read_pdf("a.pdf", drawn(draw))
    assert texts(document) == lines[:1]
    assert {*said(shouted(document))} == {lines[0].upper(), lines[1]}


def test_small_capitals_of_a_browser_are_words() -> None:
    """They are capitals, of which the file tells that they are small letters (ActualText)."""

    def draw(canvas: Canvas) -> None:
        left = 40.0
        for char in "The Annual Report":
            size = 7 if char.islower() else 10
            told = f"/Span <</ActualText ({char})>> BDC" if char.islower() else "/Span BMC"
            shown = f"BT /F1 {size} Tf {left:.2f} 400 Td ({char.upper()}) Tj ET EMC"
            canvas._code.append(f"{told} {shown}" if char != " " else "")
            left += canvas.stringWidth(char.upper(), "Helvetica", size)

    data = drawn(draw)
    assert texts(read_pdf("a.pdf", data)) == ["The Annual Report"]
    assert said(shouted(read_pdf("a.pdf", data))) == ["THE ANNUAL REPORT"]


def with_font(data: bytes, **entries: object) -> bytes:
    """Return a page whose second font has other entries."""

    def change(pdf: pikepdf.Pdf) -> None:
        font = pdf.pages[0].Resources.Font["/F2"]
        for name, entry in entries.items():
            font[f"/{name}"] = pdf.make_stream(entry) if isinstance(entry, bytes) else entry

    return changed(data, change)


def content(data: bytes) -> bytes:
    """Return the operators of the first page."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return pikepdf.unparse_content_stream(pikepdf.parse_content_stream(pdf.pages[0]))


@pytest.mark.parametrize("text", ["The o~ice is open", "~y", "A co~ee, a ~ag"])
def test_a_word_with_a_letter_that_no_font_tells_stays_and_is_named(text: str) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 400, "A dog")
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(40, 300, text)

    told = b"1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfrange"
    told += b" <20> <7d> <0020> <7e> <7e> <fffd> endbfrange"
    data = with_font(drawn(draw), ToUnicode=told)
    document = read_pdf("a.pdf", data)
    assert texts(document) == ["A dog"]
    written = shouted(document)
    shown = text.replace("~", "\ufffd")
    assert {*said(written)} == {"A DOG", shown}
    assert document.left_alone == [f"{shown} (page 1: its font does not tell all of its letters)"]
    alone = read_pdf("a.pdf", changed(data, lambda pdf: pdf.pages.append(pdf.pages[0])))
    alone.rebuild(["A dog"] * 2)
    assert len(alone.left_alone) == 2


@pytest.mark.parametrize(("gap", "text"), [(0.0, "a certificate"), (0.2, "a certifi cate")])
def test_a_space_in_the_second_half_of_a_ligature_is_none(gap: float, text: str) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 400, "A dog")
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(40, 300, "a certi~")
        end = 40 + canvas.stringWidth("a certi~")
        canvas.drawString(end - 3 + 12 * gap, 300, " cate")

    told = b"1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfrange"
    told += b" <20> <7d> <0020> <7e> <7e> <00660069> endbfrange"
    assert texts(read_pdf("a.pdf", with_font(drawn(draw), ToUnicode=told))) == ["A dog", text]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["/f_t", "/T_h.liga"], "The software"),
        (["/f_f_i", "/glyph12"], None),
        (["/x_y_z_", "/_"], None),
        ([pikepdf.Dictionary(), "/f_t"], None),
        ([10**12, "/f_t", -5, "/T_h"], None),
        (["/f_t", "/T_h", *["/a_b"] * 1_000], None),
        (pikepdf.Dictionary(), None),
    ],
)
def test_ligatures_that_a_font_names_are_read(names: Any, text: str | None) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 400, "A dog")
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(40, 300, "}e so|ware")

    if isinstance(names, list):
        own = (pikepdf.Name(one) if isinstance(one, str) else one for one in names)
        names = pikepdf.Array([124, *own])
    encoding = pikepdf.Dictionary(Differences=names)
    document = read_pdf("a.pdf", with_font(drawn(draw), Encoding=encoding))
    assert texts(document)[0] == "A dog"
    if text is not None:
        assert texts(document)[1:] == [text]
        assert {*said(shouted(document))} == {"A DOG", text.upper()}


def test_words_in_codes_that_nothing_tells_stay_and_are_named() -> None:
    read = read_pdf(
        "a.pdf", with_codes(("Times-Roman", b"some words are read"), ("Courier", b"$%"))
    )
    assert texts(read) == ["some words are read"]
    shouted(read)
    [named] = read.left_alone
    assert named.endswith("(page 1: its font does not tell all of its letters)")
    with pytest.raises(InputError, match="fonts do not tell which letters they show"):
        read_pdf("a.pdf", with_codes(("Courier", b"$%&/()=$%&/()=")))


@pytest.mark.parametrize("name", ["ABCDEF+Wingdings-Regular", "QuickTypeIIPi", "FontAwesome5Free"])
def test_letters_of_a_font_of_signs_are_no_words_and_stay(name: str) -> None:
    def draw(canvas: Canvas) -> None:
        for line, text in enumerate(["Keep this page", "Other (specify)", "and more than this"]):
            canvas.drawString(60, 400 - 60 * line, text)
        canvas.setFont("Times-Roman", 12)
        canvas.drawString(45, 400, "G")
        canvas.drawString(150, 340, "H G")

    data = with_font(drawn(draw), BaseFont=pikepdf.Name(f"/{name}"))
    document = read_pdf("a.pdf", data)
    assert texts(document) == ["Keep this page", "Other (specify)", "and more than this"]
    assert all(shown in content(shouted(document)) for shown in (b"(G)", b"(H G)"))
    assert document.left_alone == []


@pytest.mark.parametrize(("num_traced", "stays"), [(0, False), (2, False), (3, True), (4, True)])
def test_words_whose_outlines_are_drawn_stay_and_are_named(num_traced: int, stays: bool) -> None:
    """As cairo makes a bold face: each letter, and then its outline as a path."""

    def draw(canvas: Canvas) -> None:
        canvas.drawString(40, 300, "All of the other words are plain.")
        left = 40.0
        for number, char in enumerate("Dogs!"):
            width = canvas.stringWidth(char, "Helvetica", 12)
            canvas.drawString(left, 400, char)
            if number < num_traced:
                canvas.ellipse(left + 0.8, 399.5, left + width - 0.4, 407)
            left += width

    document = read_pdf("a.pdf", drawn(draw))
    assert len(document.units) == 2 - stays
    shouted(document)
    reason = "(page 1: its letters are drawn once more, as outlines)"
    assert document.left_alone == ([f"Dogs! {reason}"] if stays else [])


def test_what_a_file_says_of_an_icon_is_not_set_over_it_but_named() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 400, "the house of the old dog")
        canvas._code.append("/Span <</ActualText (homepage: my house)>> BDC")
        canvas._code.append("BT /F1 12 Tf 40 400 Td (H) Tj ET EMC")

    document = read_pdf("a.pdf", drawn(draw))
    assert texts(document) == ["the house of the old dog"]
    assert b"(H) Tj" in content(shouted(document))
    assert document.left_alone == ["homepage: my house"]


def test_a_slant_is_italic_and_a_space_that_its_letters_reach_over_stays() -> None:
    def draw(canvas: Canvas) -> None:
        canvas._code.append("BT /F1 12 Tf 1 0 0.25 1 40 400 Tm (Two sad) Tj")
        canvas._code.append("1 0 0 1 82.7 400 Tm ( ) Tj 1 0 0 1 86 400 Tm (dogs slept here) Tj ET")

    [text] = texts(read_pdf("a.pdf", drawn(draw)))
    assert text == f"<{A}>Two sad</{A}> dogs slept here"


def test_words_keep_their_size_and_an_outline_is_bold() -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(40, 400)
        for size, mode, words in (
            (12, 0, "A text with "),
            (8, 0, "small"),
            (12, 2, " bold"),
            (12, 0, " words in it."),
        ):
            text.setFont("Helvetica", size)
            text.setTextRenderMode(mode)
            text.textOut(words)
        canvas.drawText(text)

    document = read_pdf("a.pdf", drawn(draw))
    assert texts(document) == [f"A text with <{A}>small</{A}> <{B}>bold</{B}> words in it."]
    runs, *_ = contents_of(pypdfium2.PdfDocument(shouted(document))[0])
    looks = {run.text.strip(): (run.size, run.face.is_bold) for run in runs}
    assert (round(looks["SMALL"][0]), looks["SMALL"][1]) == (8, False)
    assert (round(looks["BOLD"][0]), looks["BOLD"][1]) == (12, True)


def test_a_leader_goes_from_the_end_of_the_translation_to_the_number() -> None:
    dots = "." * 60

    def draw(canvas: Canvas) -> None:
        canvas.drawString(50, 300, f"How to begin{dots}3")
        canvas.drawString(50, 286, f"Flour and water{dots}12")

    data = drawn(draw)
    document = read_pdf("a.pdf", data)
    assert texts(document) == ["How to begin", "Flour and water"]
    ends = list[float]()
    for one in (data, shouted(document)):
        pdf = pypdfium2.PdfDocument(one)
        page = pdf[0].get_textpage()
        text = page.get_text_bounded()
        ends += [page.get_charbox(text.rindex(sign))[0] for sign in (".", "3", "12")]
        pdf.close()
    assert ends[:3] == pytest.approx(ends[3:], abs=1)
    number = text.index("3")
    assert text[:number].startswith("HOW TO BEGIN")
    assert 20 < text[:number].count(".") < 60


def test_a_lowered_number_is_read_as_a_part_of_its_word() -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(50, 300)
        for size, rise, part in ((12, 0, "H"), (8, -3, "2"), (12, 0, "O is a formula")):
            text.setFont("Helvetica", size)
            text.setRise(rise)
            text.textOut(part)
        canvas.drawText(text)

    assert texts(read_pdf("a.pdf", drawn(draw))) == [f"H<{A}=2/>O is a formula"]


@pytest.mark.parametrize("offset", [0.6, 1.6])
def test_a_shadow_goes_with_its_text(offset: float) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 14)
        canvas.setFillGray(0.5)
        canvas.drawString(50 + offset, 400 - offset, "Welcome to the party")
        canvas.setFillColorRGB(1, 0, 0)
        canvas.drawString(50, 400, "Welcome to the party")

    document = read_pdf("a.pdf", drawn(draw))
    assert texts(document) == ["Welcome to the party"]
    pdf = pypdfium2.PdfDocument(shouted(document))
    runs, *_ = contents_of(pdf[0])
    pdf.close()
    assert [(run.text, run.colour) for run in runs] == [("WELCOME TO THE PARTY", (255, 0, 0))]


def test_a_page_number_is_one_text_with_the_words_around_it() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 7)
        for left, text in ((300, "Seite "), (317.5, "1"), (320.4, " von "), (338, "3")):
            canvas.drawString(left, 30, text)

    assert texts(read_pdf("a.pdf", drawn(draw))) == ["Seite 1 von 3"]


def test_a_head_in_a_line_is_no_cell() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(40, 400, "Keywords")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(102, 400, "dogs and cats in old houses")

    assert texts(read_pdf("a.pdf", drawn(draw))) == [
        f"<{A}>Keywords</{A}> dogs and cats in old houses"
    ]


def test_a_line_that_is_drawn_inside_a_string_parts_cells() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(40, 400, "Dogs  Cats")
        canvas.rect(64.5, 390, 0.5, 30, fill=1, stroke=0)

    assert texts(read_pdf("a.pdf", drawn(draw))) == ["Dogs", "Cats"]


def test_rows_with_numbers_and_lists_of_values_are_no_paragraphs() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        for row, text in enumerate(("Visit of the whole building", "Exchange of all old windows")):
            canvas.drawString(40, 400 - 15.5 * row, str(row + 1))
            canvas.drawString(60, 400 - 15.5 * row, f"{text} on the ground")
            canvas.drawString(300, 400 - 15.5 * row, "85.00")
            canvas.drawString(40, 250 - 15.5 * row, str(row + 1))
            canvas.drawString(60, 250 - 15.5 * row, f"{text} and a line with its number")
        canvas.drawString(40, 300, "Creditor: DE63 ZZZ0 0000 0154 22")
        canvas.drawString(40, 287, "Date of payment: never before May")

    assert [text for text in texts(read_pdf("a.pdf", drawn(draw))) if not text[0].isdigit()] == [
        *("Visit of the whole building on the ground", "Exchange of all old windows on the ground"),
        *("Creditor: DE63 ZZZ0 0000 0154 22", "Date of payment: never before May"),
        "Visit of the whole building and a line with its number",
        "Exchange of all old windows and a line with its number",
    ]


def formula(canvas: Canvas) -> None:
    left = 40.0
    for font, size, base, text in (
        *(("Helvetica", 10, 400, "The point "), ("Times-Italic", 10, 400, "x")),
        *(("Times-Italic", 7, 404, "n"), ("Times-Italic", 5, 407, "2")),
        *(("Helvetica", 10, 400, " = (0, 1) is "), ("Times-Italic", 10, 400, "y")),
        ("Helvetica", 10, 400, "-dimensional."),
    ):
        canvas.setFont(font, size)
        canvas.drawString(left, base, text)
        left += canvas.stringWidth(text, font, size)


def test_a_formula_inside_a_line_comes_back_in_its_own_font() -> None:
    def rename(pdf: pikepdf.Pdf) -> None:
        for font in pdf.pages[0].resources.Font.values():
            if font.BaseFont == "/Times-Italic":
                font.BaseFont = pikepdf.Name("/ABCDEF+CMMI10")

    data = changed(drawn(formula), rename)
    document = read_pdf("a.pdf", data)
    assert texts(document) == [f"The point <{A}=xn2 = (0, 1)/> is <{B}=y/>-dimensional."]
    written = document.rebuild([f"<{B}=y/>-dimensional ist <{A}=xn2 = (0, 1)/>."])
    runs, *_ = contents_of(pypdfium2.PdfDocument(written)[0])
    own = [(run.text, run.size, round(run.base, 1)) for run in runs if run.font]
    assert own == [("y", 10, 400), ("x", 10, 400), ("n", 7, 404), ("2", 5, 407)]
    assert "".join(said(written)).replace(" ", "") == "y-dimensionalistxn2=(0,1)."


def test_paragraphs_that_look_alike_get_one_size() -> None:
    def draw(canvas: Canvas) -> None:
        for base, text in ((400, "It is here."), (300, "It was in the garden of our house.")):
            canvas.drawString(40, base, text)

    document = read_pdf("a.pdf", drawn(draw))
    written = document.rebuild(["Es ist hier.", "Er war in dem sehr schönen und alten Garten " * 2])
    runs, *_ = contents_of(pypdfium2.PdfDocument(written)[0])
    assert len({round(run.size, 2) for run in runs}) == 1


def test_a_long_word_in_one_of_many_cells_does_not_make_them_smaller() -> None:
    def draw(canvas: Canvas) -> None:
        for row in range(10):
            for left in (40, 110):
                canvas.drawString(left, 400 - 20 * row, "Some name")

    document = read_pdf("a.pdf", drawn(draw))
    written = document.rebuild(["Bezeichnungsart", *["Ein Name"] * 19])
    runs, *_ = contents_of(pypdfium2.PdfDocument(written)[0])
    assert [run.text for run in runs if run.size == 12] == ["Ein Name"] * 19


def test_a_label_with_little_room_does_not_make_the_page_smaller() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rect(35, 395, 90, 20)
        for left, base, text in ((45, 400, "Sign in here"), (40, 300, "It was in the garden.")):
            canvas.drawString(left, base, text)

    document = read_pdf("a.pdf", drawn(draw))
    written = document.rebuild(["Melden Sie sich hier an", "Es war in dem Garten."])
    label, text = contents_of(pypdfium2.PdfDocument(written)[0])[0]
    assert label.size < text.size == 12
    assert label.right < 125


def test_letters_of_one_style_get_one_width() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for row in range(6):
            canvas.rect(39, 395 - 20 * row, 104, 14)
            canvas.drawString(42, 400 - 20 * row, "A dog that slept here")

    document = read_pdf("a.pdf", drawn(draw))
    short, long = "Ein Hund, der da war", "Ein Hund, der da schlief"
    written = document.rebuild([short, short, short, short, short, long])
    runs, *_ = contents_of(pypdfium2.PdfDocument(written)[0])
    shares = [(run.right - run.left) / width_of(run.text, run.face) / 10 for run in runs]
    assert shares == pytest.approx([shares[0]] * 6, abs=0.01)
    assert 0.8 < shares[0] < 0.97


@pytest.mark.parametrize(("percent", "width"), [(100, 100), (90, 90), (60, 85), (110, 100)])
def test_narrow_letters_stay_as_narrow_as_they_were(percent: int, width: float) -> None:
    def draw(canvas: Canvas) -> None:
        for base, text in ((400, "It was in the garden."), (300, "Nobody knew how old it was.")):
            line = canvas.beginText(40, base)
            line.setHorizScale(percent)
            line.textOut(text)
            canvas.drawText(line)

    translations = "Es war im Garten.", "Keiner wusste es."
    written = read_pdf("a.pdf", drawn(draw)).rebuild(translations)
    runs, *_ = contents_of(pypdfium2.PdfDocument(written)[0])
    assert [run.size for run in runs] == [12, 12]
    wide = (width_of(text, PLAIN) * 12 for text in translations)
    shares = [100 * (run.right - run.left) / own for run, own in zip(runs, wide, strict=True)]
    assert shares == pytest.approx([width, width], abs=0.5)


def test_a_dash_in_a_cell_is_no_bullet() -> None:
    def draw(canvas: Canvas) -> None:
        for row, cells in enumerate((("access-tree", "-", "0.93x"), ("binary-tree", "7", "2.20x"))):
            for column, text in enumerate(cells):
                canvas.drawString(40 + 100 * column, 400 - 13 * row, text)

    assert texts(read_pdf("a.pdf", drawn(draw)))[::2] == ["access-tree", "binary-tree"]
