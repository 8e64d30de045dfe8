"""Work on a text grows with its length; with the square of it, each row would take longer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.translator.text.test_characters import NEWS
from translator.documents.markup.icu import message_pieces
from translator.rules.capitals import ordinary_case
from translator.rules.comparison import disagreement
from translator.rules.formality import formality_of
from translator.rules.formatting import format_numbers
from translator.rules.mentions import mentions_in
from translator.rules.signs import follow_language
from translator.text.brackets import (
    lost_brackets,
    with_spaces_behind_marks,
    with_spaces_in_brackets,
    without_spaces_behind_marks,
)
from translator.text.characters import plain, take_out_emoji, trim, unread_spans
from translator.text.protection import protect
from translator.text.segmentation import split
from translator.text.spans import find_spans
from translator.text.wrapping import rewrap, soft_breaks, unwrap

PAIR = ("en", "de")
PM, LINE = "3 p.m., ", "die Liste der Rechner wird gelesen, wenn der Dienst gestartet wird, und\n"
ICU = "A" + " " * 19_900 + "{n, plural, one {dog} other {dogs}}"


def cleaned(text: str) -> None:
    plain(text), take_out_emoji(text), trim(text, 1, len(text) - 1)


def unread(text: str) -> None:
    unread_spans(text, NEWS)


def fields(text: str) -> None:
    for sentence in split(text, "de", keeps_code=True).sentences[:3]:
        protect(sentence, 8)


def brackets(text: str) -> None:
    with_spaces_in_brackets(text)
    lost_brackets(text)("")
    without_spaces_behind_marks(with_spaces_behind_marks(text, "en", lambda _: -5.0), text)


def wrapped(text: str) -> None:
    assert rewrap(unwrap(text)[0], text) == text


def capitals(text: str) -> None:
    assert ordinary_case(text, "de", lambda word: -9.0 if word == "Haus" else -30.0) == text.title()


def signs(text: str) -> None:
    follow_language(text, text, PAIR)


def mentions(text: str) -> None:
    mentions_in(text, "de"), mentions_in(text, "en")


def formatted(text: str) -> None:
    translation, source = text.split("|")
    format_numbers(translation, source, PAIR)


def messages(text: str) -> None:
    for _ in range(20):
        message_pieces(text, "de")


def rows(work: Callable[[str], object], number: int, *units: str, end: str = "") -> list[Any]:
    texts = [unit * number + end for unit in units]
    return [pytest.param(work, text, id=f"{work.__name__} {text[:9]}") for text in texts]


@pytest.mark.parametrize(
    ("work", "text"),
    [
        *rows(cleaned, 30_000, "😀", "1️⃣", "\x1b[", "\x1b[0m", "→", "\x00", "²"),
        *rows(unread, 30_000, "東", "東 ", "9", "α ", "я.,'", "東a", end=" {"),
        *rows(unread, 30_000, "Ł", "Ł ", "Ł'", "𝑥", "‽", end=" {"),
        *rows(find_spans, 30_000, "a.", "AA.", "<!--", "<a b ", "[", "``", ":a", "/.", end=" {"),
        *rows(find_spans, 30_000, "aA", "a_", "{{", "a::", "%", "**a", "a-", "a/", end=" {"),
        *rows(find_spans, 30_000, "v1.", "--a ", "aab", "aaa ", "1", "1 ", "1-", end=" {"),
        *rows(find_spans, 30_000, "A1-", "0123 ", "+1 ", "1.1.", "A", "1234 ", end=" {"),
        *rows(find_spans, 30_000, "$1 ", "_a_ ", end=" {"),
        *rows(fields, 12_000, "[/a]", "[a_b]", ":::a[", "$$a\n", r"a\n", "[[a|", "&lt;a", "##a"),
        *rows(brackets, 90_000, "(", "(a ", "[a", '"', "'a ", "a/"),
        *rows(brackets, 1, "(" + "ab " * 70_000, '"' + "ab " * 70_000),
        *rows(wrapped, 5_000, LINE, end="Ende"),
        *rows(soft_breaks, 100_000, "\n"),
        *rows(capitals, 20_000, "HAUS "),
        *rows(formality_of, 1, "(Sie " * 30_000, " " * 100_000 + "Sie"),
        *rows(signs, 20_000, "1,", "1.1", "1,111", "1 to ", "9 ", end=" 3.14 €"),
        *rows(mentions, 3_000, "1", "1.", "1 ", "1.000", "1-", "zwei ", "a1", "1:00 pm ", "1 bis "),
        *rows(mentions, 3_000, "two hundred and "),
        *rows(formatted, 1, "8" * 40_000 + "|$8bn", "1,8" * 20_000 + "|8bn"),
        *rows(formatted, 1, "2|" + "1–2 " * 5_000, PM * 700 + "|" + PM * 700),
        *rows(formatted, 1, PM * 40 + "|" + PM * 10_000),
        *rows(messages, 1, ICU),
    ],
)
def test_no_text_takes_long(work: Callable[[str], object], text: str) -> None:
    started = time.process_time()
    work(text)
    assert time.process_time() - started < 4


def test_nor_do_many_numbers() -> None:
    started = time.process_time()
    found = disagreement("3 Uhr " * 500, "3 o'clock " * 499, ("de", "en"))
    assert time.process_time() - started < 4
    assert [mention.text for mention in found.missing] == ["3 Uhr"]
