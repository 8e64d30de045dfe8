"""Slides keep everything but the words of their paragraphs."""

from __future__ import annotations

import io

import pptx
import pytest

from tests.documents import A, archive, members, shouted, texts, unchanged
from tests.office import docx
from tests.presentations import slides, with_diagram
from translator.documents.office.slides import read_pptx
from translator.errors import InputError


def test_all_that_people_read_is_translated_and_nothing_else() -> None:
    data = slides()
    document = read_pptx("a.pptx", data)
    assert sorted(texts(document)) == [
        *("A red square", "Annual report", "For the members\nof the club", "Guests by season"),
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
        *(("IT IS ", None), ("VERY", True), (" LARGE & OLD", None)),
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


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xd0\xcf\x11\xe0\xa1", r"^a\.pptx: is encrypted, or of PowerPoint before 2007; save"),
        (docx("<w:p/>"), r"^a\.pptx: is no document of PowerPoint; its \[Content_Types\]"),
        (archive({"x": "y"}), r"has no \[Content_Types\]\.xml"),
        (slides()[:-40], r"is damaged"),
    ],
)
def test_what_is_no_presentation_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_pptx("a.pptx", data)
