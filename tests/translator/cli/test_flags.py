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
    report.print("lines")
    assert capsys.readouterr().err == ""


def test_sentences_with_wrong_numbers_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    report = FlagReport()
    assert report.counted(lambda _: [WRONG])(["x"]) == [WRONG]
    report.print("lines")
    counts, shown = capsys.readouterr().err.splitlines()
    assert counts.startswith("1 lines had a sentence that")
    assert counts.endswith("and 1 have numbers to be checked")
    assert shown == (
        "check the numbers: 5.592.260 Einwohner → 5,59260 inhabitants "
        "(only in the source: 5.592.260; only in the translation: nothing)"
    )


def test_not_all_of_many_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    report = FlagReport()
    report.add([WRONG] * 50)
    report.print("lines")
    assert len(capsys.readouterr().err.splitlines()) == 1 + SHOWN
