"""From which language a text is translated, and each of its sentences."""

from __future__ import annotations

import time

import pytest

from translator.detection.detector import Detector
from translator.detection.sources import SourceFinder
from translator.errors import UnreadLanguageError

GERMAN = "Wir treffen uns heute um neun im großen Saal."
ENGLISH = "Good morning, everyone."


@pytest.fixture(scope="module")
def finder() -> SourceFinder:
    return SourceFinder(Detector(["de", "en"]), ["de", "en"])


@pytest.mark.parametrize(
    ("text", "language"),
    [(GERMAN, "de"), (ENGLISH, "en"), (f"{ENGLISH} {GERMAN}", "de"), ("12:30", "en"), ("", "en")],
)
def test_a_text_is_in_the_language_of_most_of_it(
    finder: SourceFinder, text: str, language: str
) -> None:
    assert finder.of_text(text).language == language


def test_what_nobody_can_tell_is_the_first_where_english_is_not_translated(
    finder: SourceFinder,
) -> None:
    assert SourceFinder(finder.detector, ["fr", "de"]).of_text("12:30").language == "fr"


def test_a_language_that_no_model_reads_is_named(finder: SourceFinder) -> None:
    text = "La tua password non è corretta"
    with pytest.raises(UnreadLanguageError, match=r"the file seems to be in Italian \(it, 9"):
        finder.of_text(text, "the file")


@pytest.mark.parametrize("main", ["de", "en"])
@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        (GERMAN, "de"),
        (ENGLISH, "en"),
        ("She wrote that nobody had read the report.", "en"),
        ("Das Buch liegt noch auf dem Tisch.", "de"),
        ("Angela Merkel, Berlin", None),
        ("Office 365 Pro Plus", None),
        ("Hello!", None),
        ("12:30", None),
        ("`git push origin main`", None),
    ],
)
def test_a_sentence_is_in_another_language_only_if_that_is_clear(
    finder: SourceFinder, sentence: str, language: str | None, main: str
) -> None:
    assert finder.of_sentences([sentence], main) == [language or main]
    text = f"{sentence}\n12"
    assert finder.is_mixed(text, main) == (language not in (None, main))


def test_a_language_that_is_not_translated_there_is_none(finder: SourceFinder) -> None:
    assert SourceFinder(finder.detector, ["de"]).of_sentences([ENGLISH], "de") == ["de"]


def test_languages_without_spaces_have_few_words() -> None:
    finder = SourceFinder(Detector(["de", "zh"]), ["de", "zh"])
    chinese = "今天我们在大厅里见面。"
    assert finder.of_sentences([GERMAN, chinese, "今天。"], "de") == ["de", "zh", "de"]


@pytest.mark.parametrize("unit", ["<!--", "<script ", "</script", "<a "])
def test_no_tags_that_are_never_closed_take_long(finder: SourceFinder, unit: str) -> None:
    """Work that grew with the square of the length would take minutes."""
    finder.of_text(GERMAN)  # loads the detector
    started = time.process_time()
    finder.of_text(GERMAN + unit * 100_000, is_markup=True)
    assert time.process_time() - started < 10


def test_what_is_never_closed_counts_for_no_language(finder: SourceFinder) -> None:
    text = f"<p>{GERMAN}</p><!-- {ENGLISH} {ENGLISH} {ENGLISH}"
    assert finder.of_text(text, is_markup=True).language == "de"
