"""A lexicon gives a word that stands alone its meaning, in exactly the spelling it has."""

from __future__ import annotations

import pytest

from translator.errors import ModelDirectoryError
from translator.tokens.lexicon import LEXICON, Lexicon

WORDS = Lexicon.of_words(
    [
        ("de", "en", "Perücke", "wig"),
        ("de", "en", "verlor", "lost"),
        ("en", "de", "wig", "Perücke"),
        ("en", "de", "wigs", "Perücken"),
        ("en", "de", "good-natured", "gutmütig"),
    ]
)


@pytest.mark.parametrize(
    ("text", "pair", "expected"),
    [
        ("Perücke", "de-en", "wig"),
        ("wig", "en-de", "Perücke"),
        ("wigs", "en-de", "Perücken"),
        ("good-natured", "en-de", "gutmütig"),
        ("verlor!", "de-en", "lost!"),
        ("verlor", "de-en", "lost"),
        ("Verlor", "de-en", None),
        ("Perücke", "en-de", None),
        ("Perück", "de-en", None),
        ("wig wigs", "en-de", None),
        ("verlor.", "de-en", "lost."),
        ("wig.", "en-de", None),
        ("en\tde\twig", "en-de", None),
        ("", "de-en", None),
    ],
)
def test_a_word_has_a_translation_if_it_stands_alone(
    text: str, pair: str, expected: str | None
) -> None:
    assert WORDS.translation(text, *pair.split("-")) == expected


def test_a_file_keeps_it_and_need_not_end_with_a_line_break() -> None:
    assert (
        Lexicon(WORDS.content.rstrip(b"\n")).translation("good-natured", "en", "de") == "gutmütig"
    )
    assert Lexicon(b"").translation("wig", "en", "de") is None


def test_letters_are_composed() -> None:
    words = Lexicon.of_words([("de", "en", "u\u0308ben", "practise")])
    assert words.translation("üben", "de", "en") == "practise"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"de\ten\tHaus\thouse\nde\ten\tHund\n", f"{LEXICON}, line 2: must have a language"),
        (b"de\ten\tHaus\t\n", f"{LEXICON}, line 1: must have a language"),
        (b"de\ten\tHaus\thouse\tdog\n", f"{LEXICON}, line 1: must have a language"),
        (b"de\ten\tB\xe4r\tbear\n", f"{LEXICON}: is not in UTF-8"),
    ],
)
def test_a_damaged_file_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(ModelDirectoryError, match=message):
        Lexicon(content)


PHRASES = WORDS.with_entries(
    [
        ("de", "en", "Guten Appetit", "Enjoy your meal"),
        ("de", "en", "guten appetit", "enjoy your meal"),
        ("de", "en", "Hals- und Beinbruch", "Break a leg"),
        ("de", "en", "Danke, gut", "Fine, thanks"),
        ("de", "en", "Gesundheit!", "Bless you!"),
        ("de", "en", "Perücke", "hairpiece"),
    ]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Guten Appetit", "Enjoy your meal"),
        ("Guten Appetit!", "Enjoy your meal!"),
        ("Guten Appetit.", "Enjoy your meal."),
        ("guten appetit", "enjoy your meal"),
        ("Guten appetit!", "Enjoy your meal!"),
        ("guten Appetit", "enjoy your meal"),
        ("Guten Appetit allen", None),
        ("Einen guten Appetit", None),
        ("Hals- und Beinbruch!", "Break a leg!"),
        ("hals- und beinbruch", None),
        ("Danke, gut.", "Fine, thanks."),
        ("Gesundheit!", "Bless you!"),
        ("Gesundheit", None),
        ("Perücke", "hairpiece"),
        ("verlor", "lost"),
        (" ".join(["Guten"] * 5000), None),
    ],
)
def test_a_set_phrase_has_a_translation_if_it_stands_alone(text: str, expected: str | None) -> None:
    assert PHRASES.translation(text, "de", "en") == expected
