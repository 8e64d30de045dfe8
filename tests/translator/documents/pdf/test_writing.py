"""Pages lose the runs that have a translation, and nothing else."""

from __future__ import annotations

import io

import pikepdf
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.pdf_files import drawn
from translator.documents.pdf.reading import contents_of
from translator.documents.pdf.runs import Run
from translator.documents.pdf.typefaces import EmbeddedFonts
from translator.documents.pdf.words import Placed, Style
from translator.documents.pdf.writing import change_page, num_shown


def page_of(content: str) -> bytes:
    def draw(canvas: Canvas) -> None:
        canvas._code.append(content)

    return drawn(draw)


def runs_of(data: bytes) -> list[Run]:
    document = pypdfium2.PdfDocument(data)
    runs, *_ = contents_of(document[0])
    document.close()
    return runs


def changed(data: bytes, gone: set[int], *placed: Placed) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fonts = EmbeddedFonts(pdf)
        change_page(pdf, 0, runs_of(data), frozenset(gone), placed, fonts)
        fonts.embed()
        written = io.BytesIO()
        pdf.save(written)
    return written.getvalue()


SHOWS = [
    "q q 0 0 0 0 0 0 cm Q 2 0 0 2 3 3 cm BT Tj /F1 12 Tf 9 Td 0 40 Td (one) Tj (two) Tj (three) Tj"
    " (q) TL 0 -20 Td (four) Tj ET",
    "BT /F1 12 Tf 10 300 Td (one) Tj (two) Tj (three) Tj 0 -20 Td (four) Tj ET",
    "q 2 0 0 2 10 10 cm BT /F1 12 Tf 1 0 0 1 10 90 Tm [(one) -500 (x)] TJ [-900 (two)] TJ"
    " (three) Tj ET Q BT /F1 9 Tf 9 9 Td (four) Tj ET",
    "BT /F1 12 Tf 14 TL 10 300 Td (one) Tj (two) ' 1 2 (three) \" T* (four) Tj ET",
    "BT /F1 12 Tf 10 300 Td (one) Tj 5 -14 TD (two) Tj () Tj [-9] TJ T* (three) Tj (four) Tj ET",
]


@pytest.mark.parametrize("content", SHOWS)
@pytest.mark.parametrize("gone", [{0}, {1}, {0, 2}, {0, 1, 2}, {3}])
def test_what_stays_keeps_its_place(content: str, gone: set[int]) -> None:
    data = page_of(content)
    before = runs_of(data)
    assert len(before) == 4
    after = runs_of(changed(data, gone))
    kept = [run for run in before if run.number not in gone]
    assert [run.text.strip() for run in after] == [run.text.strip() for run in kept]
    for old, new in zip(kept, after, strict=True):
        assert new.origin == pytest.approx(old.origin, abs=0.02)
        assert new.size == pytest.approx(old.size)


def test_words_are_shown_where_they_are_placed() -> None:
    placed = Placed("Grüße", Style(colour=(0, 128, 255)), 50, 200, 14, 0)
    turned = placed._replace(text="hoch", angle=90)
    [first, second] = runs_of(changed(page_of(SHOWS[0]), {0, 1, 2, 3}, placed, turned))
    assert (first.text, first.size, first.colour) == ("Grüße", 14, (0, 128, 255))
    assert first.origin == pytest.approx((50, 200), abs=0.01)
    assert (second.text, second.angle) == ("hoch", 90)
    assert second.base == pytest.approx(200, abs=0.01)


def test_operators_that_show_something_are_counted() -> None:
    data = page_of("BT /F1 9 Tf (a) Tj () Tj [(b) 9 (c)] TJ [9] TJ (d) ' 1 2 (e) \" ET")
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert num_shown(pdf.pages[0]) == 4


def test_runs_of_another_page_are_refused() -> None:
    data = page_of(SHOWS[0])
    with pikepdf.open(io.BytesIO(data)) as pdf:
        fonts = EmbeddedFonts(pdf)
        for runs, message in ((runs_of(data)[:3], "more"), (runs_of(data) * 2, "fewer")):
            with pytest.raises(ValueError, match=f"^runs: the page shows {message}"):
                change_page(pdf, 0, runs, frozenset({0}), [], fonts)
