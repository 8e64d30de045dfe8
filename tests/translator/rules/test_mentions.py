"""Which numbers a sentence mentions."""

from __future__ import annotations

from decimal import Decimal

import pytest

from translator.rules.mentions import has_numbers, mentions_in


def values(text: str, language: str) -> list[tuple[str, Decimal | None]]:
    return [
        (mention.text, mention.value)
        for mention in mentions_in(text, language)
        if mention.kind != "related"
    ]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("2,5 Millionen Euro", "de", [("2,5 Millionen", 2_500_000)]),
        ("fünf Millionen Einwohner", "de", [("fünf Millionen", 5_000_000)]),
        ("3 Mrd. Dollar", "de", [("3 Mrd.", 3 * 10**9)]),
        ("zweihundertfünf Tage", "de", [("zweihundertfünf", 205)]),
        ("achtzig neun Tage", "de", [("achtzig", 80), ("neun", 9)]),
        ("two hundred and five", "en", [("two hundred and five", 205)]),
        ("three thousand two hundred", "en", [("three thousand two hundred", 3200)]),
        ("two hundred thousand", "en", [("two hundred thousand", 200_000)]),
        ("twenty-one days", "en", [("twenty-one", 21)]),
        ("fifty per cent", "en", [("fifty", 50)]),
        ("two hundred a year", "en", [("two hundred", 200)]),
        ("2 dozen eggs", "en", [("2 dozen", 24)]),
        ("1.3 billion", "en", [("1.3 billion", Decimal("1.3") * 10**9)]),
        ("1.234 and 5", "en", [("1.234", Decimal("1.234")), ("5", 5)]),
    ],
)
def test_a_number_may_have_several_words(
    text: str, language: str, expected: list[tuple[str, Decimal]]
) -> None:
    assert values(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "readings"),
    [
        ("1.200", "de", "1200"),
        ("1.200", "en", "1.200 1/200"),
        ("1,200", "en", "1200"),
        ("1,200", "de", "1.200"),
        ("5.592.260", "de", "5592260"),
        ("1.200,50", "de", "1200.50"),
        ("1,200.50", "de", "1,200.50 1200.50"),
        ("5 592 260", "fr", "5/592/260 5592260"),
        ("1'200", "de", "1/200 1200"),
        ("0.123", "de", "0.123 0/123"),
        ("42", "en", "42"),
        ("79,260.161", "en", "79260.161"),
        ("27,12,20", "en", "27,12,20"),
        ("27.12.2020", "de", "12/27/2020 27.12.2020 27/12/2020"),
        (
            "27.12.20",
            "de",
            "12/27/1920 12/27/20 12/27/2020 27.12.20 27/12/1920 27/12/20 27/12/2020",
        ),
        ("0815", "de", "0815"),
        ("08", "de", "8"),
        ("1.200", "xx", "1.200 1/200 1200"),
        ("1990s", "en", "1990 90"),
        ("90er", "de", "1990 90"),
        ("10k", "en", "10 10000"),
        ("350m", "en", "350 350000000"),
        ("£350m", "en", "350000000"),
        ("3D", "en", "3 3d"),
        ("3rd", "en", "3"),
        ("zwölf", "de", "12"),
        ("einundzwanzig", "de", "21"),
        ("neununddreissig", "de", "39"),
        ("zweihundertfünf", "de", "205"),
        ("dreitausend", "de", "3000"),
        ("eintausend", "de", "1000"),
        ("zweitausendvierundzwanzig", "de", "2024"),
        ("tausendundeins", "de", "1001"),
        ("zwölftausenddreihundertfünf", "de", "12305"),
        ("dreihunderttausend", "de", "300000"),
        ("neunzehnhundert", "de", "1900"),
        ("neunzehnhundertvierundachtzig", "de", "1984"),
        ("zwanzighundert", "de", "20"),
        ("neunzehnhundertmal", "de", "19"),
        ("tausendfach und hund", "de", ""),
        ("dritte", "de", "3"),
        ("zwanzigsten", "de", "20"),
        ("siebter", "de", "7"),
        ("dreimal", "de", "3"),
        ("ein Drittel", "de", "1 3"),
        ("beide", "de", "2"),
        ("twelfth", "en", "12"),
        ("twentieth", "en", "20"),
        ("thirds", "en", "3"),
        ("nineties", "en", "90"),
        ("both", "en", "2"),
        ("Dezember", "de", "12"),
        ("décembre", "fr", "12"),
        ("Sept", "en", "9"),
        ("zwölfjährige", "de", "12"),
        ("achtundzwanzigtägig", "de", "28"),
        ("Haus", "de", ""),
        ("tension", "en", ""),
        ("XIV", "en", "14"),
        ("MCMXC", "de", "1990"),
        ("IIII", "de", ""),
        ("DUDE", "en", ""),
        ("IC", "de", ""),
        ("by .5%", "en", "0.5"),
        ("und so ...5", "de", "5"),
    ],
)
def test_what_a_number_may_say(text: str, language: str, readings: str) -> None:
    mentioned = mentions_in(text, language)
    said = {"/".join(map(str, reading)) for one in mentioned for reading in one.readings}
    assert said == {*readings.split()}


def test_a_very_long_number_is_compared_as_it_stands() -> None:
    [number] = mentions_in("9" * 10_000, "de")
    assert number.readings == (("9" * 10_000,),)


def test_words_make_no_number_endlessly_larger() -> None:
    assert values("two million million million million million million", "en") == [
        ("two million million million million million", 2 * Decimal(10) ** 30)
    ]
    [years, *_] = mentions_in(f"the {'1' * 5000}0s", "en")
    assert years.readings == (("1" * 5000 + "0",),)


def test_half_a_million() -> None:
    for text, language in (("half a million", "en"), ("eine halbe Million", "de")):
        readings = {one for mention in mentions_in(text, language) for one in mention.readings}
        assert (Decimal(500_000),) in readings
        assert (Decimal(1_000_000),) not in readings


def test_the_first_of_a_range_may_be_millions() -> None:
    first, second = mentions_in("2 bis 3 Millionen", "de")
    assert first.readings == ((Decimal(2),), (Decimal(2_000_000),))
    assert second.value == 3_000_000
    five, _ = mentions_in("from 5 to 6:30 pm", "en")
    assert ("17:00",) in five.readings


@pytest.mark.parametrize(
    ("text", "is_negative"),
    [
        ("-5 Grad", True),
        ("bei −12,5 Grad", True),
        ("minus 5 Grad", True),
        ("10-15 km", False),
        ("COVID-19", False),
        ("Seiten 10 – 15", False),
    ],
)
def test_a_minus_is_seen(text: str, is_negative: bool) -> None:
    assert any(mention.is_negative for mention in mentions_in(text, "de")) == is_negative


def test_a_name_is_read_as_it_stands() -> None:
    for text in ("in Python 3.14.", "version 3.14 of"):
        assert mentions_in(text, "en")[0].readings[0] == ("3.14",)
    assert mentions_in("It takes 3.14 s.", "en")[0].value == Decimal("3.14")


def test_letters_with_digits_are_codes() -> None:
    assert mentions_in("MP3s", "en")[0].readings[:2] == (("mp3s",), ("mp3",))


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Das Kind schläft.", "de", False),
        ("Zwölf Kinder schlafen.", "de", True),
        ("Das sind 3.", "de", True),
        ("thirty-one days", "en", True),
        ("A child sleeps.", "en", False),
        ("douze enfants", "fr", False),
    ],
)
def test_most_sentences_have_none(text: str, language: str, expected: bool) -> None:
    assert has_numbers(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("It took 3 million years.", "en", 3_000_000),
        ("Das dauerte 2,5 Millionen Jahre.", "de", 2_500_000),
        ("There are two hundred and five of them.", "en", 205),
        ("He was born in nineteen eighty-four.", "en", 1984),
        ("Das war zweitausendvierundzwanzig.", "de", 2024),
    ],
)
def test_neighbours_are_one_number(text: str, language: str, value: int) -> None:
    [mention] = [one for one in mentions_in(text, language) if one.kind != "related"]
    assert mention.value == Decimal(value)


def test_a_scale_may_count_for_both_ends_of_a_range() -> None:
    first, _ = mentions_in("from 2 to 3 million", "en")
    assert {(Decimal(2),), (Decimal(2_000_000),)} <= set(first.readings)


@pytest.mark.parametrize(
    ("text", "is_score"), [("They won 3-1.", True), ("See pages 3-8.", False), ("won 3 to 1", True)]
)
def test_a_score_is_told_from_a_range(text: str, is_score: bool) -> None:
    assert mentions_in(text, "en")[0].is_score is is_score
