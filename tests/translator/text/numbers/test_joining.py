"""Numbers that are said in several parts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from translator.text.numbers.joining import compound_number
from translator.text.numbers.mentions import mentions_in

UNITS = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"]
CARDINALS = {word: value for value, word in enumerate(UNITS, start=1)} | {
    "zwölf": 12,
    "neunzehn": 19,
    "zwanzig": 20,
    "vierundzwanzig": 24,
    "vierundachtzig": 84,
    "dreihundert": 300,
    "dreihundertfünf": 305,
}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("tausend", 1000),
        ("eintausend", 1000),
        ("zweitausend", 2000),
        ("zweitausendvierundzwanzig", 2024),
        ("tausendundeins", 1001),
        ("zwölftausenddreihundertfünf", 12305),
        ("dreihunderttausend", 300_000),
        ("neunzehnhundert", 1900),
        ("neunzehnhundertvierundachtzig", 1984),
    ],
)
def test_long_german_numbers_are_one_word(word: str, value: int) -> None:
    assert compound_number(word, CARDINALS) == value


@pytest.mark.parametrize(
    "word", ["tausendfach", "jahrtausend", "zwanzighundert", "neunzehnhundertmal", "hund", ""]
)
def test_other_words_are_none(word: str) -> None:
    assert compound_number(word, CARDINALS) is None


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("It took 3 million years.", "en", 3_000_000),
        ("Das dauerte 2,5 Millionen Jahre.", "de", 2_500_000),
        ("There are two hundred and five of them.", "en", 205),
        ("He was born in nineteen eighty-four.", "en", 1984),
        ("Das war zweitausendvierundzwanzig.", "de", 2024),
    ],
)
def test_neighbours_are_one_number(text: str, language: str, value: int) -> None:
    [mention] = [one for one in mentions_in(text, language) if one.kind != "related"]
    assert mention.value == Decimal(value)


def test_a_scale_may_count_for_both_ends_of_a_range() -> None:
    first, _ = mentions_in("from 2 to 3 million", "en")
    assert {(Decimal(2),), (Decimal(2_000_000),)} <= set(first.readings)


@pytest.mark.parametrize(
    ("text", "is_score"), [("They won 3-1.", True), ("See pages 3-8.", False), ("won 3 to 1", True)]
)
def test_a_score_is_told_from_a_range(text: str, is_score: bool) -> None:
    assert mentions_in(text, "en")[0].is_score is is_score
