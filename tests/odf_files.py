"""Slides and sheets of OpenDocument, as odfpy makes them."""

from __future__ import annotations

from odf.dc import Creator
from odf.draw import Frame, Page, TextBox
from odf.office import Annotation
from odf.opendocument import OpenDocumentPresentation, OpenDocumentSpreadsheet
from odf.presentation import Notes
from odf.style import MasterPage, PageLayout, Style, TextProperties
from odf.table import Table, TableCell, TableRow
from odf.text import P, Span

from tests.documents import saved


def slides() -> bytes:
    """Return a slide with two boxes and notes."""
    made = OpenDocumentPresentation()
    bold = Style(name="Strong", family="text")
    bold.addElement(TextProperties(fontweight="bold"))
    made.automaticstyles.addElement(bold)
    layout = PageLayout(name="Page")
    made.automaticstyles.addElement(layout)
    made.masterstyles.addElement(MasterPage(name="Master", pagelayoutname=layout))
    page = Page(name="page1", masterpagename="Master")
    made.presentation.addElement(page)
    second = P(text="It is ")
    second.addElement(Span(stylename=bold, text="very"))
    second.addText(" old")
    for number, paragraph in enumerate((P(text="Our dog"), second)):
        place = {"width": "20cm", "height": "3cm", "x": "2cm", "y": f"{2 + 4 * number}cm"}
        page.addElement(boxed(paragraph, **place))
    notes = Notes()
    notes.addElement(boxed(P(text="Say hello first."), width="10cm", height="5cm"))
    page.addElement(notes)
    return saved(made.write)


def boxed(paragraph: P, **place: str) -> Frame:
    """Return a box of text."""
    frame, box = Frame(**place), TextBox()
    box.addElement(paragraph)
    frame.addElement(box)
    return frame


def sheet() -> bytes:
    """Return a sheet with a comment, words, a code, a date, a text that a formula names, and it."""
    made = OpenDocumentSpreadsheet()
    table = Table(name="Animals")
    comment = Annotation()
    comment.addElement(Creator(text="Ann"))
    comment.addElement(P(text="Is this right?"))
    head = TableRow()
    first = TableCell(valuetype="string")
    first.addElement(comment)
    first.addElement(P(text="Name"))
    head.addElement(first)
    head.addElement(text_cell("Answer"))
    body = TableRow()
    for text in ("A black dog", "AB-1234"):
        body.addElement(text_cell(text))
    date = TableCell(valuetype="date", datevalue="2026-05-12")
    date.addElement(P(text="12 May 2026"))
    formula = TableCell(valuetype="float", value="1", formula='of:=IF([.D2]="Yes";1;0)')
    formula.addElement(P(text="1"))
    for cell in (date, text_cell("yes"), formula):
        body.addElement(cell)
    for row in (head, body):
        table.addElement(row)
    made.spreadsheet.addElement(table)
    return saved(made.write)


def text_cell(text: str) -> TableCell:
    """Return a cell with a text."""
    cell = TableCell(valuetype="string")
    cell.addElement(P(text=text))
    return cell
