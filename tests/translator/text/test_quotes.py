"""Quotation marks inside a quotation."""

from __future__ import annotations

import pytest

from translator.text.quotes import with_end_marks, with_genitives, with_nested_quotes


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("\"A 'Cat' of two\"", "„Eine „Katze“ von zwei“", "„Eine ‚Katze‘ von zwei“"),
        ("“A ‘Cat’ of two”", '„Eine "Katze" von zwei“', "„Eine ‚Katze‘ von zwei“"),
        ("He: \"I'm 'fine'.\"", "Er: „Ich bin „fein“.", "Er: „Ich bin ‚fein‘.“"),
        ("\"A 'Cat',\" he said.", "„Eine „Katze“, sagte er.", "„Eine ‚Katze‘“, sagte er."),
        ("“I see ‘Up’,” he said.", "»Ich sehe »Up«, sagte er.", "„Ich sehe ‚Up‘“, sagte er."),
        ("“I like ‘Up’,” he said.", "»Ich mag »Up««, sagte er.", "„Ich mag ‚Up‘“, sagte er."),
        ("She: “He said ‘no’.”", "Sie: »Er sagte »nein«.", "Sie: „Er sagte ‚nein‘.“"),
        ("“Is it ‘no’?” she asked.", "»Ist es »nein«? fragte sie.", "„Ist es ‚nein‘?“ fragte sie."),
        ("“The ‘cat’ is,” he said.", "»Die »Katze« ist, sagte er.", "»Die »Katze« ist, sagte er."),
        ("\"I saw 'Cats' so\"", '"Ich sah „Katzen“ so"', "„Ich sah ‚Katzen‘ so“"),
        ("\"A 'Cat' here\"", '"Katze" ist "hier"', '"Katze" ist "hier"'),
        ("\"It's Bob's\"", "„Er „ist“ da“", "„Er „ist“ da“"),
        ('"A cat"', "„Eine „Katze“ da“", "„Eine „Katze“ da“"),
    ],
)
def test_a_quotation_in_another(source: str, translation: str, expected: str) -> None:
    assert with_nested_quotes(translation, source) == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("James's brother", "Jamess Bruder", "James’ Bruder"),
        ("Max’s bike is new.", "Maxs Fahrrad ist neu.", "Max’ Fahrrad ist neu."),
        ("Hans' car", "Hanss Auto", "Hans’ Auto"),
        ("Dickens's novels", "Dickens Romane", "Dickens’ Romane"),
        ("Anna's bike", "Annas Fahrrad", "Annas Fahrrad"),
        ("Mr. Jones's house", "Das Haus von Herrn Jones Ecke", "Das Haus von Herrn Jones Ecke"),
        ("St. James's Park", "St. James's Park", "St. James's Park"),
        ("the Smiths' house", "das Smiths Haus", "das Smiths Haus"),
    ],
)
def test_an_apostrophe_behind_names_with_s(source: str, translation: str, expected: str) -> None:
    assert with_genitives(translation, source) == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Komm her!", "Come here.", "Come here!"),
        ("Was soll das???", "What is this??", "What is this???"),
        ("Nein!!!", "No.", "No!!!"),
        ("Bist du da?", "Are you there.", "Are you there."),
        ("Ach!", "Well...", "Well..."),
        ("Ach.", "Well!", "Well!"),
        ("Ach!", "Well", "Well"),
    ],
)
def test_a_translation_ends_as_loudly(source: str, translation: str, expected: str) -> None:
    assert with_end_marks(translation, source) == expected
