"""Paragraphs of shapes become units, whatever the prefix of their names."""

from __future__ import annotations

import io
from pathlib import Path

import pptx
import pytest

from tests.documents import A, cases, members, shouted, texts, unchanged
from tests.presentations import slides, with_diagram
from translator.documents.document import FileDocument
from translator.documents.office.drawing import PREFIXES, read_drawing, read_pptx
from translator.documents.xml_source import XmlSource

STRICT = "http://purl.oclc.org/ooxml/drawingml"


def document(content: str) -> FileDocument:
    names = f'xmlns:d="{STRICT}/main" xmlns:c="{STRICT}/chart"'
    source = XmlSource("a.xml", f"<x {names}>{content}</x>".encode(), PREFIXES)
    return FileDocument(read_drawing(source), "a.xml", str.encode)


@pytest.mark.parametrize(
    ("before", "found", "after"), cases(Path(__file__).with_name("drawing.txt"))
)
def test_paragraphs(before: str, found: list[str], after: str | None) -> None:
    read = document(before)
    assert texts(read) == found
    assert before in unchanged(read).decode()
    assert after is None or after in shouted(read).decode()


def test_all_that_people_read_is_translated_and_nothing_else() -> None:
    data = slides()
    document = read_pptx("a.pptx", data)
    assert sorted(texts(document)) == [
        *(
            "12.5",
            "A red square",
            "Annual report",
            "For the members\nof the club",
            "Guests by season",
        ),
        *("In a group", f"It is <{A}>very</{A}> large & old", "Name", "Our dog", "Rex"),
        *("Say hello first.", "Summer", "The site", "Visitors", "Weight", "Winter", "run this"),
    ]
    assert members(unchanged(document)) == members(data)


def test_another_program_reads_the_translation() -> None:
    data = slides()
    again = pptx.Presentation(io.BytesIO(shouted(read_pptx("a.pptx", data))))
    first, second = again.slides
    assert first.placeholders[1].text == "FOR THE MEMBERS\vOF THE CLUB"
    paragraphs = second.placeholders[1].text_frame.paragraphs
    assert [(run.text, run.font.bold) for run in paragraphs[0].runs] == [
        *(("IT IS ", None), ("VERY", True), (" LARGE & OLD", None))
    ]
    [link] = paragraphs[1].runs
    assert (link.text, link.hyperlink.address) == ("THE SITE", "https://example.org/a?b=1&c=2")
    assert paragraphs[2].text == "run this"
    [table] = [shape.table for shape in second.shapes if shape.has_table]
    cells = [cell.text for row in table.rows for cell in row.cells]
    assert cells == ["NAME", "WEIGHT", "REX", "12.5"]
    [chart] = [shape.chart for shape in second.shapes if shape.has_chart]
    assert chart.chart_title.text_frame.text == "GUESTS BY SEASON"
    assert [*chart.plots[0].categories] == ["WINTER", "SUMMER"]
    assert [(one.name, *one.values) for one in chart.plots[0].series] == [("VISITORS", 1.5, 4)]
    assert second.notes_slide.notes_text_frame.text == "SAY HELLO FIRST."
    before = pptx.Presentation(io.BytesIO(data)).slides[1]
    kinds = [[shape.shape_type for shape in slide.shapes] for slide in (before, second)]
    assert kinds[0] == kinds[1]


def test_only_parts_with_text_change() -> None:
    before = with_diagram(slides(), "First step")
    written = members(shouted(read_pptx("a.pptx", before)))
    assert b"<a:t>FIRST STEP</a:t>" in written["ppt/diagrams/data1.xml"]
    changed = {name for name, content in members(before).items() if written[name] != content}
    assert {name.rstrip("0123456789.xml") for name in changed} == {
        *("ppt/slides/slide", "ppt/notesSlides/notesSlide", "ppt/diagrams/data"),
        "ppt/charts/chart",
    }
