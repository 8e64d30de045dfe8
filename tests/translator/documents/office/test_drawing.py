"""Paragraphs of shapes become units, whatever the prefix of their names."""

from __future__ import annotations

from tests.documents import A, shouted, texts, unchanged
from translator.documents.markup.source import XmlSource
from translator.documents.office.drawing import PREFIXES, read_drawing
from translator.text.formats.pieces import FileDocument

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


def test_breaks_and_fields_stay() -> None:
    field = '<d:fld id="{1}" type="slidenum"><d:t>7</d:t></d:fld>'
    check(
        f"<d:p><d:pPr/><d:r><d:t>page </d:t></d:r>{field}<d:r><d:t>, at last</d:t></d:r><d:br/>"
        "<d:r><d:t>end</d:t></d:r><d:endParaRPr/></d:p>",
        [f"page <{A}=7/>, at last\nend"],
        f"<d:p><d:pPr/><d:r><d:t>PAGE </d:t></d:r>{field}<d:r><d:t>, AT LAST</d:t></d:r><d:br/>"
        "<d:r><d:t>END</d:t></d:r><d:endParaRPr/></d:p>",
    )


def test_numbers_and_empty_paragraphs_are_no_units() -> None:
    content = "<d:p/><d:p><d:endParaRPr/></d:p><d:p><d:r><d:t>12.5 %</d:t></d:r></d:p>"
    check(content, [], content)


def test_names_in_charts_are_units_and_figures_are_not() -> None:
    check(
        '<c:strCache><c:ptCount val="2"/><c:pt idx="0"><c:v>A &amp; b</c:v></c:pt><c:pt idx="1">'
        "<c:v>2024</c:v></c:pt></c:strCache><c:numCache><c:pt><c:v>x</c:v></c:pt></c:numCache>",
        ["A & b"],
        '<c:pt idx="0"><c:v>A &amp; B</c:v></c:pt><c:pt idx="1"><c:v>2024</c:v></c:pt>',
    )
