"""Items of a paragraph become units without unneeded edges."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from translator.text.formats.html.paragraph import Item, ParagraphUnit, text_items, units_of

TEXT = Item("text", ("Der Hund",))


def tag(kind: str, name: str) -> Item:
    markup = f"</{name}>" if kind == "closes" else f"<{name}>"
    return Item(kind, (markup,), name)  # type: ignore[arg-type]


def shape(items: Sequence[Item]) -> list[str]:
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
IMAGE, BR = Item("stands", ("<img>",)), Item("break", ("<br>",), "br")
CODE = Item("stands", ("<code>ls</code>",), read="ls")


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([B, TEXT, B_END], ["<b>", "[Der Hund]", "</b>"]),
        ([IMAGE, B, TEXT, IMAGE, B_END], ["<img><b>", "[Der Hund]", "<img></b>"]),
        ([B, TEXT, B_END, TEXT], ["[*Der Hund*Der Hund]"]),
        ([CODE, TEXT], ["[*Der Hund]"]),
        ([B, TEXT, EM, TEXT, B_END, TEXT, EM_END], ["[*Der Hund*Der Hund*Der Hund]", "</em>"]),
        ([TEXT, B, CODE, B_END, TEXT], ["[Der Hund*Der Hund]"]),
        ([TEXT, BR, TEXT], ["[Der Hund]", "<br>", "[Der Hund]"]),
        ([CODE, IMAGE], ["<code>ls</code><img>"]),
    ],
    ids=["all", "edges", "some", "code", "crossed", "nothing inside", "break", "no letters"],
)
def test_units(items: list[Item], expected: list[str]) -> None:
    assert shape(items) == expected


@pytest.mark.parametrize(
    ("before", "behind", "is_one"),
    [
        ("Wir sind gestern in den großen Wald gegangen, und", "haben viel gesehen.", True),
        ("Wir sind gestern in den großen Wald gegangen.", "Dann kamen wir.", False),
        ("Wald und", "Wiese", False),
    ],
)
def test_a_break_inside_a_sentence(before: str, behind: str, is_one: bool) -> None:
    items = [Item("text", (before,)), BR, Item("text", (behind,))]
    assert (len(shape(items)) == 1) == is_one


def test_a_blank_line_is_a_break() -> None:
    assert [item.kind for item in text_items("a\n \nb\nc")] == ["text", "break", "text"]
