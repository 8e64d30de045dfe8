"""Marks inside a paragraph come back once each and properly nested."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.documents.markup.inline import TOKEN, Inline, Item, Kind, paired, without_edges
from translator.text.spans import find_spans

A, B, IMAGE = (chr(0xF0000 + number) for number in range(3))


@pytest.fixture
def inline() -> Inline[str]:
    inline: Inline[str] = Inline()
    inline.add_text("Der ")
    inline.opens("[a]")
    inline.add_text("große ")
    inline.opens("[b]")
    inline.add_text("Hund")
    inline.closes("[/b]")
    inline.closes("[/a]")
    inline.stands("[image]")
    inline.add_text(" schläft.")
    return inline


def joined(inline: Inline[str], translation: str) -> str:
    return "".join(
        piece if isinstance(piece, str) else piece[0] for piece in inline.pieces(translation)
    )


def test_the_text_has_a_token_for_each_mark(inline: Inline[str]) -> None:
    marked = inline.marked()
    assert marked.text == f"Der <{A}>große <{B}>Hund</{B}></{A}><{IMAGE}/> schläft."
    assert [marked.text[slice(*span)] for span in marked.spans] == [
        *(f"<{A}>", f"<{B}>", f"</{B}></{A}><{IMAGE}/>")  # what touches is one span
    ]
    assert find_spans(marked.text, marked.spans) == [*marked.spans]


def test_the_text_itself_gives_the_paragraph(inline: Inline[str]) -> None:
    whole = "Der [a]große [b]Hund[/b][/a][image] schläft."
    assert joined(inline, inline.marked().text) == whole


def test_marks_follow_their_words(inline: Inline[str]) -> None:
    translation = f"<{IMAGE}/>The <{A}>big <{B}>dog</{B}></{A}> is asleep."
    assert joined(inline, translation) == "[image]The [a]big [b]dog[/b][/a] is asleep."


@pytest.mark.parametrize(
    ("translation", "whole"),
    [
        (f"The </{A}>big<{A}> <{B}>dog</{B}><{IMAGE}/>", "The [a]big[/a] [b]dog[/b][image]"),
        (f"<{A}>big <{B}>dog</{A}> is</{B}><{IMAGE}/>", "[a]big [b]dog[/b][/a] is[image]"),
        (f"<{A}>big</{A}><{A}> dog</{A}><{IMAGE}/>", "[a]big[/a] dog[image][b][/b]"),
        (f"<{B}>dog<{IMAGE}/>", "[b]dog[image][a][/a][/b]"),
        ("The dog", "The dog[a][/a][b][/b][image]"),
    ],
    ids=["turned round", "crossed", "repeated", "halves", "missing"],
)
def test_what_a_model_breaks_is_mended(inline: Inline[str], translation: str, whole: str) -> None:
    got = joined(inline, translation)
    for mark in ("[a]", "[/a]", "[b]", "[/b]", "[image]"):
        assert got.count(mark) == 1
    assert got == whole


def test_tokens_of_the_text_itself_are_text(inline: Inline[str]) -> None:
    foreign = f"<{chr(0xF0009)}>"
    assert foreign in joined(inline, inline.marked().text + foreign)


def test_what_must_come_back_verbatim() -> None:
    inline: Inline[str] = Inline()
    inline.add_text("Führe ")
    inline.add_verbatim("ls -l")
    inline.add_text(" aus.")
    assert inline.marked().spans == ((6, 11),)


def test_an_end_without_a_beginning_is_refused() -> None:
    with pytest.raises(ValueError, match="no mark is open"):
        Inline[str]().closes("[/b]")


def test_what_is_read_of_a_mark() -> None:
    inline: Inline[str] = Inline()
    inline.stands("<code>ls  -l</code>", text="ls  -l")
    inline.stands("<code>a</code>", text="<b>")
    token, other = (found["text"] for found in TOKEN.finditer(inline.marked().text))
    assert (token, other) == ("ls  -l", "b")
    assert list(inline.pieces(inline.marked().text)) == [
        ("<code>ls  -l</code>",),
        ("<code>a</code>",),
    ]


def test_any_number_of_marks() -> None:
    inline: Inline[int] = Inline()
    for number in range(70_000):
        inline.stands(number)
    assert list(inline.pieces(inline.marked().text)) == [(n,) for n in range(70_000)]


def test_a_text_may_have_private_characters() -> None:
    inline: Inline[str] = Inline()
    inline.opens("[a]")
    inline.add_text(f"x <{A}> </{A}>")
    inline.closes("[/a]")
    assert joined(inline, inline.marked().text) == f"[a]x <{A}> </{A}>[/a]"


@given(st.permutations(range(12)), st.sets(st.integers(0, 11)), st.integers(0, 2**12))
@settings(derandomize=True, database=None)
def test_marks_are_nested_whatever_a_model_does(
    order: list[int], lost: set[int], repeated: int
) -> None:
    inline: Inline[str] = Inline()
    for name in ("a", "b"):  # two trees of two pairs and a single mark
        inline.opens(f"<{name}1>")
        inline.opens(f"<{name}2>")
        inline.add_text("x")
        inline.stands(f"<{name}0/>")
        inline.closes(f"</{name}2>")
        inline.closes(f"</{name}1>")
    tokens = [found[0] for found in TOKEN.finditer(inline.marked().text)]
    chosen = [tokens[n % len(tokens)] for n in order if n not in lost or repeated >> n & 1]
    marks = re.findall(r"<(/?)(\w+)(/?)>", joined(inline, "x".join(chosen)))
    opened: list[str] = []
    for end, name, alone in marks:
        if end:
            assert opened.pop() == name, f"{marks} are not nested"
        elif not alone:
            opened.append(name)
    assert not opened
    assert len(marks) == len(set(marks)) == 10


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
