"""Names below the closings of letters, and addresses."""

from __future__ import annotations

import pytest

from translator.text.letters import lines_that_stay
from translator.text.segmentation import split


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Thank you.\n\nCheers,\nMark", "Mark"),
        ("Kind regards,\nGrant\nHead of Sales", "Grant"),
        ("See you then. Love,\nJoy", "Joy"),
        ("Yours faithfully,\n\nDr. J. Carpenter-King", "Dr. J. Carpenter-King"),
        ("Viele Grüße\nMarie Kurz\n", "Marie Kurz"),
        ("Mit freundlichem Gruß\r\nPetra von der Jung\r\n", "Petra von der Jung"),
        ("Gruß\nWolf", "Wolf"),
        ("Cheers,\nDad", ""),
        ("Mit freundlichen Grüßen\nGeschäftsführung", ""),
        ("Mit freundlichen Grüßen\nIhr Jan", ""),
        ("Kind regards,\nThe Sales Team", ""),
        ("Many thanks,\nthe key is here", ""),
        ("Kind regards,\nMark told me all of it.", ""),
        ("Thanks\nSave\nOpen", ""),
        ("He is the best\nMark", ""),
    ],
)
def test_lines_that_stay(text: str, name: str) -> None:
    found = [text[start:end] for start, end in lines_that_stay(text)]
    assert found == ([name] if name else [])


@pytest.mark.parametrize(
    "text", ["Regards,\n" + "A" * 50_000 + "!", "Best,\nA" + " " * 50_000 + "!"]
)
def test_a_long_line_below_a_closing_takes_no_time(text: str) -> None:
    assert lines_that_stay(text) == []


def test_lines_of_a_german_address_stay() -> None:
    text = "Marie Kurz\nAn der Alten Mühle 2a\nD-37073 Göttingen\nPostfach 12 34\n10117 Berlin\n"
    found = [text[start:end] for start, end in lines_that_stay(text)]
    assert found == ["An der Alten Mühle 2a", "D-37073 Göttingen", "10117 Berlin"]
    assert lines_that_stay("Im Jahr\n20000 Menschen") == []


def test_a_name_that_signs_is_no_sentence() -> None:
    segments = split("Thank you.\n\nCheers,\nMark\nHead of Sales", "en")
    assert segments.sentences == ("Thank you.", "Cheers,", "Head of Sales")
    assert segments.separators[2] == "\nMark\n"
