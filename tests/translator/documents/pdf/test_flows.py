"""Sentences that go on in the next column or on the next page are translated whole."""

from __future__ import annotations

from collections.abc import Callable

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from tests.documents import shout, texts, unchanged
from tests.pdf_files import drawn
from translator.documents.pdf.document import read_pdf
from translator.documents.pdf.flows import cut
from translator.documents.pdf.words import Style

FIRST = (
    "The old mill by the river was closed for",
    "many years, and nobody who lived near it",
    "could say when its large wheel of oak had",
)
REST = ("last been turned by the water below it.", "Now it grinds again.")
WHOLE = " ".join((*FIRST, *REST))


def on(canvas: Canvas, left: float, lines: tuple[str, ...]) -> None:
    for number, line in enumerate(lines):
        canvas.setFont("Helvetica", 8)
        canvas.drawString(left, 400 - 10 * number, line)


def in_columns(canvas: Canvas) -> None:
    on(canvas, 30, FIRST)
    on(canvas, 210, REST)


def on_two_pages(canvas: Canvas) -> None:
    on(canvas, 30, FIRST)
    canvas.showPage()
    on(canvas, 30, REST)


def below_a_running_head(canvas: Canvas) -> None:
    on(canvas, 30, FIRST)
    canvas.showPage()
    on(canvas, 30, ("Mills of the North",))
    on(canvas, 30, ("", "", "", *REST))


def shown(data: bytes) -> str:
    pdf = pypdfium2.PdfDocument(data)
    every = (page.get_textpage().get_text_bounded() for page in pdf)
    return " ".join(" ".join(every).split())


@pytest.mark.parametrize("draw", [in_columns, on_two_pages])
def test_a_sentence_that_goes_on_elsewhere_is_one_text_in_both_places(
    draw: Callable[[Canvas], None],
) -> None:
    data = drawn(draw)
    document = read_pdf("a.pdf", data)
    assert texts(document) == [WHOLE]
    assert unchanged(document) == data
    assert shown(document.rebuild([shout(unit) for unit in document.units])) == WHOLE.upper()


def test_it_may_go_on_below_a_running_head() -> None:
    assert texts(read_pdf("a.pdf", drawn(below_a_running_head))) == [WHOLE, "Mills of the North"]


@pytest.mark.parametrize("draw", [in_columns, on_two_pages])
@pytest.mark.parametrize("translation", ["漢 " * 20, "Word", "It was in 1871 " * 9])
def test_if_one_part_cannot_be_set_both_stay_and_are_named(
    draw: Callable[[Canvas], None], translation: str
) -> None:
    data = drawn(draw)
    document = read_pdf("a.pdf", data)
    assert document.rebuild([translation]) == data
    assert len(document.left_alone) == 2


@pytest.mark.parametrize("rest", ["b", "c)", "Last of all it was turned by the water."])
def test_it_does_not_go_on_with_a_mark_of_a_list_or_a_capital(rest: str) -> None:
    def draw(canvas: Canvas) -> None:
        on(canvas, 30, FIRST)
        on(canvas, 210, (rest,))

    assert " ".join(FIRST) in texts(read_pdf("a.pdf", drawn(draw)))


def test_a_text_with_a_link_is_not_parted() -> None:
    def draw(canvas: Canvas) -> None:
        on_two_pages(canvas)
        canvas.linkURL("https://example.org", (40, 398, 100, 412))

    assert len(texts(read_pdf("a.pdf", drawn(draw)))) == 2


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        ((*FIRST[:2], "could say when its wheel of oak had been."), REST),
        ((*FIRST[:2], "could say when."), REST),
        (FIRST, ("Last been turned by the water below it.", "Now it grinds again.")),
    ],
    ids=["ended", "has room", "begins anew"],
)
def test_what_may_be_another_text_is_one(first: tuple[str, ...], rest: tuple[str, ...]) -> None:
    def draw(canvas: Canvas) -> None:
        on(canvas, 30, first)
        on(canvas, 210, rest)

    assert " ".join(first) in texts(read_pdf("a.pdf", drawn(draw)))


STYLES = [Style(), Style(scale=2.0)]
WORDS = st.lists(st.tuples(st.text("ab ", min_size=1, max_size=9), st.sampled_from(STYLES)))


@given(WORDS, st.floats(0, 1))
def test_words_are_cut_at_a_space_and_none_is_lost(
    words: list[tuple[str, Style]], share: float
) -> None:
    before, after = cut(words, share)
    parts = ["".join(text for text, _ in part) for part in (before, after)]
    whole = "".join(text for text, _ in words)
    assert "".join(parts).replace(" ", "") == whole.replace(" ", "")
    assert not before or whole[len(parts[0])] == " "
    assert {style for _, style in (*before, *after)} <= {style for _, style in words}
