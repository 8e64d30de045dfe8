"""Times of day, in digits and in words."""

from __future__ import annotations

import re

import pytest

from translator.rules.clock import clock_readings, clocks_in_words


def times(text: str, language: str) -> set[str]:
    digits = re.search(r"[0-9]+(?:[:.][0-9]+)?", text)
    assert digits
    found = clock_readings(text, *digits.span(), language)
    return {str(reading[0]) for reading in found[0] if len(reading) == 1} if found else set()


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("at 3:30 pm", "en", {"15:30"}),
        ("at 3 p.m. sharp", "en", {"15:00"}),
        ("at 12 am", "en", {"0:00"}),
        ("at 12 pm", "en", {"12:00"}),
        ("at 3 o'clock", "en", {"3:00", "15:00", "3"}),
        ("at 3 o'clock in the afternoon", "en", {"15:00", "3"}),
        ("um 15.30 Uhr", "de", {"15:30"}),
        ("um 15 Uhr 30", "de", {"15:30"}),
        ("um 3 Uhr nachmittags", "de", {"15:00", "3"}),
        ("um 3 Uhr nachts", "de", {"3:00", "3"}),
        ("um 11 Uhr nachts", "de", {"23:00", "11"}),
        ("um 12 Uhr mittags", "de", {"12:00", "12"}),
        ("um 12 Uhr nachts", "de", {"0:00", "12"}),
        ("at 12 o'clock at night", "en", {"0:00", "12"}),
        ("um 1 Uhr mittags", "de", {"13:00", "1"}),
        ("um 6 Uhr morgens", "de", {"6:00", "6"}),
        ("um 3 Uhr", "de", {"3:00", "3"}),
        ("um 15:30 los", "de", {"15:30"}),
        ("die 15.30", "de", set()),
        ("die 99 Uhr", "de", set()),
    ],
)
def test_times_in_digits(text: str, language: str, expected: set[str]) -> None:
    assert times(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("um halb vier", "de", "3:30"),
        ("um halb eins", "de", "12:30"),
        ("um halb eins nachts", "de", "0:30"),
        ("um viertel neun", "de", "8:15"),
        ("drei viertel neun", "de", "8:45"),
        ("fünf nach halb drei", "de", "2:35"),
        ("It's half nine", "en", "9:30"),
        ("at six forty", "en", "6:40"),
        ("Viertel nach drei", "de", "3:15"),
        ("um zehn Uhr", "de", "10:00"),
        ("half past three", "en", "3:30"),
        ("a quarter to nine", "en", "8:45"),
        ("at ten o'clock", "en", "10:00"),
    ],
)
def test_times_in_words(text: str, language: str, expected: str) -> None:
    [(start, end, readings)] = clocks_in_words(text, language)
    assert 0 <= start < end <= len(text)
    assert (expected,) in readings


def test_what_is_no_hour_is_no_time() -> None:
    assert clocks_in_words("halb fertig, half past it", "de") == ()
    assert clocks_in_words("half past it", "en") == clocks_in_words("six heures", "fr") == ()


@pytest.mark.parametrize("name", ["²", "⑥", "9" * 5_000])
def test_digits_that_are_no_hour_are_no_time(name: str) -> None:
    assert clocks_in_words(f"um halb {name}", "de") == ()
    assert clocks_in_words(f"at half past {name}", "en") == ()


def test_midnight_is_a_time() -> None:
    assert clocks_in_words("um Mitternacht", "de") == ((3, 14, (("0:00",),)),)
    assert clocks_in_words("at midnight", "en") == ((3, 11, (("0:00",),)),)
