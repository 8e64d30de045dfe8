"""Words directly behind a mark are read as behind a space."""

from __future__ import annotations

import time

import pytest

from translator.text.word_starts import with_spaces_behind_marks, without_spaces_behind_marks


def known(text: str) -> float:
    """Know all words but those of paths."""
    return -40.0 if text in ("refs", "usr") else -5.0


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('The "grey" one', 'The " grey" one'),
        ("“very nice,” she said", "“ very nice,” she said"),
        ("'fresh' and (“old”)", "' fresh' and (“ old”)"),
        ("tenant/landlord and/or his/her guest", "tenant / landlord and/or his / her guest"),
    ],
)
def test_a_short_quotation_and_a_slash_have_spaces(text: str, read: str) -> None:
    assert with_spaces_behind_marks(text, "en", known) == read


def test_a_german_quotation_stays() -> None:
    assert (
        with_spaces_behind_marks('"grau" und Mieter/Gast', "de", known)
        == '"grau" und Mieter / Gast'
    )


@pytest.mark.parametrize(
    "text",
    [
        "No marks, it's a dog's life, rock 'n' roll, the '90s and 'em",
        '"EU", 5", "2019", "Dallas", "Primary Colors"',
        '"this is a sentence of many words."',
        "a/b, TCP/IP, km/h, one/two/three, https://x.org/path, either/or.txt, %name/value",
        "See refs/tags and lib/usr",
        "text/plain, and/or, der/das, des Laufwerks/der Partition",
    ],
)
def test_names_paths_and_what_is_long_stay(text: str) -> None:
    assert with_spaces_behind_marks(text, "en", known) == text


@pytest.mark.parametrize(
    ("translation", "source", "expected"),
    [
        (
            'Das „ Graue“ und " gut" („ alt“)',
            'The "grey", "good" ("old")',
            'Das „Graue“ und "gut" („alt“)',
        ),
        ('Er sagte "ja" und ging', 'He said "yes" and went', 'Er sagte "ja" und ging'),
        ("Mieter / Vermieter", "tenant/landlord", "Mieter/Vermieter"),
        ("Mieter / Vermieter", "tenant / landlord", "Mieter / Vermieter"),
        ('Das " Graue"', 'The " grey"', 'Das " Graue"'),
    ],
)
def test_a_translation_has_no_spaces_that_the_text_lacks(
    translation: str, source: str, expected: str
) -> None:
    assert without_spaces_behind_marks(translation, source) == expected


@pytest.mark.parametrize(
    "text", ['"' * 99_999, "'a " * 70_000, "a/" * 70_000, '"' + "ab " * 70_000]
)
def test_marks_without_end_take_no_time(text: str) -> None:
    start = time.perf_counter()
    without_spaces_behind_marks(with_spaces_behind_marks(text, "en", known), text)
    assert time.perf_counter() - start < 5
