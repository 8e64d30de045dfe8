"""Negations that a translation has lost or made up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translator.rules.negation import turned_round

YES = {
    "de": ["Der Zug kam pünktlich", "Sie mag den Tee", "Alle haben die Frage verstanden"],
    "en": ["The train came on time", "She likes the tea", "Everybody understood the question"],
}
NO = {
    "de": ["Der Zug kam nicht", "Sie mag keinen Tee", "Niemand hat die Frage verstanden"],
    "en": ["The train didn’t come", "She doesn't like tea", "Nobody understood the question"],
}
BESIDE = {
    "de": ["", "Wie gesagt: ", "Gestern Abend um 8 Uhr hieß es: ", "{{name}} sagt: "],
    "en": ["", "As I said: ", "Yesterday at 8 pm we heard: ", "{{name}} says: "],
}
PAIRS = [("de", "en"), ("en", "de")]


@given(
    st.sampled_from(PAIRS),
    st.integers(0, 2),
    st.integers(0, 3),
    st.booleans(),
    st.booleans(),
    st.sampled_from([".", "!", "", " (1)."]),
)
@settings(derandomize=True, database=None)
def test_a_negation_is_lost_if_only_the_source_has_it(
    pair: tuple[str, str], which: int, beside: int, negates: bool, is_right: bool, end: str
) -> None:
    source, target = pair
    mine, right, wrong = (NO, NO, YES) if negates else (YES, YES, NO)
    text = BESIDE[source][beside] + mine[source][which] + end
    theirs = right if is_right else wrong
    translation = BESIDE[target][beside] + theirs[target][which] + end
    assert turned_round(source, target, text)(translation) == (not is_right)


@pytest.mark.parametrize(
    ("source", "text", "translation"),
    [
        ("en", "Don't translate {{ variable }}", "Übersetzen Sie {{ variable }}"),
        (
            "en",
            "A job like this is not something you achieve overnight",
            "Ein Job wie dieser ist etwas, den man über Nacht erreicht",
        ),
        ("de", "Der Arzt riet von der Reise ab.", "The doctor advised the trip."),
        ("de", "Kaum jemand kam.", "Just someone came."),
        ("en", "I strongly disagree", "Ich stimme Ihnen stark zu"),
        ("en", "Nobody answered this question.", "Man hat diese Frage beantwortet."),
        ("de", "Nie habe ich davon gehört.", "Now I heard about it."),
        ("de", "Kaum jemand kam.", "No sooner anyone came."),
        ("de", "Kaum war er zu sehen.", "He was to be seen."),
        ("de", "Kaum ein Mensch, den ich kannte, war da.", "One man whom I knew was there."),
        ("de", "Sie leben in Not.", "They don't live in need."),
        ("de", "Er sprach: „Die Not ist groß.“", "He said, “The need is not great.”"),
    ],
)
def test_what_says_the_opposite(source: str, text: str, translation: str) -> None:
    target = "de" if source == "en" else "en"
    assert turned_round(source, target, text)(translation)


@pytest.mark.parametrize(
    ("source", "text", "translation"),
    [
        ("de", "Das ist nicht möglich.", "That is impossible."),
        ("de", "Er hat keine Arbeit.", "He is unemployed."),
        ("de", "Der Arzt riet von der Reise ab.", "The doctor advised against the trip."),
        ("de", "Du kommst doch, nicht wahr?", "You will come, won't you?"),
        ("de", "Das ist schön, nicht?", "That is nice."),
        ("de", "Nicht nur Kinder lachten.", "Children and others laughed."),
        ("en", "You like it, don't you?", "Du magst es."),
        ("en", "I don't care what you think.", "Es ist mir egal, was du denkst."),
        ("en", "He didn't come until Monday.", "Er kam erst am Montag."),
        ("en", "See page No. 5.", "Siehe Seite 5."),
        ("en", "Flight no. LH402", "Flugnr. LH402"),
        ("en", "The no. of guests is 5.", "Die Anzahl der Gäste ist 5."),
        ("de", "Zimmer-Nr.", "Room No."),
        ("en", "I strongly disagree.", "Ich bin ganz anderer Meinung."),
        ("en", "He failed to come.", "Er kam nicht."),
        ("en", "Why don't we go?", "Gehen wir doch!"),
        ("de", "Kaum war er da, ging sie.", "As soon as he was there, she went."),
        (
            "de",
            "Kaum hörte Tom das Telefon, ging er heran.",
            "Tom heard the phone and answered it.",
        ),
        ("de", "Kaum hat ein Tag begonnen, ist er vorbei.", "As soon as a day begins, it is over."),
        ("de", "Kaum dass er mich sah, lief er weg.", "As soon as he saw me, he ran away."),
        ("de", "Sie war kaum da, als er ging.", "No sooner was she there than he went."),
        ("en", "He had no sooner come than she went.", "Sobald er da war, ging sie."),
    ],
)
def test_what_says_the_same_in_another_way(source: str, text: str, translation: str) -> None:
    target = "de" if source == "en" else "en"
    assert not turned_round(source, target, text)(translation)


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ('Er sagte: "No way, I\'m not doing that!"', 'He said: "No way, I\'m not doing that!"'),
        ('Gestern sah ich "No Time to Die".', 'Yesterday I saw "No Time to Die".'),
        ("Die No Angels singen wieder.", "The No Angels sing again."),
        ("Ich mag Dr. No.", "I like Dr. No."),
        ("Auf dem Schild steht „No Smoking“.", "The sign says “No Smoking”."),
        ("Sie trägt No-Name-Schuhe.", "She wears no-name shoes."),
        ("Das Meeting um 10 a.m. war not so good.", "The meeting at 10 a.m. was not so good."),
        ("Der Film heißt „Don’t Look Up“.", "The film is called “Don’t Look Up”."),
        ("An der Tür hängt „Do Not Disturb“.", "On the door is “Do Not Disturb”."),
        ("Der Film heißt „Keine Zeit“.", "The film is called “Keine Zeit”."),
    ],
)
def test_a_negation_in_a_title_or_quotation_may_be_kept(german: str, english: str) -> None:
    assert not turned_round("de", "en", german)(english)
    assert not turned_round("en", "de", english)(german)


def test_of_other_languages_nothing_is_said() -> None:
    assert not turned_round("fr", "en", "Il ne vient pas.")("He is coming.")
