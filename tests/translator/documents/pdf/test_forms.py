"""Text inside forms is translated where the form can be a part of its page, and told otherwise."""

from __future__ import annotations

import io
from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name
from reportlab.pdfgen.canvas import Canvas

from tests.documents import shouted, texts, unchanged
from tests.pdf_files import drawn
from translator.documents.pdf.document import read_pdf
from translator.documents.pdf.forms import without_forms
from translator.documents.pdf.reading import contents_of
from translator.documents.pdf.runs import Run
from translator.errors import InputError


def with_a_form(canvas: Canvas) -> None:
    canvas.drawString(40, 400, "A cover of a lot of words so that most is here")
    canvas.beginForm("inner")
    canvas.setFont("Times-Roman", 10)
    canvas.drawString(40, 300, "The dog slept.")
    canvas.endForm()
    for left in (0, 150):
        canvas.saveState()
        canvas.translate(left, -100)
        canvas.doForm("inner")
        canvas.restoreState()


def changed(data: bytes, change: Callable[[pikepdf.Pdf, pikepdf.Object], object]) -> bytes:
    """Return a file with its form changed."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        [form] = pdf.pages[0].Resources.XObject.values()
        change(pdf, form)
        pdf.save(written)
    return written.getvalue()


def runs(data: bytes) -> list[Run]:
    pdf = pypdfium2.PdfDocument(data)
    found, *_ = contents_of(pdf[0])
    pdf.close()
    return [run for run in found if run.text]


def test_text_inside_a_form_is_translated_in_its_place() -> None:
    data = drawn(with_a_form)
    document = read_pdf("a.pdf", data)
    assert texts(document)[1:] == ["The dog slept."] * 2
    assert unchanged(document) == data
    assert document.left_alone == []
    places = [
        (run.text, round(run.left), run.base, run.size, run.face.family)
        for run in runs(shouted(document))
        if "DOG" in run.text
    ]
    assert places == [("THE DOG SLEPT.", left, 200, 10, "Serif") for left in (40, 190)]


@pytest.mark.parametrize("is_inner", [False, True])
def test_pale_text_of_a_group_stays_pale(is_inner: bool) -> None:
    def make_pale(pdf: pikepdf.Pdf, form: pikepdf.Object) -> None:
        form.Resources.ExtGState = Dictionary(g=Dictionary(ca=Decimal("1.0"), BM=Name.Normal))
        form.write(b"/g gs " + form.read_bytes())
        if is_inner:
            form = two_deep(pdf, form)
        form.Group = Dictionary(S=Name.Transparency)
        page = pdf.pages[0]
        page.Resources.ExtGState = Dictionary(g=Dictionary(ca=0.5))
        page.Contents = pdf.make_stream(b"/g gs " + page.Contents.read_bytes())

    document = read_pdf("a.pdf", changed(drawn(with_a_form), make_pale))
    assert len(texts(document)) == 3
    assert {run.colour for run in runs(shouted(document))} == {(127, 127, 127)}


def two_deep(pdf: pikepdf.Pdf, form: pikepdf.Object) -> pikepdf.Object:
    """Have the page show a form of a form, which alone has text."""
    names = pdf.pages[0].Resources.XObject
    for _ in range(2):
        outer = pdf.make_stream(b"q 1 0 0 1 3 5 cm /x Do Q")
        outer.Type, outer.Subtype = Name.XObject, Name.Form
        outer.BBox, outer.Resources = Array([0, 0, 400, 500]), Dictionary()
        outer.Resources.XObject = Dictionary(x=form)
        form = outer
    for name in [*names.keys()]:
        names[name] = form
    return form


def with_a_pattern(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    form.Resources.Pattern = Dictionary()


def of_a_layer(pdf: pikepdf.Pdf, form: pikepdf.Object) -> None:
    form.OC = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="Notes"))


def left_open(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    form.write(form.read_bytes() + b" q")


def on_another_ground(pdf: pikepdf.Pdf, form: pikepdf.Object) -> None:
    """Have the words darken what is below them, which is nothing inside the group."""
    form.Group = Dictionary(S=Name.Transparency, I=True)
    form.Resources.ExtGState = Dictionary(g=Dictionary(BM=Name.Multiply))
    form.write(b"/g gs 1 1 0 rg " + form.read_bytes().replace(b"0 0 0 rg", b""))
    page = pdf.pages[0]
    ground = b"q 0 0 1 rg 0 0 400 350 re f Q "
    page.Contents = pdf.make_stream(ground + page.Contents.read_bytes())


@pytest.mark.parametrize("change", [with_a_pattern, of_a_layer, left_open, on_another_ground])
def test_text_of_other_forms_stays_and_is_told(
    change: Callable[[pikepdf.Pdf, pikepdf.Object], None],
) -> None:
    document = read_pdf("a.pdf", changed(drawn(with_a_form), change))
    assert len(texts(document)) == 1
    shouted(document)
    assert " ".join(document.left_alone) == "The dog slept. The dog slept."


def test_a_form_that_shows_itself_is_read_once_or_refused() -> None:
    def show_itself(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
        form.Resources.XObject = Dictionary(x=form)
        form.write(form.read_bytes() + b" /x Do")

    try:
        document = read_pdf("a.pdf", changed(drawn(with_a_form), show_itself))
    except InputError:
        return
    assert len(texts(document)) < 100


def test_forms_inside_forms_have_their_own_fonts() -> None:
    def nest(pdf: pikepdf.Pdf, form: pikepdf.Object) -> None:
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Courier-Bold"))
        outer = pdf.make_stream(b"BT /F1 9 Tf 40 350 Td (A second text) Tj ET /x Do")
        outer.Type, outer.Subtype = Name.XObject, Name.Form
        outer.BBox = Array([0, 0, 400, 500])
        outer.Resources = Dictionary(Font=Dictionary(F1=font), XObject=Dictionary(x=form))
        names = pdf.pages[0].Resources.XObject
        for name in [*names.keys()]:
            names[name] = outer

    written = shouted(read_pdf("a.pdf", changed(drawn(with_a_form), nest)))
    faces = {run.text: run.face.family for run in runs(written)}
    assert faces["THE DOG SLEPT."] == "Serif"


def as_it_is(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    assert form.BBox


def cut(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    form.BBox = Array([95, 310, 50, 280])


def moved(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    form.Matrix = Array([1.5, 0.2, -0.2, 1.5, -20, -60])


def without_resources(pdf: pikepdf.Pdf, form: pikepdf.Object) -> None:
    pdf.pages[0].Resources.Font.update(dict(form.Resources.Font.items()))
    del form.Resources


def with_a_font_of_the_same_name(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/Courier-Bold"))
    for name in [*form.Resources.Font.keys()]:
        form.Resources.Font[name] = font


def with_a_pale_state(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    form.Group = Dictionary(S=Name.Transparency, I=True)
    form.Resources.ExtGState = Dictionary(g=Dictionary(ca=0.3, BM=Name.Normal))
    form.write(b"/g gs " + form.read_bytes())


def with_full_state(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    form.Group = Dictionary(S=Name.Transparency)
    form.Resources.ExtGState = Dictionary(g=Dictionary(ca=1.0, CA=Decimal("1.0")))
    form.write(b"/g gs " + form.read_bytes())


def with_a_small_picture(_: pikepdf.Pdf, form: pikepdf.Object) -> None:
    picture = b"q 9 0 0 9 40 320 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x30 EI Q "
    form.write(picture + form.read_bytes())


@pytest.mark.parametrize(
    "change",
    [
        *(as_it_is, cut, moved, without_resources, with_a_font_of_the_same_name),
        *(with_a_pale_state, with_full_state, with_a_small_picture, two_deep),
    ],
)
def test_a_page_looks_the_same_without_its_forms(
    change: Callable[[pikepdf.Pdf, pikepdf.Object], object],
) -> None:
    data = changed(drawn(with_a_form), change)
    pixels = list[np.ndarray]()
    for one in (data, without_forms(data)):
        with pypdfium2.PdfDocument(one) as pdf:
            is_inside = pdf[0].get_textpage().get_text_bounded().count("dog")
            pixels.append(pdf[0].render(scale=3).to_numpy().astype(int))
    assert is_inside
    assert np.abs(pixels[0] - pixels[1]).max() < 4
    assert len(runs(data)) == 1 < len(runs(without_forms(data)))
