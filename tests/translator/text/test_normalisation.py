"""A sentence as a model reads it, and the way back."""

from __future__ import annotations

import pytest

from translator.text.normalisation import Normalised, denormalise, is_in_capitals, normalise


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("ACHTUNG: NICHT ÖFFNEN!", True),
        ("USB UND HDMI 2.0", True),
        ("NASA", False),
        ("A 1 B", False),
        ("Die NASA", False),
        ("123", False),
    ],
)
def test_capitals(sentence: str, expected: bool) -> None:
    assert is_in_capitals(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "read", "in_capitals", "emoji"),
    [
        ("Der Hund.", "Der Hund.", False, ""),
        ("Ver\u00adwal\u200btung der ﬁnanzen", "Verwaltung der finanzen", False, ""),
        ("ACHTUNG: NICHT ÖFFNEN!", "Achtung: nicht öffnen!", True, ""),
        ("Der Hund 🐶 sieht 🐱.", "Der Hund sieht .", False, " 🐶 🐱"),
        ("NICHT 🐶 ÖFFNEN", "Nicht öffnen", True, " 🐶"),
        ("Ä\u00adP\u00adF\u00adE\u00adL UND BIRNEN", "Äpfel und birnen", True, ""),
    ],
)
def test_a_sentence_as_a_model_reads_it(
    sentence: str, read: str, in_capitals: bool, emoji: str
) -> None:
    assert normalise([sentence]) == [Normalised(read, in_capitals, emoji)]


def test_capitals_are_a_question_about_the_whole_sentence() -> None:
    pieces = normalise(["WICHTIG,", "NICHT"])
    assert [(one.text, one.in_capitals) for one in pieces] == [("Wichtig,", True), ("Nicht", True)]
    pieces = normalise(["NICHT ÖFFNEN,", "sagte er"])
    assert [(one.text, one.in_capitals) for one in pieces] == [
        ("NICHT ÖFFNEN,", False),
        ("sagte er", False),
    ]


def test_a_translation_comes_back_in_the_capitals_of_its_sentence() -> None:
    assert denormalise("Do not open!", True) == "DO NOT OPEN!"
    assert denormalise("Do not open!", False) == "Do not open!"
    assert denormalise("Don\x92t \x96 so\x81", False) == "Don’t – so"
