"""Runs are found with their places, fonts and colours."""

from __future__ import annotations

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.pdf_files import drawn
from translator.documents.pdf.faces import Face
from translator.documents.pdf.reading import Box, Run, contents_of


def read(data: bytes) -> tuple[list[Run], list[Box]]:
    document = pypdfium2.PdfDocument(data)
    page = document[0]
    runs, boxes, _ = contents_of(page)
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


def test_text_that_nobody_sees_is_no_text() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(50, 100, "Hidden", mode=3)

    [run], _ = read(drawn(draw))
    assert run.text == ""


def test_drawings_have_boxes() -> None:
    _, [box] = read(drawn(lambda canvas: canvas.rect(10, 20, 30, 40, stroke=0, fill=1)))
    assert tuple(box) == pytest.approx((10, 20, 40, 60), abs=1)
