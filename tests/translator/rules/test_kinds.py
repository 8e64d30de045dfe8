"""Units beside numbers, as CLDR names them."""

from __future__ import annotations

import re

import pytest

from translator.rules.kinds import has_unit, unit_beside


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("3,5 % mehr", "de", "percent"),
        ("5 Prozent", "de", "percent"),
        ("$5", "en", "USD"),
        ("US$ 5", "en", "USD"),
        ("5 €", "de", "EUR"),
        ("5 pounds", "en", "GBP"),
        ("5 lbs", "en", "pound"),
        ("5 Kilometer", "de", "kilometre"),
        ("5 km/h", "en", "kilometre an hour"),
        ("5-GB", "en", "gigabyte"),
        ("5 Hunde", "de", None),
        ("5m people", "en", None),
        ("5 euros", "xx", None),
        ("5 kilomètres", "fr", "kilometre"),
    ],
)
def test_a_unit_is_found(text: str, language: str, expected: str | None) -> None:
    digits = re.search("[0-9,]+", text)
    assert digits
    assert unit_beside(text, *digits.span(), language) == expected


def test_it_may_be_written_in_any_form() -> None:
    for text in ("5%", "five per cent", "5 percentage points", "5pc"):
        assert has_unit(text, "percent", "en"), text
    assert not has_unit("5 euros", "percent", "en")
    assert not has_unit("tapping", "GBP", "en"), "a letter is no word"
    assert has_unit("5", "percent", "xx"), "nobody knows"
