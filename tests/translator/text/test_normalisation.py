"""A sentence as a model reads it, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from translator.text.characters import WINDOWS
from translator.text.normalisation import Case, Normalised, denormalise, is_in_capitals, normalise

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
        ("Es kostet 1.250,– Euro.", "Es kostet 1.250 Euro.", "ordinary", ""),
        ("Sie kostet 5,-- und 12,-.", "Sie kostet 5 und 12.", "ordinary", ""),
        ("Das Tor in der 90.+3 Minute.", "Das Tor in der 90+3 Minute.", "ordinary", ""),
        ("Am 5., -3 Grad, 1,5 und 2,-3.", "Am 5., -3 Grad, 1,5 und 2,-3.", "ordinary", ""),
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


@pytest.mark.parametrize(
    ("language", "sentence", "read"),
    [
        ("de", "Es waren 1,5 Mill. Leute am Mill.", "Es waren 1,5 Mio. Leute am Mill."),
        ("de", "Das geht u.U. nicht", "Das geht unter Umständen nicht"),
        ("de", "Abzüglich Rabatt, abzüglich Steuern", "Minus Rabatt, minus Steuern"),
        (
            "en",
            "Press Tab to jump. Press Space bars.",
            "Press the Tab key to jump. Press Space bars.",
        ),
        ("de", "Drücken Sie Entf oder Strg+Bild auf.", "Drücken Sie Delete oder Strg+Page Up."),
        ("de", "Die Eingabe ist ein Bild auf Holz", "Die Eingabe ist ein Bild auf Holz"),
        ("en", "Hello,how are you?I am fine", "Hello, how are you? I am fine"),
        ("de", "Ich gehe nicht,weil es regnet", "Ich gehe nicht, weil es regnet"),
        ("en", "Run git,make,gcc or User!UserID", "Run git,make,gcc or User!UserID"),
        ("en", 'Set "remount,bind" in a.b,c?d', 'Set "remount,bind" in a.b,c?d'),
        ("de", "§ 1 i. V. m. § 2", "§ 1 in Verbindung mit § 2"),
        ("en", "The '80s and ’90s, not 5'0s", "The 80s and 90s, not 5'0s"),
        ("en", "'Tis fish 'n' chips", "It is fish and chips"),
        ("en", "Blocks 'n' Rox", "Blocks 'n' Rox"),
        (
            "en",
            "It was down 2% and is up 0.5 percent.",
            "It fell by 2% and has risen by 0.5 percent.",
        ),
        (
            "en",
            "They are up by 3%, were down 4 per cent",
            "They have risen by 3%, fell by 4 per cent",
        ),
        (
            "en",
            "It is up 5 floors, was down there, and was down 5% of the time",
            "It is up 5 floors, was down there, and was down 5% of the time",
        ),
        (
            "en",
            "The Dow was down 300 points, and oil’s now up about $2.",
            "The Dow fell by 300 points, and oil has now risen by about $2.",
        ),
        (
            "en",
            "Sales will be up a third from a year ago, but costs down 2%.",
            "Sales will rise by a third compared to the year before, but costs fell by 2%.",
        ),
        (
            "en",
            "It was £5, down 3% on last year, and she is up 5 points",
            "It was £5, which fell by 3% compared to last year, and she is up 5 points",
        ),
        ("en", "no more than 5 days; No more than 3", "at most 5 days; At most 3"),
        ("en", "no more than that", "no more than that"),
        ("en", "Your order (no. 4471, No. 5)", "Your order (number 4471, No. 5)"),
        ("en", "Twice a week, not once or twice", "Two times a week, not once or twice"),
        ("en", "“Twice,” he said.", "“Two times,” he said."),
        ("en", "You mustn't", "You must not"),
        ("en", "W e l c o m e to us, it is n i c e.", "Welcome to us, it is nice."),
        ("en", "The keys a b c d, I W", "The keys a b c d, I W"),
        ("en", "'Cause I said: get 'em 'til ten", "Because I said: get them until ten"),
        ("en", "The book 'Cause and effect'", "The book 'Cause and effect'"),
        ("en", "It is 4 by 5 metres, a 6 by 4 print", "It is 4 × 5 metres, a 6 × 4 print"),
        ("en", "rose from 4 by 5, cut by 2 by 2030", "rose from 4 by 5, cut by 2 by 2030"),
        ("de", "Es kamen um die 50 Leute.", "Es kamen etwa 50 Leute."),
        ("de", "Um die 1.200 Leute kamen.", "Etwa 1.200 Leute kamen."),
        ("de", "Es geht um die 50 Leute.", "Es geht um die 50 Leute."),
        ("de", "Kurs in 1. Hilfe", "Kurs in Erste Hilfe"),
        ("en", "Twice-baked bread in a Fortnite", "Twice-baked bread in a Fortnite"),
        ("en", "In a fortnight, a fortnight’s leave", "In two weeks, two weeks leave"),
        ("en", "Every fortnight of the last fortnight", "Every two weeks of the last two weeks"),
        ("de", "Alle Gäste bis auf Anna lachten.", "Alle Gäste außer Anna lachten."),
        ("de", "Niemand bis auf einen kam.", "Niemand außer einen kam."),
        (
            "de",
            "Alle bis auf den letzten Mann, alles bis auf weiteres, es stieg bis auf zwei",
            "Alle bis auf den letzten Mann, alles bis auf weiteres, es stieg bis auf zwei",
        ),
        ("en", "From the U.K. to the U.K.", "From the UK to the UK."),
        ("en", "He said “the U.K.”", "He said “the UK.”"),
        ("en", "The U.S. Army left the U.S.", "The U.S. Army left the USA."),
        ("en", "A U.N.-led force of the U.N.", "A UN-led force of the UN."),
        ("en", "In AD 79, A.D. 5, AD 2012 R2", "In 79 AD, 5 AD, AD 2012 R2"),
        (
            "en",
            "We left on Nov 5 at 10 to six, p. 3",
            "We left on November 5 at 10 before six, Page 3",
        ),
        ("de", "Die '80s", "Die '80s"),
    ],
)
def test_short_forms_are_read_in_full(language: str, sentence: str, read: str) -> None:
    assert normalise([sentence], language, log_prob)[0].text == read


@pytest.mark.parametrize(
    ("language", "sentence", "read"),
    [
        ("de", "«Gut», sagte er. « Ja. »", "„Gut“, sagte er. „Ja.“"),
        ("de", "Er sagte »Ja« und »Nein«.", "Er sagte »Ja« und »Nein«."),
        ("de", "„ Hallo “ und „Nein“", "„Hallo“ und „Nein“"),
        (
            "de",
            "Am 5.Mai kam Dr.Klein, 3.5.2020, S.5",
            "Am 5. Mai kam Dr. Klein, 3.5.2020, Seite 5",
        ),
        ("de", "Die AGB, AGB-Recht", "Die Geschäftsbedingungen, AGB-Recht"),
        ("en", "Mr.Smith (see p.5)", "Mr. Smith (see Page 5)"),
        ("en", "It grew .5%, $.99, a .5 mm pen", "It grew 0.5%, $0.99, a 0.5 mm pen"),
        ("en", "A .22 rifle, a .308 Winchester, v1.5", "A .22 rifle, a .308 Winchester, v1.5"),
        ("en", "2,000 sq. ft. and 2 lbs of it.", "2,000 square feet and 2 pounds of it."),
        ("fr", "« Oui »", "« Oui »"),
    ],
)
def test_what_is_typed_otherwise_is_read_as_usual(language: str, sentence: str, read: str) -> None:
    assert normalise([sentence], language, log_prob)[0].text == read


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
        ("The call is at 14:00 CEST.", "de", "The call is at 14:00 MESZ.", "ordinary"),
        ("From 3 pm CET on, CET is on.", "de", "From 3 pm MEZ on, CET is on.", "ordinary"),
        ("The call is at 14:00 CEST.", "fr", "The call is at 14:00 CEST.", "ordinary"),
        ("http://a.b/c is not there", "de", "http://a.b/c is not there", "small"),
        ("We leave the day after tomorrow.", "de", "We leave übermorgen.", "ordinary"),
        ("We leave the day after tomorrow.", "fr", "We leave the day after tomorrow.", "ordinary"),
        ("e-mail the house to me", "de", "e-mail the house to me", "small"),
    ],
)
def test_a_sentence_is_read_as_its_target_needs_it(
    sentence: str, target: str, read: str, case: Case
) -> None:
    assert normalise([sentence], "en", log_prob, target) == [Normalised(read, case, "")]


@pytest.mark.parametrize(
    ("language", "target", "text", "read"),
    [
        ("de", "en", "An: Maria Huber", "To: Maria Huber"),
        ("de", "en", "An: 12:30", "An: 12:30"),
        ("de", "fr", "An: Maria Huber", "An: Maria Huber"),
        ("en", "de", "Sent: 5 May 2020", "Gesendet: 5 May 2020"),
        ("en", "de", "An: Tom", "An: Tom"),
    ],
)
def test_heads_of_quoted_mails_are_read_as_the_target_writes_them(
    language: str, target: str, text: str, read: str
) -> None:
    assert normalise([text], language, log_prob, target)[0].text == read


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


@settings(max_examples=300, deadline=None)
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
    ("sentence", "read"),
    [
        ("No. 5 is alive.", "Number 5 is alive."),
        ("no. 5", "Number 5"),
        ("Chanel no. 5", "Chanel No. 5"),
        ("No. She is not.", "No. She is not."),
    ],
)
def test_a_number_is_no_answer(sentence: str, read: str) -> None:
    [found] = normalise([sentence], "en", log_prob)
    assert found.text == read


@pytest.mark.parametrize(
    ("language", "sentence", "read"),
    [
        ("de", "Vgl. Abb. 3", "Siehe Abbildung 3"),
        ("de", "Sie steigen (vgl. Tab. 2, S. 12).", "Sie steigen (siehe Tabelle 2, Seite 12)."),
        ("de", "§ 3 Abs. 2 S. 1", "§ 3 Abs. 2 S. 1"),
        ("de", "Fig. 3", "Fig. 3"),
        ("en", "See Fig. 3, p. 12.", "See Figure 3, Page 12."),
        ("en", "A fig. We ate it.", "A fig. We ate it."),
        ("fr", "Fig. 3", "Fig. 3"),
    ],
)
def test_abbreviations_before_numbers_are_read_in_full(
    language: str, sentence: str, read: str
) -> None:
    [found] = normalise([sentence], language, log_prob)
    assert found.text == read
