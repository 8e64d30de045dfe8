"""Subtitles with styles keep everything but what is said."""

from __future__ import annotations

import pytest

from tests.documents import A, shouted, texts, unchanged
from translator.documents.scripts import read_ass
from translator.errors import InputError

HEAD = r"""[Script Info]
Title: Some film
[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


def line(text: str, kind: str = "Dialogue") -> str:
    return f"{kind}: 0,0:00:01.00,0:00:03.00,Default,Ann,0,0,0,,{text}"


@pytest.mark.parametrize(
    ("text", "found", "written"),
    [
        ("Hello, dog", ["Hello, dog"], "HELLO, DOG"),
        (r"{\an8\pos(1,2)}Up here", ["Up here"], r"{\an8\pos(1,2)}UP HERE"),
        (r"A {\i1}big{\i0} dog", [f"A <{A}>big</{A}> dog"], r"A {\i1}BIG{\i0} DOG"),
        (r"One line\Nand two", ["One line and two"], r"ONE LINE\NAND TWO"),
        (r"- Hello\N- Yes", ["- Hello\n- Yes"], r"- HELLO\N- YES"),
        (r"{\p1}m 0 0 l 100 0{\p0}", [], r"{\p1}m 0 0 l 100 0{\p0}"),
        ("12:00", [], "12:00"),
    ],
)
def test_what_is_said_is_translated(text: str, found: list[str], written: str) -> None:
    data = f"{HEAD}{line(text)}\r\n".encode()
    document = read_ass("a.ass", data)
    assert texts(document) == found
    assert unchanged(document) == data
    assert shouted(document).decode() == f"{HEAD}{line(written)}\r\n"


def test_comments_and_other_sections_stay() -> None:
    comment = line("A note", "Comment")
    data = f"{HEAD}{comment}\n{line('A dog')}\n[Fonts]\nDialogue: x\n".encode()
    assert texts(read_ass("a.ssa", data)) == ["A dog"]


@pytest.mark.parametrize("text", ["", "Hello", "[Events]\nDialogue: 0,a\n", HEAD[:30]])
def test_what_has_no_events_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^a\.ass: has no \[Events\] with a line Format:"):
        read_ass("a.ass", text.encode())
