"""The most common format of a paragraph is its plain text."""

from __future__ import annotations

from tests.documents import A, B
from translator.documents.markup.formats import style_of, unit_of, with_formats
from translator.documents.markup.paragraph import Mark
from translator.documents.nesting import Item


def text(words: str, style: str = "") -> Item[Mark]:
    return Item("text", words, Mark(style=style))


def test_the_most_common_format_is_known_apart() -> None:
    items, style = with_formats([text("a few words", "<b/>"), text(" x", "<i/>")])
    assert style == "<b/>"
    assert [item.kind for item in items] == ["text", "opens", "text", "closes"]


def test_white_space_has_the_format_before_it() -> None:
    items, style = with_formats([text("one", "<b/>"), text(" ", "<i/>"), text("two", "<b/>")])
    assert (style, [item.text for item in items]) == ("<b/>", ["one two"])
    assert style_of(Item("text", "a")) == ""


def test_code_is_verbatim() -> None:
    items, _ = with_formats([text("call "), text("f", "<font Courier>")])
    assert [item.kind for item in items if item.text] == ["text", "verbatim"]


def test_a_unit_writes_each_text_in_its_format() -> None:
    items = [text("a long text "), text("here", "<b/>")]
    unit = unit_of(items, ["as it was"], lambda words, style, _: f"[{style}{words}]")
    assert [*unit.render(unit.marked.text)] == ["as it was"]
    assert "".join(map(str, unit.render(f"<{A}>HIER</{A}> ist er"))) == "[<b/>HIER][ ist er]"


def test_a_blank_between_two_formats_is_not_underlined_alone() -> None:
    items = [text("one "), text("and a half and more", "<u/>"), text(" two", "<i/>")]
    unit = unit_of(items, ["as it was"], lambda words, style, _: f"[{style}{words}]")
    assert unit.marked.text == f"<{A}>one</{A}> and a half and more <{B}>two</{B}>"
    rendered = unit.render(f"<{A}>EINS</{A}> <{B}>ZWEI</{B}> UND MEHR")
    assert "".join(map(str, rendered)) == "[EINS][ ][<i/>ZWEI][<u/> UND MEHR]"
