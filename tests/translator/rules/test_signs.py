"""Quantities are written as the target language writes them, and nothing else is touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translator.rules.signs import follow_language
from translator.text.lone_numbers import (
    amounts_among,
    follow_language_alone,
    number_signs,
    stands_alone,
)


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("It costs 3.14 €.", "Es kostet 3.14 €.", "Es kostet 3,14 €."),
        ("Its mean was 3.4 (SD = 1.2)", "Er war 3.4 (SD = 1.2)", "Er war 3,4 (SD = 1,2)"),
        ("Its value is 2.5 (not 3.5)", "Er ist 2.5 (nicht 3.5)", "Er ist 2,5 (nicht 3,5)"),
        ("Use 2.5 (not 3.5)", "Nimm 2.5 (nicht 3.5)", "Nimm 2.5 (nicht 3.5)"),
        ("It costs €3.14.", "Es kostet €3.14.", "Es kostet €3,14."),
        ("For USD 0.50 more", "Für 0.50 USD mehr", "Für 0,50 USD mehr"),
        ("We paid $1,999.99 in", "Wir zahlten $1.999.99 in", "Wir zahlten $1.999,99 in"),
        ("It is 15,234.56 high", "Es ist 15234.56 hoch", "Es ist 15.234,56 hoch"),
        ("There are 1,250,000 of", "Es gibt 1.250,000 von", "Es gibt 1.250.000 von"),
        ("Only 1,250 people came", "Nur 1,250 Leute kamen", "Nur 1.250 Leute kamen"),
        ("It is 1,230 km long", "Es ist 1,230 km lang", "Es ist 1.230 km lang"),
        ("It is 42.195 km long", "Es ist 42.195 km lang", "Es ist 42,195 km lang"),
        ("At -3.5 °C", "Bei -3.5 °C", "Bei -3,5 °C"),
        ("About 12.5% of it", "Etwa 12.5% davon", "Etwa 12,5% davon"),
        ("A 3.5-inch disk", "Eine 3.5-Zoll-Platte", "Eine 3,5-Zoll-Platte"),
        ("From 1.2 to 1.5 million", "Von 1.2 bis 1,5 Millionen", "Von 1,2 bis 1,5 Millionen"),
        ("Some 1.5–2.5 GB big", "Etwa 1.5–2.5 GB groß", "Etwa 1,5–2,5 GB groß"),
        ("3.5 kg and 3.5 kg", "3.5 kg und 3.5 kg", "3,5 kg und 3,5 kg"),
        ("It is €947,797.00.", "Es sind 947.797,0 €.", "Es sind 947.797,00 €."),
        ("It is 3.10 kg", "Es sind 3,1 kg", "Es sind 3,10 kg"),
        ("5.0 GB of 5.00 GB", "5,0 GB von 5,00 GB", "5,0 GB von 5,00 GB"),
        ("It is 3.10 kg", "Es sind 3 kg", "Es sind 3 kg"),
        ("3,14 € is too much", "3,14 € ist zu viel", "3,14 € ist zu viel"),
        ("2.5 €", "25 € von 2.50 €", "25 € von 2.50 €"),  # other digits are other numbers
    ],
)
def test_quantities_follow_the_target_language(
    source: str, translation: str, expected: str
) -> None:
    assert follow_language(translation, source, ("en", "de")) == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("Es kostet 1.234,56 €", "It costs 1.234,56 €", "It costs 1,234.56 €"),
        ("Es sind 83.155.031", "It is 83.155,031", "It is 83,155,031"),
        ("Es fasst 4.500 mAh", "It holds 4.500 mAh", "It holds 4,500 mAh"),
        ("Es sind 7,9 Prozent", "It is 7,9 percent", "It is 7.9 percent"),
        ("Es kostet 1.250,– Euro", "It costs 1.250 euros", "It costs 1,250 euros"),
        ("Es fasst 1.44 MB", "It holds 1.44 MB", "It holds 1.44 MB"),  # as in English
        ("4.5 Sterne", "4,5 stars", "4.5 stars"),
    ],
)
def test_it_works_the_other_way_round(source: str, translation: str, expected: str) -> None:
    assert follow_language(translation, source, ("de", "en")) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("Python 3.14 or v3.14", "192.168.0.1 and 192.168.100.200 and 10.0.0.1:80"),
        *("3.10.1990 and 1990.10.03", "in 1.2.3 of 4.5", "at 2.30 pm or 14.30", "the grade 1.7"),
        *("version 3.14 MB, Table 3.2 Euro, § 2.5 %", "Section 1,200 g", "x=1,234 y=3.14"),
        *("printf 3.14 %s 3.14 $HOME", "a3.14 € and 3.14/5.10 € and 12:3.14 €"),
        "ports 80,443 and 80,443,8080 and 1234,567,890",
    ],
)
def test_what_may_be_something_else_is_not_touched(text: str) -> None:
    assert follow_language(text, text, ("en", "de")) == text


@pytest.mark.parametrize("ending", ["1.200", "1.200.300.400"])
def test_what_german_writes_with_dots_may_be_a_version(ending: str) -> None:
    text = f"Firmware {ending}"
    assert follow_language(text, text, ("de", "en")) == text


def test_two_numbers_of_the_same_digits_are_left_alone() -> None:
    text = "Python 3.14 costs 3.14 €, 2.5 % of it"
    assert follow_language(text, text, ("en", "de")) == "Python 3.14 costs 3.14 €, 2,5 % of it"


def test_each_language_has_its_signs() -> None:
    source = "It costs 1,234.56 €"
    for language, expected in (
        ("fr", "1\u202f234,56"),
        ("pl", "1\u00a0234,56"),
        ("it", "1.234,56"),
        ("ja", "1,234.56"),
        ("xx", "1,234.56"),
        ("", "1,234.56"),
    ):
        assert follow_language("1,234.56 €", source, ("en", language)) == f"{expected} €"
    for space in "\u00a0\u202f":
        text = f"1{space}234,56 €"
        assert follow_language(text, text, ("fr", "en")) == "1,234.56 €"
    assert number_signs("de") == (",", ".")
    assert number_signs("de-CH") == (".", "’")
    assert number_signs("xx") is number_signs("") is None


def test_a_number_may_have_any_number_of_digits() -> None:
    many = "7" * 5000
    text = f"The rest is {many}.5"
    assert follow_language(text, text, ("en", "de")) == f"The rest is {many},5"


def test_ratios_have_our_thousands() -> None:
    assert follow_language("scale 1:25.000", "Maßstab 1:25.000", ("de", "en")) == "scale 1:25,000"
    assert follow_language("at 1:25.000", "um 1:25", ("de", "en")) == "at 1:25.000"


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("3.000", "3,000"),
        ("1.234,50 €", "1,234.50 €"),
        ("3,5 %", "3.5 %"),
        ("1.234.567", "1,234,567"),
        ("-3,5 %", "-3.5 %"),
        ("(1.250,00)", "(1,250.00)"),
        ("€ 3,50", "€ 3.50"),
        ("3,50–4,50 €", "3.50–4.50 €"),
        ("3 × 4,50 €", "3 × 4.50 €"),
    ],
)
def test_a_number_alone_is_written_as_the_language_does(german: str, english: str) -> None:
    assert stands_alone(german, "de")
    assert follow_language_alone(german, ("de", "en")) == english
    assert follow_language_alone(english, ("en", "de")) == german
    for languages in (("de", "de"), ("", "en"), ("de", ""), ("de", "xx")):
        assert follow_language_alone(german, languages) == german


def test_round_amounts_lose_their_dash_in_english() -> None:
    assert follow_language_alone("1.200,- €", ("de", "en")) == "1,200 €"


VERSIONS = st.lists(st.integers(0, 99), min_size=2, max_size=4).map(lambda n: ".".join(map(str, n)))
DATES = st.dates().map(lambda day: f"{day:%d.%m.%Y}") | st.dates().map(lambda day: f"{day:%d.%m.}")
TIMES = st.times().map(lambda time: f"{time:%H:%M}") | st.times().map(lambda time: f"{time:%H.%M}")
ADDRESSES = st.ip_addresses(v=4).map(str)
CODES = st.from_regex(r"0[0-9]{2,8}|[0-9]{2,6}/[0-9]{2,4}|[0-9]{3}-[0-9]{3}", fullmatch=True)


@given(text=VERSIONS | DATES | TIMES | ADDRESSES | CODES)
def test_what_may_be_no_quantity_stays_where_it_stands_alone(text: str) -> None:
    for languages in (("de", "en"), ("en", "de"), ("de", "fr")):
        assert follow_language_alone(text, languages) == text


@given(
    value=st.integers(10**3, 10**11),
    cents=st.none() | st.integers(0, 99),
    unit=st.sampled_from(["", " €", " %"]),
)
def test_a_number_alone_keeps_its_value(value: int, cents: int | None, unit: str) -> None:
    """Python's own formatting says what both languages write."""
    english = f"{value:,}" + ("" if cents is None else f".{cents:02}")
    german = english.translate(str.maketrans(".,", ",."))
    if len(german.split(".")) == 4 and not (unit or cents):
        return  # may be an address of a machine
    assert follow_language_alone(german + unit, ("de", "en")) == english + unit
    assert follow_language_alone(english + unit, ("en", "de")) == german + unit


@pytest.mark.parametrize(
    ("texts", "written"),
    [
        (
            ["850.00", "1,204.17", "Rent", "-43.20", " 1.50 "],
            {0: "850,00", 3: "-43,20", 4: " 1,50 "},
        ),
        (["22.10", "20.04"], {}),
        (["1,204.17", "22.1", "3.14.15", "10:30", "1,200", "1.250"], {}),
        (["1,204.17", *["word"] * 20, "22.10"], {}),
        (["22.10", *["word"] * 9, "3.20", *["word"] * 9, "$1,204.17"], {0: "22,10", 10: "3,20"}),
    ],
)
def test_a_number_among_amounts_is_one(texts: list[str], written: dict[int, str]) -> None:
    assert amounts_among(texts, ("en", "de")) == written
    assert amounts_among(texts, ("de", "en")) == amounts_among(texts, ("en", "xx")) == {}
