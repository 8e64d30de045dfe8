"""Single words that were left in the source language."""

from __future__ import annotations

import pytest

from translator.detection.own_words import is_own_word

RARE = {"Lischke"}


def log_prob(word: str) -> float:
    return -40.0 if word in RARE else -10.0


@pytest.mark.parametrize(
    ("text", "source", "target", "expected"),
    [
        ("Speichern", "de", "en", True),
        ("Einstellungen:", "de", "en", True),
        ("„Übersetzung“", "de", "en", True),
        ("nothing", "en", "de", True),
        ("Speichern", "en", "de", False),
        ("Computer", "de", "en", False),
        ("Software", "de", "en", False),
        ("Restaurant", "de", "en", False),
        ("Lischke", "de", "en", False),
        ("und", "de", "en", False),
        ("Bitte speichern", "de", "en", False),
        ("123", "de", "en", False),
        ("Speichern", "", "en", False),
    ],
)
def test_words(text: str, source: str, target: str, expected: bool) -> None:
    assert is_own_word(text, source, target, log_prob) == expected
