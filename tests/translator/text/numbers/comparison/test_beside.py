from __future__ import annotations

import pytest

from translator.text.numbers.comparison.beside import without_sign_or_unit
from translator.text.numbers.mentions import mentions_in


@pytest.mark.parametrize(
    ("german", "english", "expected"),
    [
        ("Es hat -5 Grad.", "It is 5 degrees.", ["5"]),
        ("Es hat −5 Grad.", "It is −5 degrees.", []),
        ("Es hat minus 5 Grad.", "It is 5 degrees below zero.", []),
        ("12 Stück à 4,99 €", "€12 pieces at 4.99", ["4,99"]),
        ("3,2 Mrd. Euro", "3.2 billion", ["3,2 Mrd."]),
    ],
)
def test_the_minus_and_the_unit_must_be_there(
    german: str, english: str, expected: list[str]
) -> None:
    own, other = (german, mentions_in(german, "de")), (english, mentions_in(english, "en"))
    found = without_sign_or_unit(own, other, ("de", "en"))
    assert [mention.text for mention in found] == expected
