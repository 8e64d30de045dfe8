"""Words in capitals are read as they are ordinarily written."""

from __future__ import annotations

import pytest

from translator.rules.capitals import (
    after_salutation,
    follows_salutation,
    headline_case,
    is_word,
    ordinary_case,
    ordinary_word,
)

FREQUENT = {
    **dict.fromkeys(("haus", "system"), -12.0),
    **dict.fromkeys(("Haus", "System", "NATO", "I", "US", "Straße"), -10.0),
    "us": -8.0,
    **dict.fromkeys(("is", "schnell", "this", "rennt"), -6.0),
    "neu": -9.0,
    "neue": -9.0,
    "This": -7.0,
    "Schnell": -5.0,
    "Rennt": -4.0,
}


def log_prob(text: str) -> float:
    """Take all other words for rare ones, most of all in capitals."""
    return FREQUENT.get(text, -30.0 if text.isupper() else -20.0)


@pytest.mark.parametrize(
    ("sentence", "language", "ordinary"),
    [
        ("DAS HAUS", "de", "Das Haus"),
        ("DIE NATO UND DIE STRASSE!", "de-AT", "Die NATO und die Straße!"),
        ("I SAY: THIS IS US.", "en", "I say: this is us."),
        ("„IS THIS?“", "en", "„Is this?“"),
        ("IT'S 5 O'CLOCK", "en", "It's 5 o'clock"),
        ("HAUS", "", "Haus"),
        ("THIS IS THE CIA, MR. FBI, 5 KM", "en", "This is the CIA, mr. FBI, 5 km"),
        ("1.", "de", "1."),
    ],
)
def test_sentences(sentence: str, language: str, ordinary: str) -> None:
    assert ordinary_case(sentence, language, log_prob) == ordinary


@pytest.mark.parametrize(
    ("above", "target", "first", "written"),
    [
        ("Lieber Nick,", "en", "it took long.", "It took long."),
        ("Dear Anna,", "de", "Neu ist es.", "neu ist es."),
        ("Hello Dr. Miller,", "de", "Haus ist da.", "Haus ist da."),
        ("Dear all,", "de", "Sie Rennt", "Sie Rennt"),
        ("Hi,", "de", "„Schnell“", "„Schnell“"),
        ("Dear Anna,", "fr", "Elle", "Elle"),
    ],
)
def test_a_letter_begins_as_its_language_wants(
    above: str, target: str, first: str, written: str
) -> None:
    assert follows_salutation(above, "\n\n")
    assert not follows_salutation(above, " ")
    assert not follows_salutation(above + " you are", "\n")
    assert after_salutation(first, target, log_prob) == written


def test_german_nouns_have_a_capital_behind_an_article_or_by_their_ending() -> None:
    assert ordinary_word("ABCDEF", "DAS", "de", log_prob) == "Abcdef"
    assert ordinary_word("ABCDEF", "SEHR", "de", log_prob) == "abcdef"
    assert ordinary_word("ABCDEFUNG", "SEHR", "de", log_prob) == "Abcdefung"
    assert ordinary_word("ABCDEFLICHEN", "DAS", "de", log_prob) == "abcdeflichen"
    assert ordinary_case("DIE NEUE ABCDEF", "de", log_prob) == "Die neue Abcdef"
    assert ordinary_word("ABCDEFUNG", "SEHR", "en", log_prob) == "abcdefung"


def test_words_that_begin_sentences_are_frequent_with_a_capital() -> None:
    assert ordinary_word("SCHNELL", "", "de", log_prob) == "Schnell"
    assert ordinary_word("SCHNELL", "", "nl", log_prob) == "schnell"
    assert ordinary_word("RENNT", "", "nl", log_prob) == "rennt"


@pytest.mark.parametrize(
    ("word", "expected"), [("HAUS", True), ("NATO", False), ("US", False), ("NEU", True)]
)
def test_an_acronym_that_stands_alone(word: str, expected: bool) -> None:
    assert is_word(word, "de", log_prob) == expected


@pytest.mark.parametrize(
    ("sentence", "ordinary"),
    [
        ("WIR WEINEN.", "Wir weinen."),
        ("KANN ICH TOM MIETEN?", "Kann ich Tom mieten?"),
        ("TOM IST BRAV.", "Tom ist brav."),
        ("IST SIE DA?", "Ist sie da?"),
        ("HABEN SIE IHRE KARTE?", "Haben Sie Ihre Karte?"),
        ("WIR SEHEN IHRE KARTE.", "Wir sehen ihre Karte."),
    ],
)
def test_a_clause_tells_verbs_adjectives_and_addresses(sentence: str, ordinary: str) -> None:
    frequent = {
        **dict.fromkeys(("Weinen", "Mieten", "Brav", "Sie", "Tom", "Karte", "Haben", "Ist"), -5.0),
        **dict.fromkeys(("weinen", "mieten", "brav", "sie", "karte", "tom", "Sehen"), -7.0),
        "sehen": -6.0,
    }
    assert ordinary_case(sentence, "de", lambda word: frequent.get(word, -20.0)) == ordinary


SMALL = {
    word: -9.0
    for word in ["says", "no", "to", "new", "road", "against", "trade", "rises", "sharply", "york"]
}


@pytest.mark.parametrize(
    ("headline", "read"),
    [
        ("Mayor Says No To New Road", "Mayor says no to new road"),
        ("Trade Against New York Rises Sharply!", "Trade against New York rises sharply!"),
        ("Polívka Says No To NATO, Havel Rises", "Polívka says no to NATO, Havel rises"),
        ('Mayor: New Trade "Rises Sharply" At Road', 'Mayor: New trade "Rises sharply" at road'),
        ("Two Dead After Fire In New Road", "Two dead after Fire in new road"),
    ],
)
def test_a_headline_is_read_in_small_letters_but_for_names(headline: str, read: str) -> None:
    known = {**SMALL, "York": -8.0}
    assert headline_case(headline, lambda word: known.get(word, -30.0)) == read


@pytest.mark.parametrize(
    "sentence",
    [
        *("Mayor Says No", "Mayor Says No To New Road.", "Mayor Says no to New Road rises"),
        *("What is the New Road Challenge?", "NO NEW ROAD SAYS MAYOR"),
        *("The Road to York is New and the trade Rises", ""),
    ],
)
def test_what_is_no_headline_keeps_its_capitals(sentence: str) -> None:
    assert headline_case(sentence, lambda word: SMALL.get(word, -30.0)) == sentence
