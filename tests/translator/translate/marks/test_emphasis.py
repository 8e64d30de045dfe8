"""Shouted words are put back by attention."""

from __future__ import annotations

from translator.text.capitals import Emphasised
from translator.text.marked import MarkedText
from translator.translate.marks.emphasis import places_within, shouted, with_sources
from translator.translate.translation import AlignedWord, SentenceTranslation, TranslatedWord

TEXT = "Sehr gut. Sehr alt."
FIRST = SentenceTranslation(separator="", source="Sehr gut.", text="Very good.")
SECOND = SentenceTranslation(separator=" ", source="Sehr alt.", text="Very old.")
LAST = SentenceTranslation(separator="", source="", text="")


def word(start: int, end: int, *sources: tuple[int, int]) -> TranslatedWord:
    return TranslatedWord(start, end, -0.1, tuple(AlignedWord(*one, 0.5) for one in sources))


def test_places_are_counted_from_each_sentence() -> None:
    emphasised = Emphasised(MarkedText(TEXT), ((0, 4), (15, 18)))
    found = list(places_within(emphasised, [FIRST, SECOND, LAST]))
    assert [places for _, places in found] == [[(0, 4)], [(5, 8)], []]


def test_words_that_come_most_from_a_shouted_one_are_shouted() -> None:
    words = [word(0, 4, (0, 4), (5, 8)), word(5, 9, (5, 8), (0, 4))]
    assert shouted(FIRST, [(0, 4)], words).text == "VERY good."
    assert shouted(FIRST, [(5, 8)], words).text == "Very GOOD."
    assert shouted(FIRST, [(0, 4)], [word(0, 4)]) == FIRST
    assert shouted(FIRST, [(0, 4)], None) == FIRST


def test_sources_are_told_as_they_were() -> None:
    found = list(with_sources("SEHR gut. Sehr ALT.", [FIRST, SECOND, LAST]))
    assert [one.source for one in found] == ["SEHR gut.", "Sehr ALT.", ""]
    assert [one.text for one in found] == [FIRST.text, SECOND.text, ""]
