"""Numbers of a sentence written anew: as its translation writes them, or as a model copies them.

A model may lose digits of `5.592.260`, but hardly ever one of `47`. So a stand-in takes the place
of each long number, and the number comes back in its place, with the signs of the target language.
A date is spelled out instead, and a time of day is written with 24 hours: that needs no way back.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from babel.dates import format_date, format_time

from translator.rules.digits import Mention, Reading, is_whole, readings_of_digits
from translator.rules.signs import digits_of
from translator.rules.words import SCALE_NAMES
from translator.text.characters import primary_language
from translator.text.lone_numbers import number_signs

_STAND_INS = (47, 58, 63, 72, 84, 96, 39, 26, 53, 68, 74, 82, 94, 37, 28, 59)
MINUS = "minus "
"""Before a number that is below zero: a model loses the word less often than the sign."""

_SIGN = re.compile(r"(?:[-−–]|\b[Mm]inus\s)$")
_YEARS = (1953, 1964, 1978, 1986, 1947)
_YEAR = range(1100, 2100)
_LONG_DIGITS = 3
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})$")
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}
_ORDINAL = re.compile(r"(?P<digits>[0-9]+)(?:st|nd|rd|th)\b")


class Replacement(NamedTuple):
    """A place in a sentence, and what a model is to read there.

    Attributes:
        start: where the place begins.
        end: where it ends.
        stand_in: what the model reads.
        written: what takes the place of `stand_in` in the translation; None if it may stay.
        whole: what a placeholder for it stands for.
    """

    start: int
    end: int
    stand_in: str
    written: str | None
    whole: str


def replacements(
    mentions: Sequence[Mention], wrong: Iterable[Mention], text: str, languages: tuple[str, str]
) -> Iterator[Replacement]:
    """Yield what to write for the numbers of a sentence that a model may get wrong, in order.

    Args:
        mentions: all of the sentence.
        wrong: those of them that a translation lacks.
        text: the sentence.
        languages: codes of the sentence's and of the translation's.
    """
    taken = {*re.findall(r"[0-9]+", text)}
    stand_ins = [str(one) for one in _STAND_INS if str(one) not in taken]
    years = [str(one) for one in _YEARS if str(one) not in taken]
    missing = {mention.start for mention in wrong}
    ratio_end = 0
    for mention in mentions:
        if mention.start < ratio_end:
            continue
        if mention.start in missing and (ratio := _ratio(mention, mentions, text, languages)):
            ratio_end = ratio.end
            yield ratio
            continue
        digits = text[mention.start : mention.digits_end]
        is_long = sum(map(str.isdigit, digits)) >= _LONG_DIGITS
        if mention.start not in missing and not (is_long and mention.kind == "digits"):
            continue
        if mention.kind == "word":
            value = mention.value
            if value is not None:
                shown, whole = (_in_digits(value, language) for language in languages)
                yield Replacement(mention.start, mention.end, shown, None, whole)
            continue
        if mention.kind != "digits" or (digits.isdigit() and not digits.isdecimal()):
            continue  # a stand-in for the `²` of `10²` would be one number with the 10
        found = _time(mention, languages) or _date(mention, languages)
        if found:
            yield found
            continue
        scaled = _scaled(mention, digits, languages)
        if scaled and stand_ins:
            yield Replacement(mention.start, mention.end, stand_ins.pop(0), scaled, scaled)
            continue
        is_year = digits.isdigit() and len(digits) == 4 and int(digits) in _YEAR
        supply = years if is_year else stand_ins
        if supply:
            written = written_number(digits, mention.readings, languages[1])
            start, stand_in = mention.start, supply.pop(0)
            if mention.is_negative and mention.start in missing:
                sign = _SIGN.search(text, 0, start)
                start = sign.start() if sign else start
                yield Replacement(
                    start, mention.digits_end, MINUS + stand_in, MINUS + written, f"-{written}"
                )
                continue
            yield Replacement(start, mention.digits_end, stand_in, written, written)


def _ratio(
    mention: Mention, mentions: Sequence[Mention], text: str, languages: tuple[str, str]
) -> Replacement | None:
    """Return `829:2` for two numbers such as `829 zu 2`; None if a mention is not the first."""
    after = next((one for one in mentions if one.start > mention.start), None)
    if after is None or text[mention.end : after.start] not in (" to ", " zu "):
        return None
    sides = (
        written_number(text[one.start : one.digits_end], one.readings, languages[1])
        for one in (mention, after)
    )
    shown = ":".join(sides)
    return Replacement(mention.start, after.end, shown, None, shown)


def _in_digits(number: Decimal, language: str) -> str:
    """Return a number as a language writes it: `58`, `1,5`, `30.000`, `10 Millionen`."""
    value, own = int(number), number_signs(language)
    if number != value:
        return str(number).replace(".", own.decimal if own else ".")
    names = SCALE_NAMES.get(primary_language(language), {})
    for scale, (one, many) in names.items():
        if value >= scale and value % scale == 0:
            return f"{value // scale} {one if value == scale else many}"
    signs = number_signs(language)
    return f"{value:,}".replace(",", signs.thousands) if signs and value >= 10_000 else str(value)


def written_number(digits: str, readings: Sequence[Reading], language: str) -> str:
    """Return digits with the signs of a language if they are a number; as they are otherwise."""
    signs = number_signs(language)
    if not readings or len(readings[0]) != 1 or signs is None or digits.isdigit():
        return digits
    has_signs = re.search(r"[.,\s'’\u00a0\u202f]", digits)
    value = _value(digits, readings)
    if value is None or not has_signs or re.search("[:/]", digits):
        return digits
    whole, _, fraction = str(value).partition(".")
    grouped = re.sub(r"(?<=[0-9])(?=(?:[0-9]{3})+$)", signs.thousands, whole)
    return grouped + (signs.decimal + fraction if fraction else "")


def _scaled(mention: Mention, digits: str, languages: tuple[str, str]) -> str | None:
    """Return a number with the word that multiplies it, such as `2.5 million`."""
    names = SCALE_NAMES.get(primary_language(languages[1]))
    value = mention.value
    if not names or value is None or mention.end == mention.digits_end:
        return None
    alone = readings_of_digits(digits, number_signs(languages[0]))
    number = alone[0][0]
    if not isinstance(number, Decimal) or not number:
        return None
    if value / number not in names:  # a thousand
        return _in_digits(value, languages[1]) if is_whole(value) else None
    one, many = names[int(value / number)]
    return f"{written_number(digits, alone, languages[1])} {one if number == 1 else many}"


def _value(digits: str, readings: Sequence[Reading]) -> Decimal | None:
    """Return the number that the digits are; a word behind them may have multiplied it."""
    value = readings[0][0]
    has_all = digits_of(str(value)) == digits_of(digits)
    return value if isinstance(value, Decimal) and has_all else None


def with_ordinals(text: str) -> str:
    """Return English text in which each ordinal has its suffix: `3rd` for `3th`."""
    return _ORDINAL.sub(lambda found: found["digits"] + _ordinal_suffix(found["digits"]), text)


def _ordinal_suffix(digits: str) -> str:
    number = int(digits[-2:])  # of any length
    return "th" if number in (11, 12, 13) else _SUFFIXES.get(number % 10, "th")


def _time(mention: Mention, languages: tuple[str, str]) -> Replacement | None:
    first = mention.readings[0][0]
    shown = _TIME.match(first) if isinstance(first, str) else None
    if not shown or mention.end == mention.digits_end or number_signs(languages[1]) is None:
        return None
    at = datetime.time(int(shown[1]), int(shown[2]))
    stand_in = f"{shown[1]}:{shown[2]}"
    if languages[0] == "de":
        stand_in += " Uhr"
    whole = format_time(at, "short", locale=languages[1].replace("-", "_"))
    if languages[1] == "de":
        whole += " Uhr"
    return Replacement(mention.start, mention.end, stand_in, None, whole.replace("\u202f", " "))


def _date(mention: Mention, languages: tuple[str, str]) -> Replacement | None:
    """Return a date in digits spelled out; None if it is none, or nobody can tell the month."""
    parts = re.fullmatch(
        r"(?P<one>[0-9]{1,2})(?P<sign>[./])(?P<two>[0-9]{1,2})(?P=sign)(?P<year>[0-9]{4})",
        mention.text,
    )
    if not parts or None in map(number_signs, languages):
        return None
    one, two, year = (int(parts[name]) for name in ("one", "two", "year"))
    day, month = (one, two) if parts["sign"] == "." or one > 12 else (two, one)
    if parts["sign"] == "/" and one <= 12 and two <= 12 and one != two:
        return None
    try:
        date = datetime.date(year, month, day)
    except ValueError:
        return None
    spelled, whole = (
        format_date(date, "long", locale=language.replace("-", "_")) for language in languages
    )
    return Replacement(mention.start, mention.end, spelled, None, whole)
