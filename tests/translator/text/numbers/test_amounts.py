"""Amounts that a model takes apart are written whole, as the other language writes them."""

from __future__ import annotations

import time

import pytest

from translator.text.numbers.amounts import amounts_in, money_as_read, with_inches


def translated(text: str, source: str, target: str) -> str:
    """Return a text with its amounts as they are written in the translation."""
    for amount in reversed(amounts_in(text, (source, target))):
        text = text[: amount.start] + amount.written + text[amount.end :]
    return text


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("€15/m², £3/ft²", "15 €/m², 3 £/ft²"),
        ("€2.50/night, $3.99/month.", "2,50 €/Nacht, 3,99 $/Monat."),
        ("$5/ticket", "5 $/ticket"),  # the model reads `/ticket`
        ("$1 = ¥150", "1 $ = 150 ¥"),
        ("$5–$10/person (or $4–5)", "5–10 $/Person (or 4–5 $)"),
        ("£ 5 and 10 000 kr", "5 £ and 10 000 kr"),
        ("-€1,000 or -$3.50", "-1.000 € or -3,50 $"),
        ("EUR 100 AND USD 1,200.00", "100 EUR AND 1.200,00 USD"),
        ("€5 and 5€ and EUR5", "5 € and 5 € and 5 EUR"),
        ("10 $ or 5 €", "10 $ or 5 €"),
        ("Vol. 3, 8 oz of it", "Bd. 3, 8 oz of it"),
        ("€10/night (about €12)", "10 €/Nacht (about 12 €)"),
        ("It costs < €5, ~$5 or ≤ £50.", "It costs < 5 €, ~5 $ or ≤ 50 £."),
        ("€5 incl. VAT", "5 € incl. VAT"),
        ("$5 p.a., £9 p.c.m.", "5 $ p.a., 9 £ p.c.m."),
        ("a £3 coffee", "a 3 £ coffee"),
        ("It was $100, then $80.", "It was 100 $, then 80 $."),
        ("10 pieces at $2.50 each.", "10 pieces at je 2,50 $."),
        ("$300k, $60k–$80k", "300.000 $, 60.000–80.000 $"),
        ("$1.2M, $2-3M, a £5bn deal", "1,2 Mio. $, 2-3 Mio. $, a 5 Mrd. £ deal"),
        ("5 ± 0.3 cm, ±2 mm, ≈ 20 minutes", "5 ± 0,3 cm, ±2 mm, ≈ 20 minutes"),
        ("-5 to +3 °C, 12.5 µg", "-5 to +3 °C, 12.5 µg"),  # the model reads these
        ("He wrote 3,5 instead of 3.5.", "He wrote 3,5 instead of 3.5."),
    ],
)
def test_amounts_in_german(english: str, german: str) -> None:
    assert translated(english, "en", "de") == german


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("1 € = 1,10 $", "€1 = $1.10"),
        ("Er kostet unter 60 €.", "Er kostet under €60."),
        ("Es sind ca. 3.000,50 € netto.", "Es sind about €3,000.50 netto."),
        ("für bis zu 5 €/Stück", "für up to €5/piece"),
        ("nicht mehr als 70 €", "nicht more than €70"),
        ("rund 5 bis mindestens 9 €", "rund 5 bis at least €9"),
        ("eine Rechnung über 80 €", "eine Rechnung über €80"),  # no limit
        ("Er freut sich über 50 €.", "Er freut sich über €50."),
        ("Bis zu 500 € sparen", "Bis zu €500 sparen"),  # may move from the beginning
        ("unter 60 Grad, unter 20 %", "unter 60 Grad, unter 20 %"),
        ("15 €/Std. und 3 €/km", "€15/hour und €3/km"),
        ("Sie kosten 15 €/Std.", "Sie kosten €15/hour."),
        ("50 €/Woche, 10 $/Stück", "€50/week, $10/piece"),
        ("-50,00 € und −50,00 €", "-€50.00 und −€50.00"),
        ("Minus: –20 €", "Minus: –€20"),
        ("€ 5,00 und 5,00 € und EUR 5", "€5.00 und €5.00 und EUR 5"),
        ("20,– € zzgl. 5,– € Versand", "€20 zzgl. €5 Versand"),
        ("ein Verlust von (1.250,00) €.", "ein Verlust von (€1,250.00)."),
        ("400 V und 3,5 kVA, 25 Nm", "400 V und 3.5 kVA, 25 Nm"),
        ("um 20.15 Uhr MEZ, 9 Uhr MESZ", "um 20:15 CET, 9:00 CEST"),
        ("z. Hd. von Frau Weber", "Attn: Frau Weber"),
        ("3,2 ‰, 100 Mb/s, 16 Gb, 50 Mbit/s", "3.2‰, 100 Mb/s, 16 Gb, 50 Mbit/s"),
        ("Es kostet < 5 € oder ≥ 20 €.", "Es kostet < €5 oder ≥ €20."),
        ("5 Hemden für je 19,90 €.", "5 Hemden für €19.90 each."),
        ("je 5 € Umsatz ein Punkt, 2 Punkte", "je €5 Umsatz ein Punkt, 2 Punkte"),
        ("Das kostet €50,-.", "Das kostet €50."),
        ("fast 290 $, hier 239,99 $.", "almost $290, hier $239.99."),
        ("–12 bis –8 °C, 18-22 °C, 37,5°C", "–12 to –8 °C, 18-22 °C, 37.5°C"),
        ("0,1 µg/kg, 12,5 ± 0,2", "0.1 µg/kg, 12.5 ± 0.2"),
        ("Es kostet 60 bis 80 €.", "Es kostet €60 to €80."),
        ("Es sind 3 bis 4 Mio. €, 2 bis 3 EUR", "Es sind €3 million to €4 million, EUR 2 to EUR 3"),
        ("15 bis 20 €/Std. oder 5 bis 9 €/Bund", "€15 to €20/hour oder €5 to €9/Bund"),
        ("von 10 auf 12 Mrd. €", "von €10 billion auf €12 billion"),
        ("zwischen 1,5 und 2 Mio. $", "zwischen $1.5 million und $2 million"),
        ("von 800 Mio. bis 1,2 Mrd. €", "von €800 million bis €1.2 billion"),
        ("von 1.250,50 auf 1.300 €, von 5 bis 50 €", "von €1,250.50 auf €1,300, von €5 bis €50"),
        # the first is no money, or not surely in millions, or found twice
        ("Seite 10 und 12 €", "Seite 10 und €12"),
        ("von 900 auf 1,2 Mrd. €", "von 900 auf 1,2 Mrd. €"),
        ("von 2010 auf 12 Mrd. €", "von 2010 auf 12 Mrd. €"),
        ("10 Orte: von 10 auf 12 Mrd. €", "10 Orte: von 10 auf 12 Mrd. €"),
        ("Kinder von 6 bis 12: 5 €", "Kinder von 6 bis 12: €5"),
        # behind a word that would be lost, with it or without
        ("Das kostet über 70 €.", "Das kostet over €70."),
        ("Saldo: minus 20 €", "Saldo: minus €20"),
        ("abzüglich 20 € Skonto", "minus €20 Skonto"),
        ("Der Schaden: ca. 3.000 €", "Der Schaden: about €3,000"),
        (
            "Bis zu 3 Mio. € oder mehr als 2 Milliarden $",
            "Bis zu €3 million oder more than $2 billion",
        ),
        ("Das kostet 70 €.", "Das kostet 70 €."),
        ("von 6 bis 12 € 5", "von 6 bis 12 € 5"),
    ],
)
def test_amounts_in_english(german: str, english: str) -> None:
    assert translated(german, "de", "en") == english


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("It costs $3 million.", "en"),
        ("$500k–$1M", "en"),
        ("Es ist $PSR(3102) = 47$ und 5.", "de"),
        ("A lone €5.", "en"),
        ("a $5-a-month plan", "en"),
        ("Es kostet 5,00 €.", "de"),
        ("20 € für 73,000 $", "de"),  # thousands, as English writes them, or thousandths
        ("10 Milliarden $ 2012", "de"),
        ("Für 1.250,– Euro", "de"),
        ("Die Spannung 400 V und 16 GB", "de"),
        ("US$5/kg", "en"),
    ],
)
def test_the_model_reads_what_is_easy_or_not_surely_an_amount(text: str, language: str) -> None:
    other = {"en": "de", "de": "en"}[language]
    assert all(amount.written for amount in amounts_in(text, (language, other)))
    assert translated(text, language, other) in (text, text.replace("20 €", "€20"))


def test_other_languages_have_no_rules() -> None:
    assert amounts_in("€15/m²", ("en", "fr")) == []


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("He is 6 ft 2 in tall.", "He is 6 feet 2 inches tall."),
        ("She is 5 ft 3 in.", "She is 5 feet 3 inches."),
        ("It is 6 in thick.", "It is 6 inches thick."),
        ("The wall is 10' high.", "The wall is 10 feet high."),
        ("A 4' x 8' sheet and a 6' man", "A 4 feet x 8 feet sheet and a 6' man"),
        ('We bought a 65" TV.', "We bought a 65-inch TV."),
        ('A 3/4" bolt (27")', "A 3/4-inch bolt (27 inches)"),
        ("The door is 7′2″ high.", "The door is 7′2″ high."),
        ('He said "I have 65" twice.', 'He said "I have 65" twice.'),
        (
            "There are 6 in the box, 6 ft 2 in the air.",
            "There are 6 in the box, 6 ft 2 in the air.",
        ),
    ],
)
def test_inches_are_no_preposition_and_no_quote(text: str, read: str) -> None:
    assert with_inches(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("It costs 20p.", "It costs 20 pence."),
        ("A 1p coin", "A 1 penny coin"),
        ("It rose by 10p to 60p a day.", "It rose by 10 pence to 60 pence a day."),
        ("1080p, 5p.m., 5 p and £1.20p", "1080p, 5p.m., 5 p and £1.20p"),
        ("We pay $500 p.m.", "We pay $500 per month."),
        ("Rent: $500 p.m.", "Rent: $500 per month"),
        ("We pay him $500 p.m. now.", "We pay him $500 per month now."),
        ("The rent is \ue001 p.m. now.", "The rent is \ue001 per month now."),
        ("at 5 p.m. it is $5", "at 5 p.m. it is $5"),
        ("The fine is $100 min.", "The fine is at least $100."),
        ("Order value: $50 min.", "Order value: at least $50"),
    ],
)
def test_pence_and_amounts_a_month_are_no_times(text: str, read: str) -> None:
    assert money_as_read(text) == read


def test_no_text_takes_long() -> None:
    """Work that grew with the square of the number of amounts would take half a minute."""
    started = time.process_time()
    amounts_in("€3bn " * 16_000, ("en", "de"))
    assert time.process_time() - started < 10
