"""Slides, sheets, books, tables and PDF, made of descriptions by programs that are not ours."""

from __future__ import annotations

import csv
import html
import io
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pptx
from ebooklib import epub
from odf.draw import Page
from odf.opendocument import OpenDocumentPresentation, OpenDocumentSpreadsheet
from odf.style import MasterPage, PageLayout
from odf.table import Table as OdfTable
from odf.table import TableRow
from odf.text import P
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from tests.documents import saved
from tests.odf_files import boxed, text_cell

_LINK = "https://example.org/page"


def blocks(markdown: str) -> list[tuple[str, str]]:
    """Return the headings and paragraphs of a description, each with a heading."""
    found, heading = list[tuple[str, str]](), "Description"
    for paragraph in markdown.split("\n\n"):
        text = " ".join(re.sub(r"<[^<>]*>|[*`|\[\]<>]", "", paragraph).split())
        if head := re.match(r"#+ (.*)", text):
            heading = head[1]
        elif text:
            found.append((heading, text[:1500]))
    return found or [(heading, "Nothing.")]


def slides(markdown: str) -> bytes:
    """Return slides of PowerPoint: one a paragraph, a chart, a table, notes and links."""
    made = pptx.Presentation()
    for heading, text in blocks(markdown):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = heading
        frame = slide.placeholders[1].text_frame
        first, _, rest = text.partition(" ")
        frame.text = ""
        for part, bold in ((first, True), (f" {rest}", None)):
            run = frame.paragraphs[0].add_run()
            run.text, run.font.bold = part, bold
        link = frame.add_paragraph().add_run()
        link.text, link.hyperlink.address = "More about this", _LINK
        slide.notes_slide.notes_text_frame.text = text[:100]
    slide = made.slides.add_slide(made.slide_layouts[5])
    figures = CategoryChartData()
    figures.categories = [heading for heading, _ in blocks(markdown)][:3]
    figures.add_series("Words", [1, 2, 3][: len(figures.categories)])
    place = Inches(1), Inches(2), Inches(6), Inches(4)
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, figures)
    return saved(made.save)


def odf_slides(markdown: str) -> bytes:
    """Return slides of OpenDocument, one a paragraph."""
    made = OpenDocumentPresentation()
    layout = PageLayout(name="Layout")
    made.automaticstyles.addElement(layout)
    made.masterstyles.addElement(MasterPage(name="Master", pagelayoutname=layout))
    for number, (heading, text) in enumerate(blocks(markdown)):
        page = Page(name=f"page{number}", masterpagename="Master")
        made.presentation.addElement(page)
        for place, words in ((2, heading), (6, text)):
            where = {"width": "20cm", "height": "3cm", "x": "2cm", "y": f"{place}cm"}
            page.addElement(boxed(P(text=words), **where))
    return saved(made.write)


def rows(markdown: str) -> list[tuple[int, str, str, str]]:
    """Return rows of a table: a number, a code, a heading and a text."""
    return [
        (number, f"AB-{1000 + number}", *block)
        for number, block in enumerate(blocks(markdown), start=1)
    ]


def workbook(markdown: str) -> bytes:
    """Return a sheet of Excel with numbers, codes, texts and formulas."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.append(("Number", "Code", "Heading", "Text of it"))
    for row in rows(markdown):
        sheet.append(row)
    sheet.append((f"=SUM(A2:A{sheet.max_row})", None, f'=COUNTIF(C2:C{sheet.max_row},"Usage")'))
    return saved(made.save)


def odf_sheet(markdown: str) -> bytes:
    """Return a sheet of OpenDocument."""
    made = OpenDocumentSpreadsheet()
    table = OdfTable(name="Sheet")
    for row in rows(markdown):
        line = TableRow()
        for text in row[1:]:
            line.addElement(text_cell(str(text)))
        table.addElement(line)
    made.spreadsheet.addElement(table)
    return saved(made.write)


def book(markdown: str) -> bytes:
    """Return a book: a chapter for each paragraph."""
    made = epub.EpubBook()
    made.set_title("A description")
    made.set_language("en")
    for number, (heading, text) in enumerate(blocks(markdown)):
        page = epub.EpubHtml(title=heading, file_name=f"c{number}.xhtml", lang="en")
        words = html.escape(text)
        page.content = f'<h1>{html.escape(heading)}</h1><p>{words} <a href="{_LINK}">More</a></p>'
        made.add_item(page)
        made.toc.append(page)
    made.spine = ["nav", *made.toc]
    made.add_item(epub.EpubNcx())
    made.add_item(epub.EpubNav())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.epub")
        epub.write_epub(path, made)
        return path.read_bytes()


def table(markdown: str) -> bytes:
    """Return a table in CSV."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(("Number", "Code", "Heading", "Text of it"))
    writer.writerows(rows(markdown))
    return written.getvalue().encode()


def pdf(markdown: str) -> bytes:
    """Return a PDF of headings and paragraphs with links."""
    styles = getSampleStyleSheet()
    story = []
    for heading, text in blocks(markdown):
        words = html.escape(text)
        story += [
            Paragraph(html.escape(heading), styles["Heading2"]),
            Paragraph(f'{words} <a href="{_LINK}" color="blue">More</a>', styles["BodyText"]),
        ]
    written = io.BytesIO()
    SimpleDocTemplate(written, invariant=1).build(story)
    return written.getvalue()


MAKERS: dict[str, Callable[[str], bytes]] = {
    "pptx": slides,
    "odp": odf_slides,
    "xlsx": workbook,
    "ods": odf_sheet,
    "epub": book,
    "csv": table,
    "pdf": pdf,
}
"""By kind of file."""
