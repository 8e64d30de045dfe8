"""Single words that were left in the source language, and sentences of the other one."""

from __future__ import annotations

import pytest

from translator.detection.own_words import is_in_target, is_own_word

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


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ich komme mit dem Bus, das ist kein Problem.", True),
        ("I come by bus, that is no problem.", False),
        ("Ich bin total busy today and happy.", False),
        ("Das ist gut.", False),
        ("Siemens AG München", False),
        ("Die Zeit and Der Spiegel are German.", False),
    ],
)
def test_a_sentence_that_is_german_already(sentence: str, expected: bool) -> None:
    assert is_in_target(sentence, "en", "de") == expected
    assert is_in_target(sentence, "en-GB", "de") == expected
    assert not is_in_target(sentence, "", "de")
