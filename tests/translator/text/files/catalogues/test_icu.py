"""The branches of ICU's choices are translated, their syntax is not."""

from __future__ import annotations

import pytest

from tests.documents import A, shout
from translator.text.files.catalogues.icu import icu_unit
from translator.text.formats.pieces import FileDocument


def shouted(text: str) -> str:
    unit = icu_unit(text, f'"{text}"', str)
    assert unit is not None
    document = FileDocument([unit], "a.json", str.encode)
    assert document.rebuild([unit.text for unit in document.units]).decode() == f'"{text}"'
    return document.rebuild([shout(unit) for unit in document.units]).decode()


@pytest.mark.parametrize(
    ("text", "translated"),
    [
        (
            "{n, plural, =0 {no file} one {# file} other {# files in {dir}}}",
            "{n, plural, =0 {NO FILE} one {# FILE} other {# FILES IN {dir}}}",
        ),
        (
            "You have {n, plural, offset:1 one {a message} other {# messages}} today.",
            "YOU HAVE {n, plural, offset:1 one {A MESSAGE} other {# MESSAGES}} TODAY.",
        ),
        (
            "{sex, select, male {{n, plural, one {his file} other {his # files}}} other {theirs}}",
            "{sex, select, male {{n, plural, one {HIS FILE} other {HIS # FILES}}} other {THEIRS}}",
        ),
        (
            "{n, selectordinal, one {#st try} other {it's '{'#'}'th}} and {b, select, x {y}}",
            "{n, selectordinal, one {#ST TRY} other {IT'S '{'#'}'TH}} AND {b, select, x {Y}}",
        ),
    ],
)
def test_only_texts_are_translated(text: str, translated: str) -> None:
    assert shouted(text) == f'"{translated}"'


def test_a_choice_is_a_word_of_the_sentence() -> None:
    unit = icu_unit("Has {n, plural, one {# file} other {# files}}.", '""', str)
    assert unit is not None
    assert unit.marked.text == f"Has <{A}=n/>."


@pytest.mark.parametrize(
    "text",
    [
        *("plain {n}", "{n, plural, one {# file", "{n, plural, one {x} y}", "{n, number}"),
        "{n, select, a {" * 20 + "x" + "}}" * 20,
    ],
)
def test_other_texts_are_no_such_message(text: str) -> None:
    assert icu_unit(text, f'"{text}"', str) is None
