"""Places in the Bible are written as the other language writes them."""

from __future__ import annotations

import pytest

from translator.text.numbers.amounts import amounts_in


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Wie in Joh 3,16 steht", ["John 3:16"]),
        ("1. Korinther 13,4–7 und 2. Mose 20,3", ["1 Corinthians 13:4–7", "Exodus 20:3"]),
        ("Vgl. Röm. 8,28; Mt 5,3-12.", ["Romans 8:28", "Matthew 5:3-12"]),
        ("Gen 1,1–2,4", ["Genesis 1:1–2:4"]),
        ("Lukas 5,3 km, Markus 1,80 m, Daniel 2,5 Stunden", []),
        ("Der Lukas 3 und Johannes 10,50 €", []),
    ],
)
def test_verses_in_english(german: str, english: list[str]) -> None:
    found = [amount.written for amount in amounts_in(german, ("de", "en"))]
    assert [one for one in found if "€" not in one] == english


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("John 3:16 and Psalms 119:105", ["Johannes 3,16", "Psalm 119,105"]),
        ("1 Peter 1:3–5, Genesis 1:1", ["1. Petrus 1,3–5", "1. Mose 1,1"]),
        ("Meet John 3:30 pm, at 3:16", []),
    ],
)
def test_verses_in_german(english: str, german: list[str]) -> None:
    assert [amount.written for amount in amounts_in(english, ("en", "de"))] == german
