"""Numbers are written anew: for the model to read, and for the translation."""

from __future__ import annotations

import pytest

from translator.rules.digits import readings_of_digits
from translator.rules.mentions import mentions_in
from translator.rules.writing import Replacement, replacements, with_ordinals, written_number
from translator.text.lone_numbers import number_signs


def replaced(text: str, source: str, target: str) -> list[Replacement]:
    mentions = mentions_in(text, source)
    return list(replacements(mentions, mentions, text, (source, target)))


@pytest.mark.parametrize(
    ("digits", "source", "target", "expected"),
    [
        ("5.592.260", "de", "en", "5,592,260"),
        ("1,200.50", "en", "de", "1.200,50"),
        ("1,200.50", "en", "fr", "1\u202f200,50"),
        ("3,50", "de", "en", "3.50"),
        ("15000", "de", "en", "15000"),
        ("0815", "de", "en", "0815"),
        ("3/4", "de", "en", "3/4"),
        ("1.2.3", "de", "en", "1.2.3"),
        ("3,5", "de", "xx", "3,5"),
    ],
)
def test_a_number_follows_the_language(
    digits: str, source: str, target: str, expected: str
) -> None:
    readings = readings_of_digits(digits, number_signs(source))
    assert written_number(digits, readings, target) == expected


def test_a_number_has_a_stand_in_that_the_sentence_does_not_have() -> None:
    [one, other] = replaced("Die Stadt hat 5.592.260 Einwohner, davon 47.", "de", "en")
    assert one == Replacement(14, 23, "58", "5,592,260", "5,592,260")
    assert (other.stand_in, other.written) == ("63", "47")


def test_a_year_stands_in_for_a_year() -> None:
    [year] = replaced("Das Haus wurde 1893 gebaut.", "de", "en")
    assert (year.stand_in, year.written) == ("1953", "1893")


def test_a_date_is_spelled_out() -> None:
    [date] = replaced("bis zum 27.12.2020", "de", "en")
    assert (date.stand_in, date.written) == ("27. Dezember 2020", None)
    assert date.whole == "December 27, 2020"
    [date] = replaced("by 12/27/2020", "en", "de")
    assert (date.stand_in, date.whole) == ("December 27, 2020", "27. Dezember 2020")


@pytest.mark.parametrize("date", ["04/05/2020", "30.02.2020", "45/45/2020"])
def test_what_may_be_another_date_is_not_spelled_out(date: str) -> None:
    [one] = replaced(f"on {date}", "en", "de")
    assert one.whole == date


def test_a_time_has_24_hours() -> None:
    [time] = replaced("at 3:30 pm", "en", "de")
    assert (time.stand_in, time.written, time.whole) == ("15:30", None, "15:30 Uhr")
    [time] = replaced("um 15.30 Uhr", "de", "en")
    assert (time.stand_in, time.whole) == ("15:30 Uhr", "3:30 PM")


def test_a_number_goes_with_its_scale() -> None:
    [one] = replaced("162.8 trillion euros", "en", "de")
    assert one == Replacement(0, 14, "47", "162,8 Billionen", "162,8 Billionen")
    [one] = replaced("136,6 Millionen Euro", "de", "en")
    assert one.whole == "136.6 million"


def test_a_word_becomes_digits() -> None:
    [one] = replaced("achtundfünfzig Kinder", "de", "en")
    assert (one.stand_in, one.written) == ("58", None)
    [one] = replaced("thirty thousand dollars", "en", "de")
    assert (one.stand_in, one.whole) == ("30,000", "30.000")
    [one] = replaced("zehn Millionen Euro", "de", "en")
    assert (one.stand_in, one.whole) == ("10 Millionen", "10 million")


def test_only_long_numbers_and_wrong_ones_are_replaced() -> None:
    text = "3 von 4 in 1.200 Orten"
    mentions = mentions_in(text, "de")
    found = replacements(mentions, [mentions[1]], text, ("de", "en"))
    assert [one.whole for one in found] == ["4", "1,200"]


def test_ordinals_have_their_suffix() -> None:
    assert with_ordinals("the 3th, 22th and 11st") == "the 3rd, 22nd and 11th"


def test_a_number_may_be_of_any_size() -> None:
    [one] = replaced("100 billion billion billion billion clacks", "en", "de")
    assert (one.end, one.whole) == (len("100 billion billion billion"), f"1{'0' * 17} Billionen")
    [one] = replaced("12345678901234567890123456789 Millionen Sterne", "de", "en")
    assert one.whole == "12345678901234567890123456789"
    [one] = replaced("9" * 5000, "de", "en")
    assert one.whole == "9" * 5000
    assert with_ordinals(f"the {'9' * 5000}1th") == f"the {'9' * 5000}1st"


@pytest.mark.parametrize("text", ["2²⁰²⁰ Hunde", "10² Millionen", "log ₂₀₂₀"])
def test_digits_above_and_below_the_line_have_no_stand_in(text: str) -> None:
    assert all(one.whole in ("2", "10") for one in replaced(text, "de", "en"))


@pytest.mark.parametrize("text", ["by 12/27/2020", "at 3:30 pm"])
def test_what_is_not_known_of_a_language_is_not_written_in_it(text: str) -> None:
    assert all(one.whole in text for one in replaced(text, "en", "zt"))


def test_a_ratio_is_read_with_a_colon() -> None:
    text = "Es steht 1.829 zu 2."
    mentions = mentions_in(text, "de")
    [ratio] = replacements(mentions, mentions[:1], text, ("de", "en"))
    assert (ratio.start, ratio.end) == (9, 19)
    assert ratio.stand_in == ratio.whole == "1,829:2"
