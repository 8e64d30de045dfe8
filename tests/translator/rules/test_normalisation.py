"""A sentence as a model reads it, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from translator.rules.normalisation import Case, Normalised, denormalise, is_in_capitals, normalise
from translator.text.characters import WINDOWS

KNOWN = {"nicht": -4.0, "Äpfel": -9.0, "NASA": -9.0, "öffnen": -8.0, "DEUTSCH": -30.0}


def log_prob(text: str) -> float:
    """Take all words but a few for rare ones, in capitals most of all."""
    return KNOWN.get(text, -30.0 if text.isupper() else -20.0)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("ACHTUNG: NICHT ÖFFNEN!", True),
        ("USB UND HDMI 2.0", True),
        ("NASA", False),
        ("DEUTSCH", True),
        ("DEUTSCH 7", True),
        ("A 1 B", False),
        ("A 2 TB SSD", False),
        ("NASA NSW", False),
        ("Die NASA", False),
        ("123", False),
    ],
)
def test_capitals(sentence: str, expected: bool) -> None:
    assert is_in_capitals(sentence, "de", log_prob) == expected


@pytest.mark.parametrize(
    ("sentence", "read", "case", "emoji"),
    [
        ("Der Hund.", "Der Hund.", "ordinary", ""),
        ("Ver\u00adwal\u200btung der ﬁnanzen", "Verwaltung der finanzen", "ordinary", ""),
        ("ACHTUNG: NICHT ÖFFNEN!", "Achtung: nicht öffnen!", "capitals", ""),
        ("Es kostet 1.250,– Euro.", "Es kostet 1.250,– Euro.", "ordinary", ""),
        ("Der Hund 🐶 sieht 🐱.", "Der Hund sieht .", "ordinary", " 🐶 🐱"),
        ("NICHT 🐶 ÖFFNEN", "Nicht öffnen", "capitals", " 🐶"),
        ("ZWEI Ä\u00adP\u00adF\u00adE\u00adL UND NASA", "Zwei Äpfel und NASA", "capitals", ""),
    ],
)
def test_a_sentence_as_a_model_reads_it(sentence: str, read: str, case: Case, emoji: str) -> None:
    assert normalise([sentence], "de", log_prob) == [Normalised(read, case, emoji)]


LABELS = {"bread": -9.0, "Bread": -20.0, "door": -9.0, "Door": -14.0, "rose": -10.0, "Rose": -11.0}
LABELS |= {"mich": -7.0, "Mich": -18.0, "geschirr": -25.0, "Geschirr": -34.0, "nahrung": -22.0}
LABELS |= {"Nahrung": -12.0, "quito": -25.0, "Quito": -29.0, "neu": -9.0, "Neu": -16.0}


@pytest.mark.parametrize(
    ("language", "label", "read", "case"),
    [
        ("en", "Bread", "bread", "capital"),
        ("en", "Bread!", "bread!", "capital"),
        ("en", "Door", "door", "capital"),
        ("en", "Door open", "door open", "capital"),
        ("en", "Door Open", "Door Open", "ordinary"),
        ("en", "Door is open", "Door is open", "ordinary"),
        ("en", "Bread, milk", "Bread, milk", "ordinary"),
        ("en", "Rose", "Rose", "ordinary"),
        ("en", "Quito", "Quito", "ordinary"),
        ("en", "bread", "bread", "ordinary"),
        ("de", "Mich", "mich", "capital"),
        ("de", "Neu Haus", "neu Haus", "capital"),
        ("de", "Geschirr", "Geschirr", "ordinary"),
        ("de", "nahrung", "Nahrung", "ordinary"),
        ("de", "Nahrung", "Nahrung", "ordinary"),
        ("de", "nahrung kaufen", "nahrung kaufen", "ordinary"),
    ],
)
def test_a_word_that_stands_alone_may_be_read_as_the_vocabulary_knows_it(
    language: str, label: str, read: str, case: Case
) -> None:
    other = read if read != label else ""
    assert normalise([label], language, lambda text: LABELS.get(text, -30.0)) == [
        Normalised(label, case, "", other)
    ]


def test_a_word_that_stood_alone_gets_its_capital_back() -> None:
    assert denormalise("zu Hause", "capital", log_prob) == "Zu Hause"


def test_capitals_are_a_question_about_the_whole_sentence() -> None:
    pieces = normalise(["WICHTIG,", "NICHT"], "de", log_prob)
    assert [one[:2] for one in pieces] == [("Wichtig,", "capitals"), ("Nicht", "capitals")]
    pieces = normalise(["NICHT ÖFFNEN,", "sagte er"], "de", log_prob)
    assert [one[:2] for one in pieces] == [("NICHT ÖFFNEN,", "ordinary"), ("sagte er", "ordinary")]


def test_a_translation_comes_back_in_the_capitals_of_its_sentence() -> None:
    assert denormalise("Do not open!", "capitals", log_prob) == "DO NOT OPEN!"
    assert denormalise("Do not open!", "ordinary", log_prob) == "Do not open!"
    assert denormalise("Don\x92t \x96 so\x81", "ordinary", log_prob) == "Don’t – so"


@pytest.mark.parametrize(
    ("sentence", "target", "read", "case"),
    [
        ("the following documents", "de", "The following documents", "small"),
        ("the following documents", "de-AT", "The following documents", "small"),
        ("the following documents", "fr", "the following documents", "ordinary"),
        ("documents for Berlin now", "de", "documents for Berlin now", "ordinary"),
        ("to open", "de", "to open", "ordinary"),
        ("step 3 done", "de", "Step 3 done", "small"),
        ("3 eggs", "de", "3 eggs", "ordinary"),
        ("you help me? i lost my keys.", "de", "You help me? I lost my keys.", "small"),
        ("e.g. a house and a garden", "de", "e.g. a house and a garden", "small"),
        ("http://a.b/c is not there", "de", "http://a.b/c is not there", "small"),
        ("e-mail the house to me", "de", "e-mail the house to me", "small"),
    ],
)
def test_a_sentence_is_read_as_its_target_needs_it(
    sentence: str, target: str, read: str, case: Case
) -> None:
    assert normalise([sentence], "en", log_prob, target) == [Normalised(read, case, "")]


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        ("Die folgenden Dokumente", "die folgenden Dokumente"),
        ("Äpfel sind gut. Nicht öffnen!", "Äpfel sind gut. nicht öffnen!"),
        ("E-Mail senden", "E-Mail senden"),
        ("Sie haben Ihren Pass", "Sie haben Ihren Pass"),
        ("", ""),
    ],
)
def test_small_letters_come_back_but_nouns_keep_their_capitals(
    translation: str, expected: str
) -> None:
    assert denormalise(translation, "small", log_prob) == expected


WORDS = st.sampled_from(["die", "und", "nicht", "Äpfel", "Haus", "straße", "e.g.", "Sie", "%", "3"])


@example(["¼A"], "")
@example(["A\u066eA"], "")
@given(
    words=st.lists(st.one_of(WORDS, st.text(max_size=6)), min_size=1, max_size=8),
    end=st.sampled_from(["", ".", "? Und so", ". nicht"]),
)
def test_small_letters_change_the_case_of_first_letters_alone(words: list[str], end: str) -> None:
    text = " ".join(words).translate(WINDOWS) + end
    assume(len(text.lower()) == len(text))
    written = denormalise(text, "small", log_prob)
    assert written.lower() == text.lower()
    changed = [place for place, char in enumerate(text) if written[place] != char]
    assert all(text[place].isupper() for place in changed)
    assert all(place == 0 or text[:place].rstrip()[-1] in ".!?" for place in changed)


@pytest.mark.parametrize(
    ("languages", "sentence", "read", "translation", "expected"),
    [
        ("en-de", "You must NOT go.", "You must not go.", "Du darfst nicht.", "Du darfst NICHT."),
        ("en-de", "It MUST NOT be.", "It must not be.", "Es darf nicht.", "Es DARF NICHT."),
        ("en-de", "A client MUST send it.", "A client must send it.", "Er muss.", "Er MUSS."),
        ("de-en", "Das geht NICHT.", "Das geht nicht.", "It doesn't work.", "It DOESN'T work."),
        ("en-de", "The NOT operator", "The NOT operator", "Der NOT-Operator nicht", ""),
        ("en-de", "The key MUST is set.", "The key must is set.", "Der Wert MUSS", ""),
        ("en-de", "It is VERY nice.", "It is VERY nice.", "Es ist sehr nett.", ""),
        ("en-de", 'Set "MUST" to 1', 'Set "MUST" to 1', "„MUST“ muss", ""),
    ],
)
def test_what_is_forbidden_or_demanded_is_shouted_again(
    languages: str, sentence: str, read: str, translation: str, expected: str
) -> None:
    source, target = languages.split("-")
    [found] = normalise([sentence], source, log_prob, target)
    assert found.text == read
    shouted = denormalise(translation, found.case, log_prob, found.shouted, target)
    assert shouted == (expected or translation)
