"""Links of PDF follow the words that they are on."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.documents import A, B, shouted, texts, unchanged
from tests.pdf_files import changed, drawn
from translator.documents.pdf.document import read_pdf
from translator.documents.pdf.reading import contents_of
from translator.documents.pdf.typefaces import Face, width_of

SIZE = 10


def page(canvas: Canvas) -> None:
    """A sentence with a link on two words, which are in the same run as the others."""
    canvas.setFont("Helvetica", SIZE)
    canvas.drawString(50, 400, "Please read our house rules before you come.")
    left = 50 + canvas.stringWidth("Please read ", "Helvetica", SIZE)
    right = left + canvas.stringWidth("our house rules", "Helvetica", SIZE)
    canvas.linkURL("https://example.org/rules", (left, 397, right, 410))


def over_two_lines(canvas: Canvas) -> None:
    """A paragraph with a link that goes on in its second line, and another one of that address."""
    canvas.setFont("Helvetica", SIZE)
    canvas.drawString(50, 400, "Who wants to visit us in the summer should read the house")
    canvas.drawString(50, 388, "rules of our shelter before they come to see us, and the list.")
    first = 50 + canvas.stringWidth("Who wants to visit us in the summer should read the ")
    canvas.linkURL("https://example.org/a", (first, 397, first + 60, 410))
    canvas.linkURL("https://example.org/a", (50, 385, 72, 398))
    last = 50 + canvas.stringWidth("rules of our shelter before they come to see us, and the ")
    canvas.linkURL("https://example.org/a", (last, 385, last + 20, 398))


def links(data: bytes) -> list[Any]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [[float(side) for side in one.Rect] for one in pdf.pages[0].Annots]


def words_in(data: bytes, rect: list[float]) -> str:
    text = pypdfium2.PdfDocument(data)[0].get_textpage()
    return " ".join(text.get_text_bounded(*rect).split())


def test_a_link_is_a_mark_and_goes_where_its_words_go() -> None:
    data = drawn(page)
    document = read_pdf("a.pdf", data, "de")
    assert texts(document) == [f"Please read <{A}>our house rules</{A}> before you come."]
    said = f"Bevor Sie kommen, lesen Sie bitte <{A}>unsere Hausordnung</{A}>."
    [rect] = links(document.rebuild([said]))
    assert words_in(document.rebuild([said]), rect) == "unsere Hausordnung"
    assert unchanged(document) == data


def test_a_link_over_two_lines_stays_two_and_another_one_stays_apart() -> None:
    document = read_pdf("a.pdf", drawn(over_two_lines), "de")
    [text] = texts(document)
    assert text.count("<") == 4
    first, second = text.split("<")[1][0], text.split("<")[3][0]
    said = f"Die <{second}>Liste</{second}> und die <{first}>Ordnung des Hauses</{first}> bitte."
    written = document.rebuild([said])
    found = [words_in(written, rect) for rect in links(written)]
    assert found == ["Ordnung des Hauses", "Ordnung des Hauses", "Liste"]


def test_a_link_whose_words_are_broken_says_where_they_are() -> None:
    document = read_pdf("a.pdf", drawn(page), "de")
    long = "unsere Hausordnung und alles andere, was in den langen Listen am Eingang steht"
    written = document.rebuild([f"Bevor Sie zu uns kommen, lesen Sie bitte <{A}>{long}</{A}>."])
    with pikepdf.open(io.BytesIO(written)) as pdf:
        [link] = pdf.pages[0].Annots
        quads = [float(place) for place in link.QuadPoints]
    assert len(quads) % 8 == 0
    said = ""
    for start in range(0, len(quads), 8):
        left, top, right, *_ = quads[start : start + 8]
        said += " " + words_in(written, [left, quads[start + 5], right, top])
    assert said.split() == long.split()


def test_a_link_without_words_stays() -> None:
    def draw(canvas: Canvas) -> None:
        page(canvas)
        canvas.linkURL("https://example.org/picture", (10, 10, 60, 60))

    document = read_pdf("a.pdf", drawn(draw), "de")
    written = document.rebuild(["Ohne."])
    assert links(written) == links(drawn(draw))


def test_damaged_links_are_left_alone() -> None:
    def damage(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].Annots[0].Rect = pikepdf.Array([1, pikepdf.Name.a, 2])
        pdf.pages[0].Annots.append(7)

    document = read_pdf("a.pdf", changed(drawn(page), damage), "de")
    assert texts(document) == ["Please read our house rules before you come."]
    document.rebuild(["Ja."])


def lined(canvas: Canvas) -> None:
    """The words of the link are underlined, by a line, and those below are as a whole."""
    page(canvas)
    left = 50 + canvas.stringWidth("Please read ", "Helvetica", SIZE)
    right = left + canvas.stringWidth("our house rules", "Helvetica", SIZE)
    canvas.saveState()
    canvas.translate(10, 0)
    canvas.setLineWidth(0.5)
    canvas.line(left - 10, 398.5, right - 10, 398.5)
    canvas.restoreState()
    canvas.rect(left, 397.2, right - left, 0.6, stroke=0, fill=1)
    canvas.drawString(50, 300, "A heading")
    canvas.rect(50, 298, canvas.stringWidth("A heading", "Helvetica", SIZE), 0.6, stroke=0, fill=1)
    canvas.rect(50, 200, 200, 40)


def boxes(data: bytes) -> list[tuple[int, ...]]:
    _, found, *_ = contents_of(pypdfium2.PdfDocument(data)[0])
    return [(*map(round, box),) for box in found]


def underlined(canvas: Canvas, pen: float) -> None:
    """Draw a line below some words, as a rectangle or with a pen of a width."""
    canvas.setFont("Helvetica", SIZE)
    canvas.setLineWidth(pen)
    left = 50.0
    for text in ("Please read ", "our house rules", " before you come."):
        canvas.drawString(left, 400, text)
        width = canvas.stringWidth(text, "Helvetica", SIZE)
        if text.startswith("our") and pen:
            canvas.line(left, 398.5, left + width, 398.5)
        elif text.startswith("our"):
            canvas.rect(left, 398, width, 0.6, stroke=0, fill=1)
        left += width


@pytest.mark.parametrize("pen", [0.0, 0.6, 0.09 * SIZE])
def test_underlines_move_with_their_words(pen: float) -> None:
    document = read_pdf("a.pdf", drawn(lambda canvas: underlined(canvas, pen)), "de")
    assert texts(document) == [f"Please read <{A}>our house rules</{A}> before you come."]
    written = document.rebuild([f"Lesen Sie <{A}>unsere Hausordnung</{A}> vorher."])
    [(left, bottom, right, _)] = boxes(written)
    assert words_in(written, [left - 1, bottom, right + 1, bottom + SIZE]) == "unsere Hausordnung"
    assert right - left < width_of("unsere Hausordnung ", Face()) * SIZE - 1


def test_underlines_of_words_that_move_are_not_left_behind() -> None:
    document = read_pdf("a.pdf", drawn(lined), "de")
    said = f"Bevor Sie kommen, lesen Sie bitte <{A}>unsere Hausordnung</{A}>."
    written = document.rebuild([said, "Eine Überschrift"])

    before, after = boxes(drawn(lined)), boxes(written)
    assert len(before) == 4
    assert after[0] == before[3]  # around something
    words = {words_in(written, [*box[:3], box[1] + SIZE]) for box in after[1:]}
    assert words == {"unsere Hausordnung", "Eine Überschrift"}


def test_a_line_below_a_text_stays_where_it_is_a_border() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", SIZE)
        canvas.drawString(50, 400, "A heading")
        canvas.rect(50, 398, 200, 0.6, stroke=0, fill=1)
        canvas.drawString(50, 300, "Another heading")
        width = canvas.stringWidth("Another heading", "Helvetica", SIZE)
        canvas.rect(50, 298, width, 0.6, stroke=0, fill=1)
        canvas.rect(50 + width, 298, 100, 0.6, stroke=0, fill=1)

    data = drawn(draw)
    written = read_pdf("a.pdf", data, "de").rebuild(["Eine Überschrift", "Noch eine Überschrift"])
    assert boxes(written) == boxes(data)


@pytest.mark.parametrize(
    ("text", "words", "is_moved"),
    [
        ("4. Demand for the demolition of a house", "Demand for the demolition of a house", True),
        ("Please read our rules", "our", True),
        ("A heading", "A heading", True),
        ("Nobody knew how old it really was.", "how old it rea", False),  # of a table below
        ("Nobody knew how old it really was.", "body knew", False),
    ],
)
def test_an_underline_begins_and_ends_with_words(text: str, words: str, is_moved: bool) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", SIZE)
        canvas.drawString(50, 400, text)
        left = 50 + canvas.stringWidth(text[: text.index(words)], "Helvetica", SIZE)
        width = canvas.stringWidth(words, "Helvetica", SIZE)
        canvas.rect(left - 1.2, 398, width + 2.4, 0.6, stroke=0, fill=1)  # as wide pens do

    document = read_pdf("a.pdf", drawn(draw), "de")
    written = shouted(document)
    [box] = boxes(written)
    said = words_in(written, [box[0] - 1, box[1], box[2] + 1, box[1] + SIZE])
    assert said == words.upper() if is_moved else box == boxes(drawn(draw))[0]


def struck(canvas: Canvas) -> None:
    left = 50.0
    for size, rise, text in (
        (12, 0, "Open "),
        (12, 0, "until May"),
        (12, 0, ", at noon"),
        (9, 4, "1"),
    ):
        canvas.setFont("Helvetica", size)
        canvas.drawString(left, 400 + rise, text)
        width = canvas.stringWidth(text, "Helvetica", size)
        if text == "until May":
            canvas.rect(left, 403, width, 0.6, stroke=0, fill=1)
        if text == "1":
            canvas.rect(left, 403, width, 0.6, stroke=0, fill=1)
        left += width


def test_lines_through_words_and_below_raised_signs_move_with_them() -> None:
    document = read_pdf("a.pdf", drawn(struck), "de")
    assert texts(document) == [f"Open <{A}>until May</{A}>, at noon<{B}=1/>"]
    written = document.rebuild([f"Mittags<{B}=1/>, <{A}>bis zum Mai</{A}>, offen"])
    through, below = sorted(boxes(written), reverse=True)
    assert words_in(written, [*through[:3], through[1] + 6]) == "bis zum Mai"
    assert words_in(written, [*below[:3], below[1] + 8]) == "1"
