"""Runs become texts with formats, whatever the prefix of their names."""

from __future__ import annotations

from tests.documents import A
from translator.documents.markup.formats import with_formats
from translator.documents.markup.paragraph import Mark
from translator.documents.markup.source import XmlSource
from translator.documents.nesting import Item
from translator.documents.office.runs import PREFIXES, Runs

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
        *(("some plain text", ""), ("x", italic)),
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
