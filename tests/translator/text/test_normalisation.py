"""A sentence as a model reads it, and the way back."""

from __future__ import annotations

import pytest

from translator.text.normalisation import Normalised, denormalise, is_in_capitals, normalise

KNOWN = {"nicht": -4.0, "Äpfel": -9.0, "NASA": -9.0, "öffnen": -8.0, "DEUTSCH": -30.0}


def log_prob(text: str) -> float:
    """Take all words but a few for rare ones, in capitals most of all."""
    return KNOWN.get(text, -30.0 if text.isupper() else -20.0)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("ACHTUNG: NICHT ÖFFNEN!", True),
        ("USB UND HDMI 2.0", True),
        ("NASA", False),
        ("DEUTSCH", True),
        ("DEUTSCH 7", True),
        ("A 1 B", False),
        ("Die NASA", False),
        ("123", False),
    ],
)
def test_capitals(sentence: str, expected: bool) -> None:
    assert is_in_capitals(sentence, "de", log_prob) == expected


@pytest.mark.parametrize(
    ("sentence", "read", "in_capitals", "emoji"),
    [
        ("Der Hund.", "Der Hund.", False, ""),
        ("Ver\u00adwal\u200btung der ﬁnanzen", "Verwaltung der finanzen", False, ""),
        ("ACHTUNG: NICHT ÖFFNEN!", "Achtung: nicht öffnen!", True, ""),
        ("Es kostet 1.250,– Euro.", "Es kostet 1.250 Euro.", False, ""),
        ("Sie kostet 5,-- und 12,-.", "Sie kostet 5 und 12.", False, ""),
        ("Das Tor in der 90.+3 Minute.", "Das Tor in der 90+3 Minute.", False, ""),
        ("Am 5., -3 Grad, 1,5 und 2,-3.", "Am 5., -3 Grad, 1,5 und 2,-3.", False, ""),
        ("Der Hund 🐶 sieht 🐱.", "Der Hund sieht .", False, " 🐶 🐱"),
        ("NICHT 🐶 ÖFFNEN", "Nicht öffnen", True, " 🐶"),
        ("ZWEI Ä\u00adP\u00adF\u00adE\u00adL UND NASA", "Zwei Äpfel und NASA", True, ""),
    ],
)
def test_a_sentence_as_a_model_reads_it(
    sentence: str, read: str, in_capitals: bool, emoji: str
) -> None:
    assert normalise([sentence], "de", log_prob) == [Normalised(read, in_capitals, emoji)]


def test_capitals_are_a_question_about_the_whole_sentence() -> None:
    pieces = normalise(["WICHTIG,", "NICHT"], "de", log_prob)
    assert [(one.text, one.in_capitals) for one in pieces] == [("Wichtig,", True), ("Nicht", True)]
    pieces = normalise(["NICHT ÖFFNEN,", "sagte er"], "de", log_prob)
    assert [(one.text, one.in_capitals) for one in pieces] == [
        ("NICHT ÖFFNEN,", False),
        ("sagte er", False),
    ]


def test_a_translation_comes_back_in_the_capitals_of_its_sentence() -> None:
    assert denormalise("Do not open!", True) == "DO NOT OPEN!"
    assert denormalise("Do not open!", False) == "Do not open!"
    assert denormalise("Don\x92t \x96 so\x81", False) == "Don’t – so"


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        ("No. 5 is alive.", "Number 5 is alive."),
        ("no. 5", "Number 5"),
        ("Chanel no. 5", "Chanel No. 5"),
        ("No. She is not.", "No. She is not."),
    ],
)
def test_a_number_is_no_answer(sentence: str, read: str) -> None:
    [found] = normalise([sentence], "en", log_prob)
    assert found.text == read
