"""Texts of OpenDocument keep everything but the words of their paragraphs."""

from __future__ import annotations

import io

import pytest
from odf.opendocument import load
from odf.table import Table, TableCell
from odf.text import P

from tests import odf_files
from tests.documents import A, B, archive, members, shouted, texts, unchanged
from tests.office import odt
from translator.documents.opendocument.package import read_odp, read_ods, read_odt
from translator.errors import InputError

STYLES = (
    '<style:style style:name="T1" style:family="text">'
    '<style:text-properties officeooo:rsid="0012"/></style:style>'
    '<style:style style:name="T2" style:family="text"><style:text-properties style:bold="1"/>'
    "</style:style>"
)


def check(text: str, found: list[str], expected: str | None = None) -> None:
    """Check the units of a text, and how they are written in capitals."""
    data = odt(text, STYLES)
    document = read_odt("a.odt", data)
    assert texts(document) == found
    assert members(unchanged(document)) == members(data)
    if expected is not None:
        assert members(shouted(document)) == members(odt(expected, STYLES))


def test_spans_and_links_follow_their_words() -> None:
    span, link = '<text:span text:style-name="T2">{}</text:span>', '<text:a href="x">{}</text:a>'
    check(
        f"<text:h>This is a {span.format('big ')}{link.format('dog')}</text:h>",
        [f"This is a <{A}>big</{A}> <{B}>dog</{B}>"],
        f"<text:h>THIS IS A {span.format('BIG')} {link.format('DOG')}</text:h>",
    )


def test_spans_that_change_nothing_are_no_marks() -> None:
    check(
        '<text:p>wo<text:span text:style-name="T1">rd</text:span></text:p>',
        ["word"],
        "<text:p>WORD</text:p>",
    )


def test_the_most_common_span_needs_no_mark() -> None:
    span = '<text:span text:style-name="T2">{}</text:span>'
    check(
        f"<text:p>{span.format('One ')}{span.format('and two')}<text:line-break/>3</text:p>",
        [f"One and two\n<{A}>3</{A}>"],
    )
    check(f"<text:p>{span.format('One ')}{span.format('two')}</text:p>", ["One two"])


def test_code_stays() -> None:
    span = '<text:span text:style-name="Source_20_Text">this</text:span>'
    block = '<text:p text:style-name="Preformatted_20_Text">some code</text:p>'
    check(
        f"<text:p>Call {span} now</text:p>{block}",
        [f"Call <{A}>this</{A}> now"],
        f"<text:p>CALL {span} NOW</text:p>{block}",
    )


def test_a_text_that_is_all_in_a_style_for_code_is_no_code() -> None:
    code = '<text:p text:style-name="Preformatted_20_Text">{}</text:p>'
    check(code.format("In the beginning"), ["In the beginning"], code.format("IN THE BEGINNING"))


def test_white_space_is_what_readers_see() -> None:
    check(
        '<text:p>  a\n  b<text:s text:c="2"/>c<text:s/> d<text:tab/>e<text:line-break/> f</text:p>',
        ["a b  c  d\te\nf"],
        '<text:p>A B <text:s text:c="1"/>C <text:s text:c="1"/>D<text:tab/>E<text:line-break/>F'
        "</text:p>",
    )
    check("<text:p><text:s/>a</text:p>", [" a"], "<text:p><text:s/>A</text:p>")
    check('<text:p>a<text:s text:c="x"/>b</text:p>', ["a b"], "<text:p>A B</text:p>")
    many = f'<text:p>a<text:s text:c="{"9" * 5000}"/>b</text:p>'
    assert texts(read_odt("a.odt", odt(many))) == [f"a{' ' * 1000}b"]


def test_notes_boxes_and_titles_are_translated() -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation>"
        "<text:note-body><text:p>{}</text:p></text:note-body></text:note>"
    )
    frame = (
        "<draw:frame><svg:title>{}</svg:title><draw:text-box><text:p>{}</text:p></draw:text-box>"
        "</draw:frame>"
    )
    check(
        f"<text:p>A{note.format('Note')} b{frame.format('Cat', 'Box')}</text:p>",
        [f"A<{A}/> b", "Note", "Cat", "Box"],
        f"<text:p>A{note.format('NOTE')} B{frame.format('CAT', 'BOX')}</text:p>",
    )
    check(frame.format("Cat", "1"), ["Cat"], frame.format("CAT", "1"))


def test_fields_comments_and_deleted_text_stay() -> None:
    page = "<text:page-number>3</text:page-number>"
    comment = "<office:annotation><text:p>Comment</text:p></office:annotation>"
    deleted = "<text:tracked-changes><text:p>Deleted</text:p></text:tracked-changes>"
    check(
        f"{deleted}<text:p>Page {page}{comment} here</text:p>",
        [f"Page <{A}=3/><{B}/> here"],
        f"{deleted}<text:p>PAGE {page}{comment} HERE</text:p>",
    )


def test_bookmarks_stay_around_their_words() -> None:
    begin, end = '<text:bookmark-start text:name="x"/>', '<text:bookmark-end text:name="x"/>'
    check(
        f"<text:p>a {begin}b{end} c</text:p>",
        [f"a <{A}>b</{A}> c"],
        f"<text:p>A {begin}B{end} C</text:p>",
    )


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
        *("OUR DOG", "IT IS VERY OLD", "SAY HELLO FIRST."),
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
        *("AnnIS THIS RIGHT?NAME", "ANSWER", "A BLACK DOG", "AB-1234", "12 May 2026", "yes", "1"),
    ]


def test_a_file_of_another_kind_is_named() -> None:
    with pytest.raises(InputError, match=r"^a\.odt: is a presentation of OpenDocument, not a text"):
        read_odt("a.odt", odf_files.slides())
