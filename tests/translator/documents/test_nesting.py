"""Marks make pairs where they nest, and stand alone where not."""

from __future__ import annotations

import pytest

from translator.documents.nesting import Item, Kind, inline_of, paired, without_edges

KINDS: dict[str, Kind] = {"(": "opens", ")": "closes", "!": "stands"}


def items(text: str) -> list[Item[str]]:
    """`(a` opens, `)a` closes, `!a` stands, other words are text."""
    return [
        Item(KINDS[word[0]], mark=word, pair=word[1:]) if word[0] in KINDS else Item("text", word)
        for word in text.split()
    ]


def shown(found: list[Item[str]]) -> str:
    signs = {kind: sign for sign, kind in KINDS.items()}
    return " ".join(
        signs[item.kind] + (item.mark or "")[1:] if item.mark else item.text for item in found
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x (a y (b z )b )a", "x (a y (b z )b )a"),
        ("(a x (b y )a z )b", "(a x !b y )a z !b"),
        (")a x (b", "!a x !b"),
        ("(a (a x )a", "!a (a x )a"),
    ],
)
def test_pairs_are_complete_and_nested(before: str, after: str) -> None:
    assert shown(paired(items(before))) == after


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        ("!a x !b", ["!a", "x", "!b"]),
        ("(a x y )a", ["(a", "x y", ")a"]),
        ("!c (a (b x )b )a !d", ["!c (a (b", "x", ")b )a !d"]),
        ("(a x )a y", ["", "(a x )a y", ""]),
        ("(a )a x (b )b", ["(a )a", "x", "(b )b"]),
        ("x", ["", "x", ""]),
        ("!a", ["!a", "", ""]),
    ],
)
def test_marks_at_the_edges_are_taken_off(whole: str, parts: list[str]) -> None:
    assert [shown([*part]) for part in without_edges(paired(items(whole)))] == parts


def test_what_is_read_is_no_edge() -> None:
    page: Item[str] = Item("stands", mark="!page", read="7")
    found = [page, Item("text", " pages "), Item("stands", mark="!note")]
    before, middle, behind = without_edges(found)
    assert [[*before], [*middle], [item.kind for item in behind]] == [
        *([], found[:1] + found[1:2], ["stands"]),
    ]
    assert inline_of(middle).marked().text.endswith("=7/> pages ")


def test_items_become_a_paragraph() -> None:
    found = inline_of([*paired(items("x (a y )a !b")), Item("verbatim", "code")])
    marked = found.marked()
    assert marked.text.startswith("x<")
    assert marked.text.endswith("code")
    assert [*found.pieces(marked.text)][:3] == ["x", ("(a",), "y"]
