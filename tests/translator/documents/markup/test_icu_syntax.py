"""Messages of ICU are read strictly."""

from __future__ import annotations

import pytest

from translator.documents.markup.icu import (
    MOST_DEPTH,
    Choice,
    Number,
    Text,
    Verbatim,
    may_be_message,
    read_message,
)


def test_parts_of_a_message() -> None:
    parts = read_message("Hi {name}: {n, plural, offset:1 =0 {none} one{# file} other {#}}!")
    assert parts is not None
    greeting, name, colon, choice, end = parts
    assert (greeting, name, colon, end) == (
        Text("Hi "),
        Verbatim("{name}", "name"),
        Text(": "),
        Text("!"),
    )
    assert isinstance(choice, Choice)
    assert (choice.argument, choice.kind, choice.tail) == ("n", "plural", "}")
    number = Number("n", True)
    assert choice.head == "{n, plural, offset:1"
    assert choice.branches == {
        "=0": (" =0 {", (Text("none"),)),
        "one": (" one{", (number, Text(" file"))),
        "other": (" other {", (number,)),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it's", (Text("it's"),)),
        ("it''s", (Text("it's"),)),
        ("a '{b}' c", (Text("a "), Verbatim("'{b}'"), Text(" c"))),
        ("'#' #", (Verbatim("'#'"), Text(" "), Number("n", False))),
        ("{d, date, short} {p, number, ::currency/EUR}", None),
        ("''''", (Text("''"),)),
    ],
)
def test_quotes_and_arguments(text: str, expected: tuple[object, ...] | None) -> None:
    [choice] = read_message(f"{{n, plural, other {{{text}}}}}") or [None]
    assert isinstance(choice, Choice)
    parts = choice.branches["other"][1]
    if expected is None:
        kinds = [type(part) for part in parts]
        assert kinds == [Verbatim, Text, Verbatim]
    else:
        assert parts == expected


def test_a_number_sign_means_something_in_plurals_only() -> None:
    [choice] = read_message("{s, select, a {#1 '# x} other {{n, plural, other {#}}}}") or [None]
    assert isinstance(choice, Choice)
    assert choice.branches["a"][1] == (Text("#1 '# x"),)
    [inner] = choice.branches["other"][1]
    assert isinstance(inner, Choice)
    assert inner.branches["other"][1] == (Number("n", False),)


@pytest.mark.parametrize(
    "text",
    [
        "plain {n}",
        "{n, number}",
        "{n, plural, one {# file",
        "{n, plural, one {x} other {y} z}",
        "{n, plural, one {x}}",  # no `other`
        "{n, plural, some {x} other {y}}",
        "{n, plural, other {x} other {y}}",
        "{n, plural, other {x}} }",
        "{n, plural, other {x}} {",
        "{n, plural, other {x}} {{y}}",
        "{n, plural, other {a { b c }}}",
        "{n, plural}",
        "{n, select, offset:1 other {x}}",
        "{1abc, plural, other {x}}",
        "if (a) { return {n, plural, other: {x} }; }",
        "{n, plural, other {" * (MOST_DEPTH + 2) + "x" + "}}" * (MOST_DEPTH + 2),
        "{n, plural, other {x}}" + "a" * 20_000,
    ],
)
def test_other_texts_are_no_messages(text: str) -> None:
    assert read_message(text) is None


def test_most_texts_are_done_with_at_once() -> None:
    assert not may_be_message("Use {braces}, {a, b} and {select}.")
    assert may_be_message("{ n , select , other {x}}")


@pytest.mark.parametrize("piece", ["{n, plural, ", "{n, plural, one {", "'", "{a} ", "'{", "}"])
def test_no_text_takes_long(piece: str) -> None:
    text = "{n, plural, other {x}}" + piece * (19_000 // len(piece))
    assert read_message(text[:19_900]) is None or piece in ("'", "{a} ", "'{")
