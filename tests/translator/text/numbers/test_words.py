"""Words that say numbers."""

from __future__ import annotations

import pytest

from translator.text.numbers.words import number_words, roman_number


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("zwölf", 12),
        ("einundzwanzig", 21),
        ("neununddreißig", 39),
        ("neununddreissig", 39),
        ("zweihundertfünf", 205),
        ("dreitausend", 3000),
    ],
)
def test_german_cardinals(word: str, value: int) -> None:
    assert number_words("de").cardinals[word] == value


@pytest.mark.parametrize(
    ("language", "word", "value"),
    [
        ("de", "dritte", 3),
        ("de", "zwanzigsten", 20),
        ("de", "siebter", 7),
        ("de", "dreimal", 3),
        ("de", "drittel", 3),
        ("de", "beide", 2),
        ("en", "twelfth", 12),
        ("en", "twentieth", 20),
        ("en", "thirds", 3),
        ("en", "nineties", 90),
        ("en", "both", 2),
    ],
)
def test_related_words(language: str, word: str, value: int) -> None:
    assert value in number_words(language).related[word]


def test_months_are_those_of_cldr() -> None:
    assert number_words("de").months["dezember"] == 12
    assert number_words("fr").months["décembre"] == 12
    assert number_words("en").months["sept"] == 9
    assert number_words("xx").months == {}


def test_a_compound_begins_with_its_number() -> None:
    words = number_words("de")
    assert words.value_of_prefix("zwölfjährige") == 12
    assert words.value_of_prefix("achtundzwanzigtägig") == 28
    assert words.value_of_prefix("haus") is None
    assert number_words("en").value_of_prefix("tension") is None


def test_one_is_an_article_and_no_cardinal() -> None:
    assert "ein" not in number_words("de").cardinals
    assert "one" not in number_words("en").cardinals


@pytest.mark.parametrize(("word", "value"), [("XIV", 14), ("II", 2), ("MCMXC", 1990)])
def test_roman_numbers(word: str, value: int) -> None:
    assert roman_number(word) == value


@pytest.mark.parametrize("word", ["IIII", "DUDE", "", "IC"])
def test_other_capitals_are_none(word: str) -> None:
    assert roman_number(word) is None
