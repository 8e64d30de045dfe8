"""A paragraph of a document is one unit, and its marks follow their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents import A, B
from translator.documents.document import FileDocument
from translator.documents.markup.inline import Item
from translator.documents.paragraph import (
    Mark,
    ParagraphUnit,
    is_read,
    spaces_outside,
    tag_with_units,
    unit_of,
)
from translator.documents.xml_source import XmlSource


def opens(style: str | None = None, markup: str = "") -> Item[Mark]:
    return Item("opens", mark=Mark((markup,), style), pair=1)


def closes(markup: str = "") -> Item[Mark]:
    return Item("closes", mark=Mark((markup,)), pair=1)


def text(words: str) -> Item[Mark]:
    return Item("text", words)


IMAGE: Item[Mark] = Item("stands", mark=Mark(("<image/>",)))


def paragraph(*items: Item[Mark]) -> ParagraphUnit:
    return ParagraphUnit(
        items, ["as it was"], lambda words, style, before: f"[{style}|{before}|{words}]", "base"
    )


def written(unit: ParagraphUnit, translation: str) -> str:
    return FileDocument([unit], "x", str.encode).rebuild([translation]).decode()


@pytest.mark.parametrize(
    "label",
    ["6a", "7 a", "I", "(b)", "A.", "c)", "U2 U2 U2", "R E V E N U E", "JOG303", "12b", "0050003A"],
)
def test_a_label_is_not_read(label: str) -> None:
    assert not is_read(label)


@pytest.mark.parametrize(
    "word",
    [
        "On",
        "p. 5",
        "z. B.",
        "N/A",
        "2nd",
        "1990s",
        "5pm",
        "7:30 a.m.",
        "0,7 L",
        "1,5 m",
        "年",
        "I am",
    ],
)
def test_a_short_text_is_read(word: str) -> None:
    assert is_read(word)


@given(st.from_regex(r"[A-Za-zäöü]{2,9}", fullmatch=True), st.from_regex("[A-Z]?[0-9]{0,4}[a-z]?"))
def test_a_word_beside_a_label_is_read(word: str, label: str) -> None:
    assert is_read(word)
    assert is_read(f"{label} {word}")
    assert is_read(f"{word} {label}")


def test_styles_follow_their_words() -> None:
    unit = paragraph(text("Ein "), opens("bold"), text("Hund "), closes(), text("bellt."), IMAGE)
    assert unit.marked.text == f"Ein <{A}>Hund</{A}> bellt."
    assert written(unit, unit.marked.text) == "as it was"
    assert written(unit, f"<{A}>Dog</{A}> barks.") == "[bold||Dog][base|g| barks.]<image/>"


def test_a_mark_without_a_style_keeps_the_one_around_it() -> None:
    unit = paragraph(text("Ein "), opens(None, "<a>"), text("Hund"), closes("</a>"))
    assert written(unit, f"A <{A}>dog</{A}>") == "[base||A ]<a>[base| |dog]</a>"
    inside = (
        Item("opens", mark=Mark(("<a>",)), pair=2),
        text("b"),
        Item("closes", mark=Mark(), pair=2),
    )
    unit = paragraph(text("x "), opens("bold"), text("a "), *inside, closes())
    said = f"x <{A}>a <{B}>b</{B}></{A}>"
    assert unit.marked.text == said
    assert written(unit, said.upper()) == "[base||X ][bold| |A ]<a>[bold| |B]"


def test_what_stands_is_no_white_space() -> None:
    unit = paragraph(text("Seite "), IMAGE, text(" und mehr"))
    assert written(unit, f"page <{A}/> and more") == "[base||page ]<image/>[base|\0| and more]"


@pytest.mark.parametrize(
    ("items", "kinds"),
    [
        ([opens(), text(" a "), closes()], [" ", "opens", "a", "closes", " "]),
        (
            [text("x"), opens(), text(" a"), closes(), text("y")],
            ["x ", "opens", "a", "closes", "y"],
        ),
        ([opens(), text(" "), closes()], ["opens", "closes", " "]),
        ([text("a"), text("b")], ["ab"]),
    ],
)
def test_white_space_is_outside_of_marks(items: list[Item[Mark]], kinds: list[str]) -> None:
    assert [item.text or item.kind for item in spaces_outside(items)] == kinds


def test_some_attributes_are_units() -> None:
    data = b'<a title=\'A &quot;cat&quot;\' id="1" alt="42" descr="A dog"/>'
    source = XmlSource("a.xml", data, {})
    [(element, _)] = source.elements(frozenset({"a"}))
    pieces = tag_with_units(source, element, ("descr", "alt", "title"))
    document = FileDocument(pieces, "a.xml", str.encode)
    assert [unit.text for unit in document.units] == ['A "cat"', "A dog"]
    assert document.rebuild(['A "cat"', "A dog"]) == data
    changed = b'<a title="B &quot;&lt;" id="1" alt="42" descr="C"/>'
    assert document.rebuild(['B "<', "C"]) == changed


def styled(words: str, style: str = "") -> Item[Mark]:
    return Item("text", words, Mark(style=style))


def test_a_blank_between_two_formats_is_not_underlined_alone() -> None:
    items = [styled("one "), styled("and a half and more", "<u/>"), styled(" two", "<i/>")]
    unit = unit_of(items, ["as it was"], lambda words, style, _: f"[{style}{words}]")
    assert unit.marked.text == f"<{A}>one</{A}> and a half and more <{B}>two</{B}>"
    rendered = unit.render(f"<{A}>EINS</{A}> <{B}>ZWEI</{B}> UND MEHR")
    assert "".join(map(str, rendered)) == "[EINS][ ][<i/>ZWEI][<u/> UND MEHR]"
