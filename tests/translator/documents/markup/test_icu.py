"""Messages of ICU are read strictly; each combination of their choices is a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents import shout
from translator.documents.document import TextDocument
from translator.documents.markup.icu import (
    MOST_DEPTH,
    MOST_SENTENCES,
    Choice,
    Number,
    Text,
    Verbatim,
    leaf_pieces,
    may_be_message,
    message_pieces,
    read_message,
    samples,
)


def document(text: str, target: str | None = "de") -> TextDocument:
    pieces = message_pieces(text, target)
    assert pieces is not None, text
    return TextDocument(pieces)


def sentences(text: str, target: str | None = "de") -> list[str]:
    return [unit.text for unit in document(text, target).units]


def shouted(text: str, target: str | None = "de") -> str:
    read = document(text, target)
    done = read.rebuild([shout(unit) for unit in read.units])
    assert read_message(done) is not None, done
    return done


def test_what_stands_around_a_choice_is_in_each_sentence() -> None:
    text = "{count, plural, one {# vote} other {# votes}} for {name}"
    assert sentences(text) == [
        "1 vote for {name}",
        "# vote for {name}",
        "25 votes for {name}",
        "# votes for {name}",
    ]
    assert shouted(text) == ("{count, plural, one {# VOTE FOR {name}} other {# VOTES FOR {name}}}")


@pytest.mark.parametrize(
    "text",
    [
        "{n, plural, =0 {no file} one {# file} other {# files in {dir}}}",
        "{n, plural,\n  one {# file}\n  other {# files}\n}",
        "{sex, select, male {{n, plural, one {his file} other {his # files}}} other {theirs}}",
        "{n, plural, other {{n} things}}",
        "{n, plural, other {a '{b}' c}}",
    ],
)
def test_a_message_that_is_only_a_choice_keeps_its_form(text: str) -> None:
    read = document(text, "ja" if "one" not in text else "de")
    assert read.rebuild([unit.text for unit in read.units]) == text


def test_sentences_without_a_choice_stand_alone() -> None:
    text = "Hello, {name}! You have {n, plural, one {a file} other {# files}} now.\nBye."
    assert shouted(text) == (
        "HELLO, {name}! {n, plural, one {YOU HAVE A FILE NOW.} other {YOU HAVE # FILES NOW.}}\nBYE."
    )


def test_choices_by_the_same_number_are_not_combined() -> None:
    text = "{n, plural, one {is} other {are}} {n, plural, one {# dog} other {# dogs}}"
    assert shouted(text) == "{n, plural, one {IS # DOG} other {ARE # DOGS}}"


def test_a_number_of_an_outer_plural_is_named_inside_another() -> None:
    text = "{n, plural, other {# dogs}} and {k, plural, other {# cats}}"
    assert (
        shouted(text, "ja")
        == "{n, plural, other {{k, plural, other {{n, number} DOGS AND # CATS}}}}"
    )


PLURALS = [
    line.split("\t")
    for line in Path(__file__).with_name("plurals.tsv").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("text", "target", "expected"), PLURALS)
def test_plurals_get_the_categories_of_the_language(text: str, target: str, expected: str) -> None:
    assert shouted(text, None if target == "-" else target) == expected


def test_a_number_fits_its_category() -> None:
    ordinal = "{n, selectordinal, other {#. Platz}}"
    assert sentences(ordinal, "en")[::2] == ["1. Platz", "22. Platz", "23. Platz", "25. Platz"]
    assert sentences("{n, plural, =3 {# cats} other {cats}}")[0] == "3 cats"
    assert sentences("{n, plural, other {# of 25 cats}}", "ja")[0] == "23 of 25 cats"
    assert sentences("{n, plural, offset:1 other {# cats}}", "ja") == ["# cats"]


def test_without_its_number_a_sentence_has_its_placeholder() -> None:
    read = document("{n, plural, one {# cat} other {# cats}}")
    assert read.rebuild(["Eine Katze", "# Katze", "25 Katzen, 25!", "# Katzen"]) == (
        "{n, plural, one {# Katze} other {# Katzen}}"
    )


def test_text_is_quoted_as_icu_needs_it() -> None:
    text = "Item #1: {n, plural, other {it's # '{'here'}'}}"
    assert shouted(text, "ja") == "{n, plural, other {ITEM '#'1: IT'S # '{'HERE'}'}}"
    doubled = "{n, plural, other {it''s #}}"
    assert shouted(doubled, "ja") == "{n, plural, other {IT''S #}}"
    read = document("{n, plural, other {x}}", "ja")
    assert read.rebuild(["a {b} #1 'c' '{"]) == "{n, plural, other {a '{'b'}' '#'1 'c' '''{'}}"


def test_too_many_combinations_are_left_as_they_are() -> None:
    one = "{%s, select, a {x} b {y} c {z} other {w}}"
    text = " ".join(one % name for name in ("k", "l", "m"))
    assert MOST_SENTENCES < 4**3
    assert message_pieces(text, "de") == [text]
    moved = "{n, plural, offset:1 other {# and {k, plural, other {# more}}}}"
    assert message_pieces(moved, "de") == [moved]


def test_a_number_stands_for_each_counted_argument() -> None:
    parts: list[Text | Verbatim] = [
        Verbatim("#", "n"),
        Text(" of "),
        Verbatim("{n}", "n"),
        Text(" in "),
        Verbatim("{d}"),
    ]
    read = TextDocument(leaf_pieces(parts, {"n": (5, 7)}, str, str.upper))
    assert [unit.text for unit in read.units] == ["5 of 5 in {d}", "# of {n} in {d}"]
    assert [len(unit.spans) for unit in read.units] == [1, 3]
    assert read.rebuild(["{d} hat 5 von 5", "unused"]) == "{D} HAT # VON {N}"
    assert read.rebuild(["{d} hat 5", "{d}: {n} und #"]) == "{D}: {N} UND #"


def test_a_number_that_is_part_of_another_is_none() -> None:
    parts: list[Text | Verbatim] = [Verbatim("#", "n"), Text(" cats")]
    read = TextDocument(leaf_pieces(parts, {"n": (5,)}, str, str))
    assert read.rebuild(["5 Katzen (1,5 und 15)", ""]) == "# Katzen (1,5 und 15)"


def test_tags_and_placeholders_in_the_text_are_marked() -> None:
    [unit] = TextDocument(leaf_pieces([Text("a <b>c</b> %s")], {}, str, str)).units
    assert [unit.text[slice(*span)] for span in unit.spans] == ["<b>", "</b>", "%s"]


@pytest.mark.parametrize(
    ("language", "kind", "keywords"),
    [
        ("de", "plural", ["one", "other"]),
        ("en-GB", "selectordinal", ["one", "two", "few", "other"]),
        ("de", "selectordinal", ["other"]),
        ("fr", "plural", ["one", "other"]),  # its `many` begins with a million
        ("pl", "plural", ["one", "few", "many", "other"]),
        ("ja", "plural", ["other"]),
        ("ar", "plural", ["zero", "one", "two", "few", "many", "other"]),
        ("tlh", "plural", []),
        ("", "plural", []),
    ],
)
def test_categories(language: str, kind: str, keywords: list[str]) -> None:
    assert [*samples(language, kind)] == keywords


def test_numbers_are_of_their_categories() -> None:
    assert samples("pl", "plural")["few"][:2] == (23, 22)
    assert samples("pl", "plural")["one"] == (1,)
    assert samples("pl", "plural")["other"] == samples("pl", "plural")["many"]
    assert samples("de", "selectordinal")["other"][0] != 1


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
def test_what_is_not_written_as_a_message_is_none(text: str) -> None:
    assert read_message(text) is None


def test_most_texts_are_done_with_at_once() -> None:
    assert not may_be_message("Use {braces}, {a, b} and {select}.")
    assert may_be_message("{ n , select , other {x}}")


@pytest.mark.parametrize("piece", ["{n, plural, ", "{n, plural, one {", "'", "{a} ", "'{", "}"])
def test_no_text_takes_long(piece: str) -> None:
    text = "{n, plural, other {x}}" + piece * (19_000 // len(piece))
    assert read_message(text[:19_900]) is None or piece in ("'", "{a} ", "'{")
