"""Paragraphs of shapes become units, whatever the prefix of their names."""

from __future__ import annotations

import io

import pptx

from tests.documents import A, members, shouted, texts, unchanged
from tests.presentations import slides, with_diagram
from translator.documents.document import FileDocument
from translator.documents.office.drawing import PREFIXES, read_drawing, read_pptx
from translator.documents.xml_source import XmlSource

STRICT = "http://purl.oclc.org/ooxml/drawingml"


def document(content: str) -> FileDocument:
    names = f'xmlns:d="{STRICT}/main" xmlns:c="{STRICT}/chart"'
    source = XmlSource("a.xml", f"<x {names}>{content}</x>".encode(), PREFIXES)
    return FileDocument(read_drawing(source), "a.xml", str.encode)


def check(content: str, found: list[str], expected: str) -> None:
    read = document(content)
    assert texts(read) == found
    assert content in unchanged(read).decode()
    assert expected in shouted(read).decode()


def test_what_says_nothing_about_looks_is_no_format() -> None:
    check(
        '<d:p><d:r><d:rPr lang="en-GB" dirty="0"/><d:t>one </d:t></d:r>'
        '<d:r><d:rPr lang="en-US" err="1"></d:rPr><d:t>two</d:t></d:r></d:p>',
        ["one two"],
        "<d:p><d:r><d:t>ONE TWO</d:t></d:r></d:p>",
    )


def test_a_raised_sign_leaves_its_neighbours_alone() -> None:
    raised = '<d:r><d:rPr baseline="30000"/><d:t>2</d:t></d:r>'
    check(
        f"<d:p><d:r><d:t>85 m</d:t></d:r>{raised}<d:r><d:t> large</d:t></d:r></d:p>",
        [f"85 m<{A}=2/> large"],
        f"<d:p><d:r><d:t>85 M</d:t></d:r>{raised}<d:r><d:t> LARGE</d:t></d:r></d:p>",
    )


def test_breaks_and_fields_stay() -> None:
    field = '<d:fld id="{1}" type="slidenum"><d:t>7</d:t></d:fld>'
    check(
        f"<d:p><d:pPr/><d:r><d:t>page </d:t></d:r>{field}<d:r><d:t>, at last</d:t></d:r><d:br/>"
        "<d:r><d:t>end</d:t></d:r><d:endParaRPr/></d:p>",
        [f"page <{A}=7/>, at last\nend"],
        f"<d:p><d:pPr/><d:r><d:t>PAGE </d:t></d:r>{field}<d:r><d:t>, AT LAST</d:t></d:r><d:br/>"
        "<d:r><d:t>END</d:t></d:r><d:endParaRPr/></d:p>",
    )


def test_empty_paragraphs_are_no_units_and_numbers_only_if_others_write_them_otherwise() -> None:
    content = "<d:p/><d:p><d:endParaRPr/></d:p><d:p><d:r><d:t>12</d:t></d:r></d:p>"
    check(content, [], content)
    amount = "<d:p><d:r><d:t>1.250,00 €</d:t></d:r></d:p>"
    check(amount, ["1.250,00 €"], amount)


def test_names_in_charts_are_units_and_figures_are_not() -> None:
    check(
        '<c:strCache><c:ptCount val="2"/><c:pt idx="0"><c:v>A &amp; b</c:v></c:pt><c:pt idx="1">'
        "<c:v>2024</c:v></c:pt></c:strCache><c:numCache><c:pt><c:v>x</c:v></c:pt></c:numCache>",
        ["A & b"],
        '<c:pt idx="0"><c:v>A &amp; B</c:v></c:pt><c:pt idx="1"><c:v>2024</c:v></c:pt>',
    )


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
