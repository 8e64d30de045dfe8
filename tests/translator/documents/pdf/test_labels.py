"""Bookmarks and choices of fields are translated, and lead and send what they did."""

from __future__ import annotations

import io

import pikepdf
from pikepdf import Array, Dictionary, Name, String
from reportlab.pdfgen.canvas import Canvas

from tests.documents import shouted, texts, unchanged
from tests.pdf_files import changed, drawn
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
    def close(pdf: pikepdf.Pdf) -> None:
        first = pdf.Root.Outlines.First
        first.First.Next = first

    document = read_pdf("a.pdf", changed(drawn(with_bookmarks), close))
    assert texts(document).count("How to begin") == 1


def form(canvas: Canvas) -> None:
    canvas.drawString(50, 400, "Which colour do you want?")
    canvas.acroForm.listbox(
        name="colour", value="b", options=[("red as blood", "r"), ("blue as the sea", "b")]
    )
    canvas.acroForm.choice(name="way", value="by card", options=["by card", "in cash", "AB-12"])


def options(data: bytes) -> list[list[object]]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [
            [[*map(str, one)] if isinstance(one, Array) else str(one) for one in field.Opt]
            for field in pdf.Root.AcroForm.Fields
        ]


def values(data: bytes) -> list[str]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [str(field.V) for field in pdf.Root.AcroForm.Fields]


def test_choices_are_shown_in_the_other_language() -> None:
    data = drawn(form)
    document = read_pdf("a.pdf", data, "de")
    asked, *choices = texts(document)
    assert asked == "Which colour do you want?"
    assert choices == ["red as blood", "blue as the sea", "by card", "in cash", "AB-12"]
    assert unchanged(document) == data
    said = ["blutrot", "blau wie das Meer", "mit Karte", "bar", "AB-12"]
    written = document.rebuild(["Welche Farbe möchten Sie?", *said])
    assert options(written) == [
        [["r", "blutrot"], ["b", "blau wie das Meer"]],
        [["by card", "mit Karte"], ["in cash", "bar"], "AB-12"],
    ]
    assert values(written) == values(data)


def test_choices_of_fields_inside_fields_and_of_a_form_in_a_loop() -> None:
    with pikepdf.open(io.BytesIO(drawn(form))) as pdf:
        inner = pdf.make_indirect(Dictionary(Opt=Array([String("rot"), 7, Array([])])))
        outer = pdf.make_indirect(Dictionary(FT=Name.Ch, Kids=Array([inner])))
        inner.Kids = Array([outer])
        pdf.Root.AcroForm.Fields.append(outer)
        written = io.BytesIO()
        pdf.save(written)
    assert texts(read_pdf("a.pdf", written.getvalue(), "de"))[6:] == ["rot"]
