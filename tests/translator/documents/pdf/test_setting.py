"""Translations stand where their paragraphs stood, smaller where they must."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.documents.pdf import rooms
from translator.documents.pdf.blocks import Block, blocks_of
from translator.documents.pdf.rooms import Room
from translator.documents.pdf.runs import Box, Run, overlap
from translator.documents.pdf.setting import beyond, fitted
from translator.documents.pdf.typefaces import Face, width_of
from translator.documents.pdf.words import Placed, Sign, Style, box_of, with_signs

PLAIN, BOLD = Style(), Style(Face(is_bold=True), (255, 0, 0))
PAPER = Box(0, 0, 600, 800)


def room(width: float, num_lines: int, **more: object) -> Room:
    known = {"left": 50.0, "right": 50 + width, "indent": 0.0, "base": 700.0, "pitch": 12.0}
    return Room(**{**known, "size": 10.0, "num_lines": num_lines, **more})  # type: ignore[arg-type]


def room_of(one: Block, others: list[Box], drawn: list[Box], paper: Box) -> Room:
    """Return the room beside others of one line each."""
    return rooms.room_of(one, {box: [box] for box in others}, drawn, paper)


def lines(placed: list[Placed]) -> list[str]:
    return [f"{one.text}@{one.base:.0f}" for one in placed]


def test_a_text_that_fits_keeps_its_size() -> None:
    [placed] = fitted([("A short text", PLAIN)], room(200, 1))
    assert placed == Placed("A short text", PLAIN, 50, 700, 10, 0)


def test_a_long_text_is_wrapped_at_words() -> None:
    placed = fitted([("one two three four", PLAIN)], room(45, 2))
    assert lines(placed) == ["one two@700", "three four@688"]


def test_a_text_that_does_not_fit_becomes_smaller() -> None:
    text = "a text that is far too long for its line"
    [placed] = fitted([(text, PLAIN)], room(120, 1))
    assert 5 <= placed.size < 9.2
    assert box_of(placed).right <= 170.3


def test_letters_become_narrower_before_they_become_smaller() -> None:
    text = "a text that is a little too long"
    [placed] = fitted([(text, PLAIN)], room(0.92 * 10 * width_of(text, Face()), 1))
    assert (placed.size, placed.style.width) == (10, 0.91)


def test_a_text_stays_above_a_line_that_is_drawn_close_below_it() -> None:
    texts = [Run(0, "x" * 20, 50, 150, 700 - 12 * n, 10.0) for n in range(2)]
    [block] = blocks_of(texts)
    cell = Box(47, 684, 153, 711)
    known = room_of(block, [block.box], [cell], PAPER)
    assert known.is_closed
    lowest = fitted([("word " * 13, PLAIN)], known)[-1].base
    assert lowest >= 688
    assert fitted([("word " * 13, PLAIN)], replace(known, is_closed=False))[-1].base < 686
    assert not room_of(block, [block.box], [cell._replace(bottom=600)], PAPER).is_closed


def test_lines_become_closer_before_letters_become_smaller() -> None:
    placed = fitted([("word " * 10, PLAIN)], room(60, 5, pitch=12.0))
    assert (placed[0].size, len(placed)) == (10, 5)
    placed = fitted([("word " * 11, PLAIN)], room(60, 5, pitch=13.5))
    assert (placed[0].size, len(placed)) == (10, 6)
    assert placed[0].base - placed[1].base == pytest.approx(11.25)


@settings(max_examples=200)
@given(num_words=st.integers(1, 40), num_own=st.integers(1, 4))
def test_letters_become_narrower_before_a_text_takes_the_gap_below_it(
    num_words: int, num_own: int
) -> None:
    words = [("some words " * num_words, PLAIN)]
    placed = fitted(words, room(100, 8, num_own=num_own))
    alone = fitted(words, room(100, num_own, num_own=num_own))
    if alone[0].size == 10:
        assert placed == alone


def test_no_text_becomes_smaller_than_half() -> None:
    placed = fitted([("wordwithoutanend" * 9, PLAIN)], room(20, 1))
    assert placed[0].size == pytest.approx(5, abs=0.2)


WORDS = st.text(st.sampled_from("aeinrst"), min_size=1, max_size=40)


@settings(max_examples=200)
@given(words=st.lists(WORDS, min_size=1, max_size=3), width=st.integers(20, 60))
def test_a_word_is_broken_before_it_stands_on_its_neighbour(words: list[str], width: int) -> None:
    placed = fitted([(" ".join(words), PLAIN)], room(width, 20))
    assert all(box_of(one).right - one.left <= width + 0.3 for one in placed)
    ends = (one.text.rstrip() for one in placed)
    told = "".join(end.removesuffix("-") if end.endswith("-") else f"{end} " for end in ends)
    assert told.split() == words
    assert placed[0].size <= 5.2 or not any(one.text.endswith("-") for one in placed)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Umsatzsteueridentifikationsnummer", "Umsatzsteueridentifi-"),
        ("Diagnose-Behandlungsverfahrensnummer", "Diagnose-"),
        ("https://example.org/a/very/long/path", "https://example.org/a/very/long/path"),
        ("DE-1234567890-1234567890-1234567890", "DE-1234567890-1234567890-1234567890"),
    ],
)
def test_hyphens_are_set_last_and_not_into_numbers_or_addresses(text: str, first: str) -> None:
    placed = fitted([(text, PLAIN)], room(40, 4))
    assert placed[0].text == first
    [fits] = fitted([(text, PLAIN)], room(180, 4))
    assert fits.text == text


def test_words_keep_their_styles_and_stay_together() -> None:
    placed = fitted([("It is ", PLAIN), ("very", BOLD), (", old", PLAIN)], room(200, 1))
    assert [(one.text, one.style) for one in placed] == [
        *(("It is ", PLAIN), ("very", BOLD), (", old", PLAIN))
    ]
    assert placed[1].left == pytest.approx(50 + 10 * width_of("It is ", Face()))
    narrow = fitted([("It is ", PLAIN), ("very", BOLD), (", old", PLAIN)], room(28, 3))
    assert lines(narrow) == ["It is @700", "very@688", ",@688", "old@676"] or lines(narrow) == [
        *("It is@700", "very@688", ",@688", "old@676")
    ]


@pytest.mark.parametrize(("side", "left"), [("left", 50), ("centre", 100), ("right", 150)])
def test_lines_keep_to_their_side(side: str, left: float) -> None:
    text = "abc"
    width = width_of(text, Face()) * 10
    [placed] = fitted([(text, PLAIN)], room(100 + width, 1, side=side))
    assert placed.left == pytest.approx(left)


def test_lines_that_are_justified_end_at_one_place() -> None:
    width = width_of("three four", Face()) * 10 + 5
    placed = fitted([("three four one two", PLAIN)], room(width, 2, is_justified=True))
    first = [one for one in placed if one.base == 700]
    assert "".join(one.text for one in placed) == "three fourone two"
    ends = first[-1].left + width_of(first[-1].text, Face()) * 10
    assert ends == pytest.approx(50 + width)
    assert placed[-1] == Placed("one two", PLAIN, 50, 688, 10, 0)


def test_a_line_that_would_be_torn_apart_is_not_justified() -> None:
    [one, _] = fitted([("three four one two", PLAIN)], room(60, 2, is_justified=True))
    assert one == Placed("three four", PLAIN, 50, 700, 10, 0)


def block(*runs: tuple[str, float, float, float]) -> Block:
    [made] = blocks_of(Run(0, text, left, right, base, 10.0) for text, left, right, base in runs)
    return made


def test_a_line_has_room_up_to_the_margin_or_its_neighbour() -> None:
    one = block(("A heading", 50, 100, 700))
    assert room_of(one, [one.box], [], PAPER).right == 550
    assert room_of(one, [one.box, Box(200, 700, 300, 708)], [], PAPER).right == 195
    rule = Box(150, 600, 151, 750)
    assert room_of(one, [one.box], [rule], PAPER).right == 147


def test_a_paragraph_has_room_down_to_what_is_below() -> None:
    one = block(("A line that is", 50, 250, 700), ("as wide as all.", 50, 250, 688))
    assert room_of(one, [one.box, Box(50, 600, 250, 640)], [], PAPER).num_lines == 5
    assert room_of(one, [one.box, Box(50, 600, 250, 684)], [], PAPER).num_lines == 2
    assert room_of(one, [one.box, Box(300, 600, 400, 684)], [], PAPER).num_lines > 10
    assert room_of(one, [one.box], [], PAPER).right == 250
    assert room_of(one, [one.box, Box(50, 600, 300, 640)], [], PAPER).right == 300


@settings(max_examples=200, deadline=None)
@given(
    ends=st.lists(st.integers(90, 300), min_size=2, max_size=5),
    number=st.integers(0, 4),
    is_right=st.booleans(),
    is_drawn=st.booleans(),
    num_words=st.integers(1, 60),
)
def test_each_line_ends_before_what_stands_beside_it(
    ends: list[int], number: int, is_right: bool, is_drawn: bool, num_words: int
) -> None:
    last = len(ends) - 1
    edges = [(50, end) if is_right else (350 - end, 300) for end in (*ends, 300)]
    rows = (block(("words", *edge, 700 - 12 * row)) for row, edge in enumerate(edges))
    one = Block([row.lines[0] for row in rows])
    left, right = edges[min(number, last)]
    base = 700 - 12 * min(number, last)
    beside = Box(right + 4, base, 500, base + 8) if is_right else Box(-90, base, left - 4, base + 8)
    others, drawn = ([one.box], [beside]) if is_drawn else ([one.box, beside], [])
    found = room_of(one, others, drawn, PAPER)
    placed = fitted([("words " * num_words, PLAIN)], found)
    if placed[0].size > 5.2:
        for words in map(box_of, placed):
            assert not overlap(words._replace(bottom=words.bottom + 2.5), beside)


@pytest.mark.parametrize(
    ("button", "side"),
    [
        (Box(90, 692, 160, 714), "centre"),
        (Box(95, 692, 300, 714), "left"),
    ],
)
def test_a_line_in_the_middle_of_a_button_stays_there(button: Box, side: str) -> None:
    label = block(("Cancel", 100, 150, 700))
    found = room_of(label, [label.box, Box(50, 500, 550, 600)], [button], PAPER)
    assert found.side == side
    assert found.right == pytest.approx(button.right - 3)
    below = Box(100, 600, 140, 608)
    assert room_of(label, [label.box, below], [button], PAPER).side == "left"


def test_what_a_translation_covers_beyond_its_paragraph() -> None:
    one = block(("Otto", 50, 70, 700))
    style = Style(Face("Mono"))
    assert beyond(one, [Placed("Otto", style, 50, 700, 8, 0)]) == []
    words = [Placed("Otto ", style, 50, 700, 10, 0), Placed("liest", style, 80, 700, 10, 0)]
    below = Placed("viel", style, 50, 688, 10, 0)
    boxes = [Box(50, 700, 74, 708), Box(80, 700, 110, 708), Box(50, 688, 74, 696)]
    assert beyond(one, [*words, below]) == [pytest.approx(box, abs=0.1) for box in boxes]


@settings(max_examples=200)
@given(
    widths=st.lists(st.integers(3, 30), min_size=3, max_size=6, unique=True),
    side=st.sampled_from(["left", "centre", "right"]),
)
def test_lines_keep_to_the_side_that_they_share(widths: list[int], side: str) -> None:
    share = {"left": 0.0, "centre": 0.5, "right": 1.0}[side]
    lefts = [100 + share * (400 - 10 * width) for width in widths]
    stack = [
        block(("text", left, left + 10 * width, 700 - 14 * row))
        for row, (left, width) in enumerate(zip(lefts, widths, strict=True))
    ]
    boxes = [one.box for one in stack]
    assert {room_of(one, boxes, [], PAPER).side for one in stack} == {side}


def test_a_line_in_the_middle_stays_there() -> None:
    title = block(("A title", 250, 350, 700))
    below = Box(title.left, 500, 550, 540)
    assert room_of(title, [title.box, Box(50, 600, 550, 640), below], [], PAPER).side == "left"
    found = room_of(title, [title.box, Box(50, 600, 550, 640)], [], PAPER)
    assert (found.side, found.left, found.right) == ("centre", 50, 550)


def test_a_line_at_the_right_margin_grows_to_the_left() -> None:
    head = block(("Report", 500, 550, 700))
    found = room_of(head, [head.box, Box(50, 600, 550, 640)], [], PAPER)
    assert (found.side, found.left, found.right) == ("right", 50, 550)


def test_a_cell_that_ends_where_others_do_grows_to_the_left_up_to_half_a_gap() -> None:
    head = block(("Price", 270, 300, 700))
    amounts = [Box(280, 676 - 12 * n, 300, 684 - 12 * n) for n in range(2)]
    boxes = [head.box, *amounts, Box(50, 400, 550, 500)]
    found = room_of(head, boxes, [], PAPER)
    assert (found.side, found.left, found.right) == ("right", 50, 300)
    beside = Box(50, 700, 165, 708)
    assert room_of(head, [*boxes, beside], [], PAPER).left == 220
    below = [Box(270, 640 - 12 * n, 330, 648 - 12 * n) for n in range(2)]
    assert room_of(head, [*boxes, *below], [], PAPER).side == "left"
    assert room_of(head, [*boxes, below[0]], [], PAPER).side == "right"


@settings(max_examples=200)
@given(texts=st.lists(st.text("aö 9.✓★∈ℤ中"), min_size=1, max_size=4))
def test_every_character_is_set_or_the_text_stays(texts: list[str]) -> None:
    signs = {char: Sign("/F9", f"{ord(char):04x}", 0.8) for char in "✓★∈ℤ"}
    words = with_signs([(text, PLAIN) for text in texts], signs)
    if "中" in "".join(texts):
        assert words is None
        return
    assert words is not None
    assert "".join(text for text, _ in words) == "".join(texts)
    assert [(text, style.sign) for text, style in words if style.sign or text in signs] == [
        (char, signs[char]) for char in "".join(texts) if char in signs
    ]
    placed = fitted(words, room(500, 3))
    by_line = itertools.groupby(placed, lambda one: one.base)
    set_lines = ["".join(one.text for one in line) for _, line in by_line]
    assert " ".join(set_lines).split() == "".join(texts).split()
