"""Bookmarks are translated, and lead where they have always led."""

from __future__ import annotations

import io

import pikepdf
from reportlab.pdfgen.canvas import Canvas

from tests.documents import shouted, texts, unchanged
from tests.pdf_files import drawn
from translator.documents.pdf.document import read_pdf


def with_bookmarks(canvas: Canvas) -> None:
    canvas.drawString(50, 300, "Contents of it")
    for level, title in enumerate(("How to begin", "In the kitchen", "12")):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, min(level, 1))


def titles(data: bytes) -> list[str]:
    with pikepdf.open(io.BytesIO(data)) as pdf, pdf.open_outline() as outline:
        [root] = outline.root
        return [item.title for item in (root, *root.children)]


def test_titles_of_bookmarks_are_units() -> None:
    data = drawn(with_bookmarks)
    document = read_pdf("a.pdf", data)
    assert texts(document) == ["Contents of it", "How to begin", "In the kitchen"]
    assert unchanged(document) == data
    written = shouted(document)
    assert titles(written) == ["HOW TO BEGIN", "IN THE KITCHEN", "12"]
    with pikepdf.open(io.BytesIO(written)) as pdf:
        assert pdf.Root.Outlines.First.get("/Dest", pdf.Root.Outlines.First.get("/A")) is not None


def test_bookmarks_that_go_round_in_circles_are_read_once() -> None:
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(drawn(with_bookmarks))) as pdf:
        first = pdf.Root.Outlines.First
        first.First.Next = first
        pdf.save(written)
    assert texts(read_pdf("a.pdf", written.getvalue())).count("How to begin") == 1
