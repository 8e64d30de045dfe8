"""Badges of PDF, boxes around words inside a line, go where their words go."""

from __future__ import annotations

from collections.abc import Callable

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from tests.documents import A, B, shouted, texts, unchanged
from tests.pdf_files import drawn
from translator.documents.pdf.document import read_pdf
from translator.documents.pdf.reading import contents_of
from translator.documents.pdf.runs import Box, Run

SIZE = 10
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
ORDER = ("Your order ", "!PAID", " arrives ", "!SOON", " at your house.")
WORDS = st.text(st.sampled_from("aeinrst"), min_size=1, max_size=12)


def badge_line(*parts: str, round_by: float = 0.0) -> Callable[[Canvas], None]:
    """Return what draws a line in which words with `!` are white, on dark boxes."""

    def draw(canvas: Canvas) -> None:
        left = 50.0
        canvas.translate(0, 10)
        for part in parts:
            text, is_badge = part.lstrip("!"), part.startswith("!")
            canvas.setFont("Helvetica", SIZE)
            width = canvas.stringWidth(text, "Helvetica", SIZE)
            left += 4 * is_badge
            if is_badge:
                canvas.setFillColorRGB(0.8, 0, 0)
                canvas.roundRect(left - 4, 387, width + 8, 14, round_by, stroke=0, fill=1)
            canvas.setFillGray(1 if is_badge else 0)
            canvas.drawString(left, 390, text)
            left += width + 4 * is_badge

    return draw


def seen(data: bytes) -> tuple[list[Run], list[Box]]:
    """Return the words of a page, and what is drawn."""
    runs, found, *_ = contents_of(pypdfium2.PdfDocument(data)[0])
    return [run for run in runs if run.text.strip()], found


@pytest.mark.parametrize("round_by", [0.0, 3.0])
def test_a_badge_is_a_mark_and_its_box_goes_with_it(round_by: float) -> None:
    data = drawn(badge_line(*ORDER, round_by=round_by))
    document = read_pdf("a.pdf", data, "de")
    assert texts(document) == [f"Your order <{A}>PAID</{A}> arrives <{B}>SOON</{B}> at your house."]
    assert unchanged(document) == data
    said = f"<{B}>Bald</{B}> kommt Ihre Bestellung, die <{A}>schon bezahlt ist</{A}>, an"
    runs, found = seen(document.rebuild([said]))
    whites = [run for run in runs if run.colour == WHITE]
    assert {run.text.strip() for run in whites} == {"schon bezahlt ist", "Bald"}
    paid, soon = found  # in the order in which they were drawn
    for box, text in ((paid, "schon bezahlt ist"), (soon, "Bald")):
        [run] = [run for run in whites if run.text.strip() == text]
        assert (run.left - box.left, box.right - run.right) == pytest.approx((4, 4), abs=0.2)
        assert (run.base - box.bottom, box.top - run.base) == pytest.approx((3, 11), abs=0.2)


@settings(max_examples=30, deadline=None)
@given(words=st.lists(WORDS, min_size=5, max_size=5), is_first=st.booleans())
def test_no_white_word_stands_on_paper_and_no_black_one_in_a_badge(
    words: list[str], is_first: bool
) -> None:
    first, second, third, paid, soon = words
    said = f"{first} <{A}>{paid}</{A}> {second} <{B}>{soon}</{B}> {third}"
    if is_first:
        said = f"<{B}>{soon}</{B}> {second} {first} <{A}>{paid} {third}</{A}>"
    runs, found = seen(read_pdf("a.pdf", drawn(badge_line(*ORDER)), "de").rebuild([said]))
    for run in runs:
        around = [
            box
            for box in found
            if box.bottom < run.base < box.top and box.left < run.right and box.right > run.left
        ]
        assert len(around) == (run.colour == WHITE)
        assert all(box.left <= run.left and run.right <= box.right for box in around)


@pytest.mark.parametrize("before", ["In ", "Only in the whole of "])
def test_a_mark_behind_words_of_the_same_colour_goes_with_them(before: str) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", SIZE)
        width = canvas.stringWidth(before, "Helvetica", SIZE)
        canvas.setFillColorRGB(1, 1, 0)
        canvas.rect(
            50 + width, 397, canvas.stringWidth("the old town", "Helvetica", SIZE), 12, 0, 1
        )
        canvas.setFillGray(0)
        for text in (before, "the old town", " there."):
            canvas.drawString(50 + width * (text != before), 400, text)
            width += canvas.stringWidth(text, "Helvetica", SIZE) * (text != before)

    written = shouted(read_pdf("a.pdf", drawn(draw), "de"))
    _, [box] = seen(written)
    text = pypdfium2.PdfDocument(written)[0].get_textpage()
    marked = text.get_text_bounded(box.left - 1, box.bottom, box.right + 1, box.top)
    assert marked.strip() == "THE OLD TOWN"
    words = f"{before}the old town there."
    assert text.get_text_bounded().replace(" ", "") == words.upper().replace(" ", "")


def test_a_badge_whose_words_are_gone_goes_and_one_that_is_wide_stays() -> None:
    document = read_pdf("a.pdf", drawn(badge_line(*ORDER)), "de")
    _, found = seen(document.rebuild(["Ihre Bestellung kommt bald."]))
    assert found == []
    wide = drawn(badge_line("See ", "!what there is of many words that are marked", " below."))
    _, found = seen(read_pdf("a.pdf", wide, "de").rebuild(["Siehe unten."]))
    assert found == seen(wide)[1]
