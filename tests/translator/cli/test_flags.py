"""What has gone wrong is said at the end, numbers with their sentences."""

from __future__ import annotations

import pytest

from translator.cli.flags import SHOWN, FlagReport
from translator.translate.translation import SentenceTranslation, Translation, WrongNumbers

WRONG = Translation(
    text="5,59260 inhabitants",
    flags=("numbers", "retried"),
    sentences=(
        SentenceTranslation(separator="", source="Gut.", text="Good."),
        SentenceTranslation(
            separator=" ",
            source="5.592.260 Einwohner",
            text="5,59260 inhabitants",
            flags=("numbers", "retried"),
            numbers=WrongNumbers(("5.592.260",), ()),
        ),
    ),
)


def test_nothing_is_said_of_what_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    report = FlagReport()
    report.add([Translation(text="a")])
    report.print("Lines")
    assert capsys.readouterr().err == ""


def test_sentences_with_wrong_numbers_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    report = FlagReport()
    assert report.counted(lambda _: [WRONG])(["x"]) == [WRONG]
    report.print("Lines")
    counts, shown = capsys.readouterr().err.splitlines()
    assert counts.startswith("Lines translated once more, since a sentence ran in circles,")
    assert counts.endswith("; with numbers to be checked: 1")
    assert shown == (
        "check the numbers: 5.592.260 Einwohner → 5,59260 inhabitants "
        "(only in the source: 5.592.260; only in the translation: nothing)"
    )


def test_not_all_of_many_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    report = FlagReport()
    report.add([WRONG] * 50)
    report.print("Lines")
    assert len(capsys.readouterr().err.splitlines()) == 1 + SHOWN
