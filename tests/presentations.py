"""Slides as python-pptx makes them, with all that people put on slides."""

from __future__ import annotations

import io
import struct
import zlib

import pptx
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from tests.documents import archive, members, saved

_DIAGRAM = "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"


def picture() -> bytes:
    """Return a red square in PNG."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    rows = (b"\0" + b"\xff\0\0" * 8) * 8
    head = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    chunks = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def slides() -> bytes:
    """Return two slides: a title, and one with a list, a table, a group, a chart and a picture."""
    made = pptx.Presentation()
    first = made.slides.add_slide(made.slide_layouts[0])
    first.shapes.title.text = "Annual report"
    first.placeholders[1].text = "For the members\vof the club"
    second = made.slides.add_slide(made.slide_layouts[1])
    second.shapes.title.text = "Our dog"
    frame = second.placeholders[1].text_frame
    frame.text = "It is "
    for text, bold in (("very", True), (" large & old", None)):
        run = frame.paragraphs[0].add_run()
        run.text, run.font.bold = text, bold
    link = frame.add_paragraph().add_run()
    link.text, link.hyperlink.address = "The site", "https://example.org/a?b=1&c=2"
    code = frame.add_paragraph().add_run()
    code.text, code.font.name = "run this", "Courier New"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(4), Inches(4), Inches(1)).table
    for number, text in enumerate(("Name", "Weight", "Rex", "12.5")):
        table.cell(number // 2, number % 2).text = text
    group = second.shapes.add_group_shape()
    box = group.shapes.add_textbox(Inches(6), Inches(4), Inches(2), Inches(1))
    box.text_frame.text = "In a group"
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(14)
    shown = second.shapes.add_picture(io.BytesIO(picture()), Inches(8), Inches(1))
    shown._element.nvPicPr.cNvPr.set("descr", "A red square")
    figures = CategoryChartData()
    figures.categories = ["Winter", "Summer"]
    figures.add_series("Visitors", (1.5, 4))
    corner = Inches(5), Inches(5), Inches(3), Inches(2)
    chart = second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *corner, figures).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Guests by season"
    second.notes_slide.notes_text_frame.text = "Say hello first."
    return saved(made.save)


def with_diagram(data: bytes, text: str) -> bytes:
    """Return slides with the text of a diagram (SmartArt) among their members."""
    known = members(data)
    types = known["[Content_Types].xml"].decode()
    override = f'<Override PartName="/ppt/diagrams/data1.xml" ContentType="{_DIAGRAM}"/></Types>'
    names = (
        'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    )
    points = f"<dgm:pt><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>"
    return archive(
        {
            **known,
            "[Content_Types].xml": types.replace("</Types>", override),
            "ppt/diagrams/data1.xml": f"<dgm:dataModel {names}>{points}</dgm:dataModel>",
        }
    )
