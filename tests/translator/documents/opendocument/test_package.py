"""Texts of OpenDocument keep everything but the words of their paragraphs."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from odf.opendocument import load
from odf.table import Table, TableCell
from odf.text import P

from tests import odf_files
from tests.documents import A, archive, cases, members, shouted, texts, unchanged
from tests.office import odt
from translator.documents.opendocument.package import read_odp, read_ods, read_odt
from translator.errors import InputError

STYLES = (
    '<style:style style:name="T1" style:family="text">'
    '<style:text-properties officeooo:rsid="0012"/></style:style>'
    '<style:style style:name="T2" style:family="text"><style:text-properties style:bold="1"/>'
    "</style:style>"
)


@pytest.mark.parametrize(("before", "found", "after"), cases(Path(__file__).with_name("text.txt")))
def test_paragraphs(before: str, found: list[str], after: str | None) -> None:
    data = odt(before, STYLES)
    document = read_odt("a.odt", data)
    assert texts(document) == found
    assert members(unchanged(document)) == members(data)
    if after is not None:
        assert members(shouted(document)) == members(odt(after, STYLES))


def test_more_spaces_than_there_may_be_are_cut() -> None:
    many = f'<text:p>an<text:s text:c="{"9" * 5000}"/>b</text:p>'
    assert texts(read_odt("a.odt", odt(many))) == [f"an{' ' * 1000}b"]


def test_headers_are_in_another_member() -> None:
    content = members(odt("<text:p>Body</text:p>"))["content.xml"]
    data = archive({"content.xml": content, "styles.xml": content.replace(b"Body", b"Header")})
    assert texts(read_odt("a.odt", data)) == ["Body", "Header"]


def test_charts_inside_are_read_and_their_sources_stay() -> None:
    content = members(odt("<svg:desc>Sheet.A1</svg:desc><text:p>Title</text:p>"))["content.xml"]
    data = archive(
        {"content.xml": content, "Object 1/content.xml": content, "a/b/content.xml": "x"}
    )
    assert texts(read_odt("a.odt", data)) == ["Sheet.A1", "Title", "Title"]


def test_slides_made_by_another_program_are_read() -> None:
    data = odf_files.slides()
    document = read_odp("a.odp", data)
    assert texts(document) == ["Our dog", f"It is <{A}>very</{A}> old", "Say hello first."]
    assert members(unchanged(document)) == members(data)
    again = load(io.BytesIO(shouted(document)))
    assert [str(paragraph) for paragraph in again.getElementsByType(P)] == [
        *("OUR DOG", "IT IS VERY OLD", "SAY HELLO FIRST.")
    ]


def test_sheets_made_by_another_program_are_read() -> None:
    data = odf_files.sheet()
    document = read_ods("a.ods", data)
    assert texts(document) == ["Is this right?", "Name", "Answer", "A black dog"]
    assert members(unchanged(document)) == members(data)
    again = load(io.BytesIO(shouted(document)))
    [table] = again.getElementsByType(Table)
    assert table.getAttribute("name") == "Animals"
    cells = [str(cell) for cell in again.getElementsByType(TableCell)]
    assert cells == [
        *("AnnIS THIS RIGHT?NAME", "ANSWER", "A BLACK DOG", "AB-1234", "12 May 2026", "yes", "1")
    ]


def test_a_file_of_another_kind_is_named() -> None:
    with pytest.raises(InputError, match=r"^a\.odt: is a presentation of OpenDocument, not a text"):
        read_odt("a.odt", odf_files.slides())
