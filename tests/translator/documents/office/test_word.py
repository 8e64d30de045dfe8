"""Documents of Word keep everything but the words of their paragraphs."""

from __future__ import annotations

import io
import re
from pathlib import Path

import docx as python_docx
import pytest

from tests.documents import A, cases, members, shouted, texts, unchanged
from tests.office import docx, in_runs, part, run
from translator.documents.markup.inline import Item
from translator.documents.office.word import PREFIXES, Runs, read_docx
from translator.documents.paragraph import Mark, with_formats
from translator.documents.xml_source import XmlSource
from translator.text.segmentation import split

BOLD, LINK = "<w:b/>", '<w:rStyle w:val="Hyperlink"/>'


def body(paragraphs: str) -> bytes:
    """Return what `document.xml` is to be."""
    return part(f"<w:body>{paragraphs}</w:body>", "document").encode()


@pytest.mark.parametrize(("before", "found", "after"), cases(Path(__file__).with_name("word.txt")))
def test_paragraphs(before: str, found: list[str], after: str | None) -> None:
    data = docx(in_runs(before))
    document = read_docx("a.docx", data)
    assert texts(document) == found
    assert members(unchanged(document)) == members(data)
    if after is not None:
        expected = {**members(data), "word/document.xml": body(in_runs(after))}
        assert members(shouted(document)) == expected


def test_a_bound_control_is_let_go_since_word_would_replace_its_text() -> None:
    binding = '<w:dataBinding w:xpath="/a[1]" w:storeItemID="{6C3C}"/>'
    control = "<w:sdt><w:sdtPr>{}<w:text/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
    around = control.format("{0}", "<w:p>" + run("{1}") + "</w:p>")
    around += "<w:p>" + run("{2}") + control.format("{0}", run("{3}")) + run("{4}") + "</w:p>"
    data = docx(around.format(binding, "Title", "by ", "Me", " now"))
    document = read_docx("a.docx", data)
    assert texts(document) == ["Title", f"by <{A}>Me</{A}> now"]
    expected = body(around.format("", "TITLE", "BY ", "ME", " NOW"))
    assert members(shouted(document))["word/document.xml"] == expected


def test_a_link_has_a_format_of_its_own() -> None:
    data = docx(f"<w:p>{run('Go ')}<w:hyperlink>{run('there', LINK)}</w:hyperlink></w:p>")
    document = read_docx("a.docx", data)
    written = members(document.rebuild([f"<{A}>Dort</{A}> hin"]))["word/document.xml"]
    assert written == body(
        f"<w:p><w:hyperlink>{run('Dort', LINK)}</w:hyperlink>{run(' hin')}</w:p>"
    )


@pytest.mark.parametrize(
    "kinds",
    [
        ['w:ptab w:relativeTo="margin" w:alignment="center" w:leader="none"'] * 2,
        [f'w:ptab w:alignment="{name}"' for name in ("center", "right")],
        ['w:br w:type="page"', 'w:br w:type="column"'],
    ],
)
def test_tabs_at_a_place_and_breaks_of_pages_and_columns_cut(kinds: list[str]) -> None:
    one, two = (f"<{kind}/>" for kind in kinds)
    texts_in_runs = "<w:r><w:t>Left</w:t>{}<w:t>Middle</w:t></w:r><w:r>{}<w:t>Right</w:t></w:r>"
    data = docx(f"<w:p>{texts_in_runs.format(one, two)}</w:p>")
    document = read_docx("a.docx", data)
    assert members(unchanged(document)) == members(data)
    [text] = texts(document)
    assert split(text, "en").sentences == ("Left", "Middle", "Right")
    written = members(shouted(document))["word/document.xml"].decode()
    found = re.findall(r"<w:(?:ptab|br)[^>]*>|(?<=>)[A-Z]+(?=<)", written)
    assert found == ["LEFT", one, "MIDDLE", two, "RIGHT"]


def test_more_kinds_of_tabs_than_there_are_characters_stay() -> None:
    tabs = [f'<w:ptab w:leader="{n}"/>' for n in range(9)]
    inside = "".join(f"{tab}<w:t>x</w:t>" for tab in tabs)
    document = read_docx("a.docx", docx(f"<w:p><w:r><w:t>a</w:t>{inside}</w:r></w:p>"))
    written = members(shouted(document))["word/document.xml"].decode()
    assert re.findall(r"<w:ptab[^>]*>", written) == tabs


def test_tables_headers_and_notes_are_translated() -> None:
    table = f"<w:tbl><w:tr><w:tc><w:p>{run('Cell')}</w:p></w:tc></w:tr></w:tbl>"
    inside = f"<w:p>{run('Text')}</w:p>"
    data = docx(table, header1=inside, footnotes=inside, endnotes=inside, comments=inside)
    document = read_docx("a.docx", data)
    assert texts(document) == ["Cell", "Text", "Text", "Text"]
    written = members(shouted(document))
    changed = [name for name, content in members(data).items() if written[name] != content]
    assert changed == [
        *("word/document.xml", "word/header1.xml", "word/footnotes.xml", "word/endnotes.xml")
    ]


def test_a_document_of_another_program_is_read_and_can_be_read_again() -> None:
    made = python_docx.Document()
    made.add_heading("Heading", 1)
    paragraph = made.add_paragraph("Some ")
    paragraph.add_run("bold").bold = True
    paragraph.add_run(" words & <tags>")
    made.sections[0].header.paragraphs[0].text = "Header"
    written = io.BytesIO()
    made.save(written)
    document = read_docx("a.docx", written.getvalue())
    assert members(unchanged(document)) == members(written.getvalue())
    again = python_docx.Document(io.BytesIO(shouted(document)))
    assert [p.text for p in again.paragraphs] == ["HEADING", "SOME BOLD WORDS & <TAGS>"]
    assert [r.text for r in again.paragraphs[1].runs if r.bold] == ["BOLD"]
    assert again.sections[0].header.paragraphs[0].text == "HEADER"


STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"


def runs_of(content: str) -> tuple[Runs, list[Item[Mark]]]:
    source = XmlSource("a.xml", f'<x:p xmlns:x="{STRICT}">{content}</x:p>'.encode(), PREFIXES)
    [(paragraph, _)] = source.elements(frozenset({"w:p"}))
    runs = Runs(source, lambda element: [source.cut(element.start, element.end)], "x:")
    return runs, runs.items(paragraph.elements)


def test_texts_have_their_formats() -> None:
    _, items = runs_of(
        "<x:r><x:t>some plain text</x:t></x:r>"
        '<x:r><x:rPr><x:i/><x:lang x:val="de"/></x:rPr><x:t>x</x:t></x:r>'
    )
    italic = "<x:rPr><x:i/></x:rPr>"
    assert [(item.text, item.mark and item.mark.style) for item in items] == [
        *(("some plain text", ""), ("x", italic))
    ]
    formatted, base = with_formats(items)
    assert base == ""
    assert [item.kind for item in formatted] == ["text", "opens", "text", "closes"]
    assert formatted[1].mark == Mark(style=italic)


def test_a_field_without_an_end_stands_in_parts() -> None:
    _, items = runs_of(
        '<x:r><x:fldChar x:fldCharType="begin"/><x:instrText>PAGE</x:instrText><x:t>a</x:t></x:r>'
    )
    assert [item.kind for item in items] == ["stands", "stands", "text"]


def test_a_text_is_written_in_a_run() -> None:
    runs, _ = runs_of("")
    assert (
        runs.write("a & b", "<s/>", A) == '<x:r><s/><x:t xml:space="preserve">a &amp; b</x:t></x:r>'
    )
    assert runs.write("\n", "", "") == "<x:r><x:br/></x:r>"
