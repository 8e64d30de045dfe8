"""White space of a paragraph is read as OpenDocument defines it."""

from __future__ import annotations

from translator.documents.markup.source import XmlSource
from translator.documents.opendocument.content import Content


def read(inside: str) -> tuple[Content, str]:
    """Return the content of a paragraph, and its text."""
    source = XmlSource("a.xml", f'<t:p xmlns:t="urn:t">{inside}</t:p>'.encode(), {"urn:t": "text"})
    [(paragraph, _)] = source.elements(frozenset({"text:p"}))
    content = Content(source, lambda element: [element.name], set(), lambda _: False, "<t:p>")
    return content, "".join(item.text for item in content.items(paragraph))


def test_white_space_collapses_but_for_what_is_written() -> None:
    assert read(' a\n b<t:s t:c="2"/><t:tab/>')[1] == "a b  \t"


def test_spaces_are_written_as_elements() -> None:
    content, _ = read("a")
    assert content.write(" a", "", " ") == "<t:s/>a"
    assert content.write("\t  a", "", "x") == '<t:tab/><t:s t:c="2"/>a'
    assert content.write("a  b\n", "", "x") == 'a <t:s t:c="1"/>b<t:line-break/>'
