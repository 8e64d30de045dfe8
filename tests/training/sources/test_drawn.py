"""What is drawn for a slot says the same on both sides, as each language writes it."""

from __future__ import annotations

import random
import re

import pytest

from training.sources.drawn import DRAWN
from training.sources.phrasebook import SHIPPED, expand, read_phrasebook
from translator.files import read_lines

NUMBERS = SHIPPED.with_name("de-en-numbers.txt")
LANGUAGES = ("de", "en")
IN_GERMAN = str.maketrans(".,", ",.")


def drawn(name: str) -> list[tuple[str, str]]:
    draw = random.Random(1)
    return [DRAWN[name](draw, LANGUAGES).sides for _ in range(200)]


@pytest.mark.parametrize("name", ["#large", "#fraction", "#sum", "#percent"])
def test_a_number_has_the_signs_of_its_language(name: str) -> None:
    for german, english in drawn(name):
        numbers = [re.findall(r"[\d.,]+", side) for side in (german, english)]
        assert [text.translate(IN_GERMAN) for text in numbers[0]] == numbers[1]


def test_the_currency_stands_before_an_english_sum_and_behind_a_german_one() -> None:
    for german, english in drawn("#sum"):
        assert german[-1] == english[0]
        assert german[-1] in "€$£"


def test_a_date_keeps_day_and_year() -> None:
    for german, english in drawn("#date"):
        assert sorted(re.findall(r"\d+", german)) == sorted(re.findall(r"\d+", english))


@pytest.mark.parametrize(
    "name", ["#account", "#code", "#long", "#numeric-date", "#phone", "#time", "#version", "#year"]
)
def test_what_every_language_writes_alike_is_the_same(name: str) -> None:
    sides = drawn(name)
    assert all(german == english for german, english in sides)
    assert len(set(sides)) > 10


def test_the_shipped_book_of_numbers_is_whole() -> None:
    book = read_phrasebook(read_lines(NUMBERS), str(NUMBERS))
    pairs = list(expand(book, variants=3, languages=LANGUAGES))
    assert len(pairs) > 250
    assert all(re.search(r"\d", side) for pair in pairs for side in pair.sides)
    assert not any(re.search(r"[{}]", side) for pair in pairs for side in pair.sides)
