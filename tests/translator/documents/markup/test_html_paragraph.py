"""Items of a paragraph become units without unneeded edges."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator.documents.markup.entities import decode, encode, entities_of, keep_no_breaks
from translator.documents.markup.html_parts import HtmlItem
from translator.documents.markup.html_units import ParagraphUnit, text_items, units_of
from translator.documents.markup.inline import Item, Kind

TEXT: HtmlItem = Item("text", "Der Hund")
MORE: HtmlItem = Item("text", " der Hund")


def tag(kind: Kind, name: str) -> HtmlItem:
    markup = f"</{name}>" if kind == "closes" else f"<{name}>"
    return Item(kind, mark=(markup,), pair=name)


def shape(items: Sequence[HtmlItem]) -> list[str]:
    """Units in brackets with a star for each token; markup as it is."""
    shapes = []
    for part in units_of(items):
        if isinstance(part, ParagraphUnit):
            spans, text = part.marked.spans, part.marked.text
            for start, end in reversed(spans):
                text = f"{text[:start]}*{text[end:]}"
            shapes.append(f"[{text}]")
        else:
            shapes.append("".join(map(str, part)))
    return [one for one in shapes if one]


B, B_END = tag("opens", "b"), tag("closes", "b")
EM, EM_END = tag("opens", "em"), tag("closes", "em")
IMAGE: HtmlItem = Item("stands", mark=("<img>",))
BR: HtmlItem = Item("break", mark=("<br>",), pair="br")
CODE: HtmlItem = Item("stands", mark=("<code>ls</code>",), read="ls")


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([B, TEXT, B_END], ["<b>", "[Der Hund]", "</b>"]),
        ([IMAGE, B, TEXT, IMAGE, B_END], ["<img><b>", "[Der Hund]", "<img></b>"]),
        ([B, TEXT, B_END, MORE], ["[*Der Hund* der Hund]"]),
        ([CODE, TEXT], ["[*Der Hund]"]),
        ([B, TEXT, EM, MORE, B_END, MORE, EM_END], ["[*Der Hund* der Hund* der Hund]", "</em>"]),
        ([TEXT, B, CODE, B_END, TEXT], ["[Der Hund*Der Hund]"]),
        ([TEXT, BR, TEXT], ["[Der Hund]", "<br>", "[Der Hund]"]),
        ([CODE, IMAGE], ["<code>ls</code><img>"]),
    ],
    ids=["all", "edges", "some", "code", "crossed", "nothing inside", "break", "no letters"],
)
def test_units(items: list[HtmlItem], expected: list[str]) -> None:
    assert shape(items) == expected


@pytest.mark.parametrize(
    ("before", "after", "is_one"),
    [
        ("Wir sind gestern in den großen Wald gegangen, und", "haben viel gesehen.", True),
        ("Wir sind gestern in den großen Wald gegangen.", "Dann kamen wir.", False),
        ("Wald und", "Wiese", False),
    ],
)
def test_a_break_inside_a_sentence(before: str, after: str, is_one: bool) -> None:
    items: list[HtmlItem] = [Item("text", before), BR, Item("text", after)]
    assert (len(shape(items)) == 1) == is_one


def test_a_blank_line_is_a_break() -> None:
    assert [item.kind for item in text_items("a\n \nb\nc")] == ["text", "break", "text"]


LONG = "Ich habe den Mann gestern in der großen Stadt"


@given(
    after=st.lists(st.sampled_from(["und", "der", "Hund"]), min_size=1, max_size=9).map(" ".join),
    spaces=st.sampled_from(["", " ", "\n"]),
    translation=st.lists(
        st.sampled_from(["a", "dog", "and", "I", "saw."]), min_size=1, max_size=15
    ),
)
def test_a_break_in_a_sentence_is_no_part_of_a_word_and_stays_at_a_space(
    after: str, spaces: str, translation: list[str]
) -> None:
    text: list[HtmlItem] = [Item("text", LONG), BR, Item("text", f"{spaces}und {after}")]
    [unit] = [part for part in units_of(text) if isinstance(part, ParagraphUnit)]
    assert unit.marked.text == f"{LONG} und {after}"
    assert "".join(map(str, unit.render(unit.marked.text))) == f"{LONG}<br>{spaces}und {after}"
    written = "".join(map(str, unit.render(" ".join(translation))))
    assert written.count("<br>") == 1
    assert written.replace("<br>", " ").split() == translation
    before = written.partition("<br>")[0]
    share = len(LONG) / len(unit.marked.text)
    assert abs(len(before) - share * len(" ".join(translation))) <= 5


def test_breaks_in_a_sentence_stay_in_order_beside_other_marks() -> None:
    words: HtmlItem = Item("text", "und der Hund")
    items: list[HtmlItem] = [Item("text", LONG), BR, B, words, B_END, BR, TEXT]
    units = [part for part in units_of(items) if isinstance(part, ParagraphUnit)]
    [[opening, closing], *_] = [unit.marked.spans for unit in units]
    text = units[0].marked.text
    one, two = text[slice(*opening)], text[slice(*closing)]
    written = "".join(map(str, units[0].render(f"I saw him {one}and the dog{two}")))
    assert written == "I saw him <b>and the<br>dog</b>"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Tom &amp; Jerry", "Tom & Jerry"),
        ("&lt;b&gt; &#228; &#xE4; &auml;", "<b> ä ä ä"),
        ("AT&T, a && b, &unknown;", "AT&T, a && b, &unknown;"),
        ("&#" + "9" * 5_000 + ";", None),
    ],
)
def test_decode(raw: str, text: str | None) -> None:
    got = decode(raw)
    assert text in (None, got), f"{raw[:20]} gives {got[:20]}"


def test_what_was_escaped_stays_escaped() -> None:
    raw = "&lt;script&gt;"
    assert encode(decode(raw), entities_of(raw)) == raw
    assert encode("<b> & c", entities_of("x")) == "&lt;b&gt; &amp; c"


def test_characters_are_written_as_before() -> None:
    assert encode('"ä"', entities_of("&quot;&auml;")) == "&quot;&auml;&quot;"
    assert encode('"ä"', entities_of("a")) == '"ä"'


@pytest.mark.parametrize(
    ("quote", "value"), [('"', "a &quot; '"), ("'", 'a " &#39;'), ("", "a \" '")]
)
def test_quotes_in_attributes(quote: str, value: str) -> None:
    assert encode("a \" '", entities_of(""), quote) == value


@pytest.mark.parametrize(
    ("source", "translation", "kept"),
    [
        ("10\u00a0km weit", "10 km far", "10\u00a0km far"),
        ("10\u00a0Uhr", "at 10 o'clock", "at 10\u00a0o'clock"),
        ("der\u00a0Hund", "the dog", "the dog"),
        ("10 km", "10 km", "10 km"),
    ],
)
def test_no_break_spaces(source: str, translation: str, kept: str) -> None:
    assert keep_no_breaks(source, translation) == kept
