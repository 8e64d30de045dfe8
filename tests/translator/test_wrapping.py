"""Lines that only wrap prose: where they are seen, and how they come back."""

from __future__ import annotations

import pytest

from translator.text import split
from translator.wrapping import rewrap, soft_breaks, unwrap

PARAGRAPH = """\
The list of hosts is read when the service starts, and again whenever the file in
which it is kept has been changed. If that fails, the old list stays in force, and
a warning is written."""


def marked(text: str) -> str:
    """Show soft breaks as `~`."""
    soft = soft_breaks(text)
    return "".join("~" if place in soft else sign for place, sign in enumerate(text))


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPH,
        PARAGRAPH.replace("\n", "\r\n"),
        "- " + PARAGRAPH.replace("\n", "\n  "),
        "> " + PARAGRAPH.replace("\n", "\n> "),
        "    " + PARAGRAPH.replace("\n", "\n    "),
        "12. " + PARAGRAPH.replace("\n", "\n    "),
        PARAGRAPH.replace("changed.", "https://example.org/a/very/long/address/with/many/parts"),
    ],
)
def test_wrapped_paragraphs_are_seen(text: str) -> None:
    assert marked(text).count("~") == text.count("\n") == 2


@pytest.mark.parametrize(
    "text",
    [
        "Eine Überschrift\nund ein Satz.",
        "apples\noranges\npears and plums",
        "Rosen sind rot,\nVeilchen sind blau,\nHonig ist süß",
        "Sehr geehrte Damen und Herren,\nhiermit kündige ich den Vertrag, den wir schlossen.",
        "# Introduction to the configuration of all the hosts in the\nnetwork is what follows.",
        "- the first thing that is to be done before anything else is\n- the second thing",
        "| the first cell of the table | and the second one of it |\n| more of it | here |",
        "The first line of this text ends with two spaces as Markdown has it  \nand goes on here.",
        "A line that is long enough to look like a line that was wrapped\n\nand a paragraph.",
        "def function_with_a_long_name(argument, other_argument):\n    return argument + other",
        "2026-11-22 12:00:00 INFO the server has been started on port 5000\n"
        "2026-11-22 12:00:01 INFO the first request came in and was answered",
        "x" * 300 + " a paragraph in one line that ends without a full stop\nand the next one",
        "The name of the host that is to be looked up: example\nThe port: 80\nThe user: root\n"
        "The time to wait: 5",
    ],
)
def test_other_line_breaks_are_left_alone(text: str) -> None:
    assert "~" not in marked(text)


def test_a_sentence_goes_on_in_the_next_line() -> None:
    segments = split(PARAGRAPH, "en")
    assert segments.join(segments.sentences) == PARAGRAPH
    first, second = segments.sentences
    assert first.endswith("whenever the file in\nwhich it is kept has been changed.")
    assert unwrap(second).endswith("the old list stays in force, and a warning is written.")
    assert segments.separators == ("", " ", "")


def test_breaks_come_back_near_their_places() -> None:
    sentence = "one two three four\n    five six seven eight\n    nine ten"
    assert unwrap(sentence) == "one two three four five six seven eight nine ten"
    assert rewrap(unwrap(sentence), sentence) == sentence
    longer = rewrap("eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf", sentence)
    assert longer.split("\n    ") == [
        "eins zwei drei vier fünf",
        "sechs sieben acht neun zehn",
        "elf zwölf",
    ]
    assert rewrap("kurz", sentence) == "kurz\n    \n    "
    assert rewrap("zwei Wörter", sentence) == "zwei\n    Wörter\n    "
    assert rewrap("ohne Umbruch", "no break") == "ohne Umbruch"


def test_quotations_stay_quoted() -> None:
    sentence = "this is quoted and\n> goes on here"
    assert rewrap("dies ist zitiert und geht hier weiter", sentence).count("\n> ") == 1


def test_no_break_falls_into_code() -> None:
    sentence = "run this to see\nwhat there is"
    assert rewrap("a `b c d e f g h i` jklm", sentence) in (
        "a\n`b c d e f g h i` jklm",
        "a `b c d e f g h i`\njklm",
    )
