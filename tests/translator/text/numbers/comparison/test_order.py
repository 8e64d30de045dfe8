from __future__ import annotations

import pytest

from translator.text.numbers.comparison.order import turned
from translator.text.numbers.mentions import mentions_in


def told(german: str, english: str) -> list[tuple[str, str]]:
    ours, theirs = mentions_in(german, "de"), mentions_in(english, "en", is_translation=True)
    return [(one.text, other.text) for one, other in turned((german, ours), (english, theirs))]


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Es stand 51,2 zu 48,8 Prozent.", "It was 48.8 to 51.2 percent."),
        ("Die Chancen stehen 100 zu 1.", "The odds are 1 to 100."),
        ("Das Verhältnis ist 1:3.", "The ratio is 3:1."),
        ("Das Verhältnis ist 1:3.", "The ratio is 3 to 1."),
        ("die Seiten 5–7", "pages 7–5"),
        ("Wir verloren mit 51,2 zu 48,8 Prozent.", "We lost by 48.8 to 51.2 percent."),
    ],
)
def test_two_numbers_in_the_other_order_are_told(german: str, english: str) -> None:
    assert len(told(german, english)) == 1


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Es stand 51,2 zu 48,8 Prozent.", "It was 51.2–48.8 percent."),
        ("Bayern verlor 1:3.", "Bayern lost 3-1."),  # English has the winner's score first
        ("Mit 206 zu 227 Stimmen abgelehnt.", "Rejected by 227 to 206."),
        ("um 15:30 oder 30:15", "at 15:30 or 30:15"),
        ("von 30 auf 40", "to 40 from 30"),
        ("5 bis 7, 7 bis 5", "7 to 5"),
        ("ohne Zahlen", "no numbers"),
    ],
)
def test_the_same_order_and_scores_are_not(german: str, english: str) -> None:
    assert told(german, english) == []
