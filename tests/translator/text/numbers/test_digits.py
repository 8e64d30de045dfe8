"""Digits with their separators are read by the signs of their language."""

from __future__ import annotations

from decimal import Decimal

import pytest

from translator.text.numbers.digits import (
    Atom,
    name_readings,
    readings_of_digits,
    suffix_readings,
)
from translator.text.numbers.signs import number_signs


@pytest.mark.parametrize(
    ("digits", "language", "expected"),
    [
        ("1.200", "de", "1200"),
        ("1.200", "en", "1.200"),
        ("1,200", "en", "1200"),
        ("1,200", "de", "1.200"),
        ("5.592.260", "de", "5592260"),
        ("1.200,50", "de", "1200.50"),
        ("1,200.50", "de", "1200.50"),
        ("5 592 260", "fr", "5592260"),
        ("1'200", "de", "1200"),
        ("0.123", "de", "0.123"),
        ("42", "en", "42"),
    ],
)
def test_a_number_is_read(digits: str, language: str, expected: str) -> None:
    assert (Decimal(expected),) in readings_of_digits(digits, number_signs(language))


@pytest.mark.parametrize(
    ("digits", "language", "wrong"),
    [
        ("1.200", "de", "1.2"),
        ("1.200", "en", "1200"),
        ("1,200", "de", "1200"),
        ("79,260.161", "en", "79260161"),
        ("27,12,20", "en", "271220"),
    ],
)
def test_it_is_not_read_as_something_else(digits: str, language: str, wrong: str) -> None:
    assert (Decimal(wrong),) not in readings_of_digits(digits, number_signs(language))


def test_a_date_is_read_as_its_parts_and_two_digits_may_be_any_century() -> None:
    def parts(*numbers: int) -> tuple[Atom, ...]:
        return tuple(map(Decimal, numbers))

    signs = number_signs("de")
    assert parts(27, 12, 2020) in readings_of_digits("27.12.2020", signs)
    assert parts(27, 12, 20) not in readings_of_digits("27.12.2020", signs)
    assert {parts(27, 12, 2020), parts(27, 12, 1920)} <= {*readings_of_digits("27.12.20", signs)}
    assert parts(27, 12, 2020) not in readings_of_digits("27,12,20", number_signs("en"))


def test_zeros_before_a_long_number_are_a_part_of_it() -> None:
    assert readings_of_digits("0815", None) == (("0815",),)
    assert readings_of_digits("08", None) == ((Decimal(8),),)


def test_signs_of_an_unknown_language_may_be_either() -> None:
    assert {(Decimal(1200),), (Decimal("1.2"),)} <= {*readings_of_digits("1.200", None)}


@pytest.mark.parametrize(
    ("digits", "suffix", "expected"),
    [
        ("1990", "s", Decimal(90)),
        ("90", "er", Decimal(1990)),
        ("10", "k", Decimal(10_000)),
        ("350", "m", Decimal(350_000_000)),
        ("3", "D", "3d"),
        ("3", "rd", Decimal(3)),
    ],
)
def test_letters_behind_digits_count(digits: str, suffix: str, expected: Atom) -> None:
    assert (expected,) in suffix_readings(digits, suffix, readings_of_digits(digits, None))


def test_a_name_keeps_its_signs() -> None:
    assert name_readings("3.14") == (("3.14",), (Decimal(3), Decimal(14)))


def test_a_very_long_number_is_compared_as_it_stands() -> None:
    assert readings_of_digits("9" * 10_000, None) == (("9" * 10_000,),)
