from __future__ import annotations

from decimal import Decimal

import pytest

from translator.text.numbers.comparison.agreement import AGREED, disagreement
from translator.text.numbers.comparison.further import with_further_readings
from translator.text.numbers.mentions import mentions_in


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("14 Tage", "de", "1209600 seconds"),
        ("two weeks", "en", "1209600 seconds"),
        ("half a century", "en", "600 months"),
        ("anderthalb Jahre", "de", "18 months"),
        ("two and a half years", "en", "30 months"),
    ],
)
def test_a_time_has_a_length(text: str, language: str, expected: str) -> None:
    found = with_further_readings(text, mentions_in(text, language), language)
    assert (expected,) in {reading for mention in found for reading in mention.readings}


@pytest.mark.parametrize(
    ("german", "english", "is_right"),
    [
        ("in 14 Tagen", "in two weeks", True),
        ("in 14 Tagen", "in three weeks", False),
        ("in 15 Tagen", "in two weeks", False),
        ("nach 14 Jahren", "after two weeks", False),
        ("vor zwei Jahrtausenden", "two thousand years ago", True),
        ("nach fünfzig Jahren", "after half a century", True),
        ("seit eineinhalb Jahren", "for eighteen months", True),
        ("seit eineinhalb Jahren", "for nineteen months", False),
        ("2,5 Tassen", "two and a half cups", True),
        ("3,5 Tassen", "two and a half cups", False),
        ("1985-87", "1985-1987", True),
        ("1985-87", "1985-1988", False),
    ],
)
def test_equal_times_are_equal_numbers(german: str, english: str, is_right: bool) -> None:
    assert (disagreement(german, english, ("de", "en")) == AGREED) is is_right


def test_a_language_without_words_for_times_has_years_only() -> None:
    found = with_further_readings("1985-87 ans", mentions_in("1985-87 ans", "fr"), "fr")
    assert [mention.readings[-1] for mention in found] == [(Decimal(1985),), (Decimal(1987),)]
