"""Abbreviations that a model does not know are written in full."""

from __future__ import annotations

import pytest

from translator.text.abbreviations import in_full, is_sentence


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Summe abzgl. Rabatt", "Summe minus Rabatt"),
        ("de", "Es kostet 5 € zzgl. Versand.", "Es kostet 5 € zuzüglich Versand."),
        ("de", "Lt. Vertrag ist das so.", "Laut Vertrag ist das so."),
        ("de", "I. d. R. kommt er um 8.", "In der Regel kommt er um 8."),
        ("de", "Er liest u.a. Romane.", "Er liest unter anderem Romane."),
        ("de", "Das kostet mtl. 20 € p. P.", "Das kostet monatlich 20 € pro Person."),
        ("de", "Miete: 500 € p. M.", "Miete: 500 € pro Monat"),
        ("de", "inkl.", "inklusive"),
        ("de", "Müller u. Söhne", "Müller und Söhne"),
        ("de", "Siehe Bd. 3 (2. Aufl.)", "Siehe Band 3 (2. Auflage)"),
        ("de", "Er wohnt im 3. OG.", "Er wohnt im 3. Stock."),
        ("de", "3 ZKB, Balkon", "3 Zimmer, Küche und Bad, Balkon"),
        ("de", "2 EL Mehl, 1 TL Salz", "2 Esslöffel Mehl, 1 Teelöffel Salz"),
        ("de", "mind. 2. Platz im 3. Jh. n. Chr.", "mindestens 2. Platz im 3. Jahrhundert n. Chr."),
        ("de", "Es dauert 1 Std.", "Es dauert 1 Stunde."),
        ("de", "Z. T. Müller, EL 5 und u. A. w. g.", "Z. T. Müller, EL 5 und u. A. w. g."),
        ("de", "§ 3 Abs. 2, z. B. ca. 5 usw.", "§ 3 Abs. 2, z. B. ca. 5 usw."),
        ("en", "It costs €5 incl. VAT.", "It costs €5 including VAT."),
        ("de", "Anna Schmidt (geb. Weber), geb. 5", "Anna Schmidt (geborene Weber), geboren 5"),
        ("de", "Cranach d. Ä. malte, d. h. er", "Cranach der Ältere malte, d. h. er"),
        ("de", "2 Wo. in Zi. 12, 1 Mon.", "2 Wochen in Zimmer 12, 1 Monat"),
        ("de", "3-Zi.-Whg. an Gl. 4, verh.", "3-Zimmer-Wohnung an Gleis 4, verheiratet"),
        ("de", "Mon. und Wo., 2 Wochen", "Mon. und Wo., 2 Wochen"),
        (
            "en",
            "Capt. Cook, Gen. 1:3, Maj. Gen. Hill",
            "Captain Cook, Gen. 1:3, Major General Hill",
        ),
        ("en", "3 hrs, 1 hr, 30 mph, 5 ft 6 in", "3 hours, 1 hour, 30 miles per hour, 5 ft 6 in"),
        ("en", "It is 9 ft high and 2 yrs. old.", "It is 9 feet high and 2 years old."),
        ("en", "It takes 3 hrs.", "It takes 3 hours."),
        ("en", "It is 3% p.a.", "It is 3% per year."),
        ("en", "cf. pp. 3–5, ch. 2", "see pages 3–5, Chapter 2"),
        ("en", "1 tsp salt, 2 tbsp. of oil", "1 teaspoon of salt, 2 tablespoons of oil"),
        ("en", "min. 3 days, 5 min. 3", "minimum 3 days, 5 min. 3"),
        ("en", "The P.A. system, e.g. etc.", "The P.A. system, e.g. etc."),
        ("fr", "env. 5 p. a.", "env. 5 p. a."),
    ],
)
def test_abbreviations_are_written_in_full(language: str, text: str, expected: str) -> None:
    assert in_full(text, language) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The no. of guests is 5.", "The number of guests is 5."),
        ("No. of guests", "Number of guests"),
        ("Account no.: 123", "Account number: 123"),
        ("Tel. no.: 123", "telephone number: 123"),
        ("no.: 123", "number: 123"),
        ("She was on flight No. LH402.", "She was on flight number LH402."),
        ("Please state the no.", "Please state the number."),
        ("Customer no.", "Customer number"),
        ("What is your account no.?", "What is your account number?"),
        ("Serial no. \ue001, item no. 5", "Serial number \ue001, item No. 5"),
        ("The nos. are wrong.", "The numbers are wrong."),
        ("The answer is no.", "The answer is no."),
        ("No. That is wrong.", "No. That is wrong."),
        ("no. that is wrong, oh no. you too", "no. that is wrong, oh no. you too"),
        ("she said no. and left, so no. i left", "she said no. and left, so no. i left"),
    ],
)
def test_no_with_a_dot_is_a_number_where_it_is_no_answer(text: str, expected: str) -> None:
    assert in_full(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Die Nr. fehlt.", "Die Nummer fehlt."),
        ("Nr. 12 fehlt.", "Nummer 12 fehlt."),
        ("Die Linie Nr. 5 fährt.", "Die Linie Nr. 5 fährt."),
        ("Tel.-Nr.: 0123", "Telefonnummer: 0123"),
        ("Ihre Kunden-Nr. lautet 5.", "Ihre Kundennummer lautet 5."),
        ("Telefonnr.", "Telefonnummer"),
        ("lfd. Nr.", "laufende Nummer"),
    ],
)
def test_a_german_number_is_written_in_full(text: str, expected: str) -> None:
    assert in_full(text, "de") == expected


def test_a_sentence_has_words_that_no_list_has() -> None:
    assert is_sentence("The shop closes at 9 p.m.", "en")
    assert not is_sentence("Office hours: 9 a.m.–5 p.m.", "en")
    assert not is_sentence("The end.", "en")
    assert is_sentence("Das war 753 v. Chr.", "de")
    assert not is_sentence("Miete: 500 € p. M.", "de")
