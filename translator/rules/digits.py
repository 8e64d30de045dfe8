"""What a token of digits may mean, by the signs of its language.

`1.200` is 1200 in German and 1.2 in English. A date, a version or a ratio is read as its parts.
What is written as another language writes it (`1,200.50` in German) is read so if that is the only
way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from translator.rules.kinds import PLAIN, Kinds
from translator.text.characters import word_set
from translator.text.lone_numbers import NumberSigns, parts_of_number

Atom = Decimal | str
"""A number, or what is compared as it stands: a code, or a time of day such as `15:30`."""

Reading = tuple[Atom, ...]
"""What one token says: a number, or the parts of a date."""

Kind = Literal["digits", "word", "related", "scale"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A number in a sentence.

    Attributes:
        start: where it begins.
        end: where it ends, with what multiplies it and with `pm` or `Uhr`.
        digits_end: where its first token ends.
        text: as it stands there.
        readings: what it may mean, the likeliest first.
        kind: `digits`; `word` if it is spelled out; `related` if it only may be a number; `scale`
            for a word such as `million` by itself.
        is_negative: whether a minus stands before it.
        is_score: whether it and the next one may be a score or a ratio, such as `3 zu 1`.
        kinds: of what it may be; see `kinds`.
    """

    start: int
    end: int
    digits_end: int
    text: str
    readings: tuple[Reading, ...]
    kind: Kind
    is_negative: bool = False
    is_score: bool = False
    kinds: Kinds = PLAIN

    @property
    def value(self) -> Decimal | None:
        """The number, where the likeliest reading is a single one."""
        first = self.readings[0]
        return first[0] if len(first) == 1 and isinstance(first[0], Decimal) else None


_SPACES = re.compile("[ \u00a0\u202f\u2009'’]")
_SEPARATOR = re.compile(r"[.,:/]")
_INVENTED = re.compile("[dehnrst]{1,3}")
"""Endings of ordinals that models invent, such as `33d`."""

_DATE_SEPARATORS = ({"."}, {"/"})
_ANY_SIGNS = (NumberSigns(".", ","), NumberSigns(",", "."))
VULGAR_FRACTIONS = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4)} | {
    "⅕": (1, 5),
    "⅖": (2, 5),
    "⅗": (3, 5),
    "⅘": (4, 5),
    "⅛": (1, 8),
    "⅜": (3, 8),
    "⅝": (5, 8),
    "⅞": (7, 8),
}
_PLAIN_SUFFIXES = word_set(
    "st nd rd th s er ern ers te ten ter am pm h hr hrs x km m cm mm nm kg g mg l ml t min sec kb "
    "mb gb tb kib mib gib hz khz mhz ghz w kw mw kwh mwh wh v kv mah px pt dpi fps mph ppm ft in "
    "eur usd chf euro jährig mal fach"
)
_MULTIPLES = {"k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9, "tn": 10**12}
_DECADES = {"s", "er", "ern", "ers"}
_LONG_SUFFIX = 4
_LONGEST_NUMBER = 28
"""Digits, as many as a `Decimal` is computed with; longer tokens are compared as they stand."""


def is_whole(value: Decimal) -> bool:
    """Return whether a number of any size has no fraction; `%` raises an error for large ones."""
    return value == value.to_integral_value()


def readings_of_digits(
    digits: str, signs: NumberSigns | None, is_translation: bool = False
) -> tuple[Reading, ...]:
    """Return what digits with their separators may mean, the likeliest first.

    Args:
        digits: a token, such as `1.200,50`, `27.12.2020` or `5 592 260`.
        signs: of its language; None if they are not known.
        is_translation: of a number that is known. Then `20` is no 2020, since a year may be
            filled up but not cut.
    """
    joined = _SPACES.sub("", digits)
    if len(joined) > _LONGEST_NUMBER:
        return ((digits,),)
    if joined.isdigit():
        if joined.startswith("0") and len(joined) > 2:
            return ((joined,),)
        parts = tuple(Decimal(part) for part in _SPACES.split(digits))
        return ((Decimal(joined),), parts) if len(parts) > 1 else ((Decimal(joined),),)
    own = _quantity(joined, signs) if signs else None
    if own is not None:
        return ((own,), *(_pairs(joined) if signs and signs.decimal == "." else ()))
    sides = [_quantity(side, signs) for side in joined.split(":")] if signs else []
    if len(sides) == 2 and re.search("[.,]", joined):
        one, two = sides
        if one is not None and two is not None:
            return ((one, two),)  # the ratio 2.5:1
    foreign = {_quantity(joined, other) for other in _ANY_SIGNS} - {None}
    readings = [(value,) for value in sorted(filter(None, foreign))]
    separators = {*_SEPARATOR.findall(joined)}
    is_odd = ":" in separators and any(len(part) > 2 for part in joined.split(":")[1:])
    if len(separators) == 1 and separators != {","} and not is_odd:
        parts = tuple(Decimal(part) for part in _SEPARATOR.split(joined))
        return (parts, *_as_dates(parts, separators, is_translation), *readings, (joined,))
    return (*readings, (joined,))


def name_readings(digits: str) -> tuple[Reading, ...]:
    """Return the readings of digits behind a word such as `version`: signs stay as they are."""
    parts = digits.split(".")
    if len(parts) > 1 and all(map(str.isdigit, parts)):
        return ((digits,), tuple(map(Decimal, parts)))
    return ((digits,),)


def mixed_readings(text: str) -> tuple[Reading, ...]:
    """Return the readings of a fraction that may have a whole number before it: `2½`, `3 3/4`."""
    found = re.match(r"(?P<whole>[0-9]*) ?(?:(?P<top>[0-9])/(?P<bottom>[0-9]))?", text)
    assert found, text
    top, bottom = (int(found[name] or 0) for name in ("top", "bottom"))
    if not bottom:
        top, bottom = VULGAR_FRACTIONS[text[-1]]
    parts = (Decimal(top), Decimal(bottom))
    whole = Decimal(found["whole"] or 0)
    value = whole + parts[0] / parts[1]
    if not found["whole"]:
        return (parts, (value,))
    return ((value,), (whole, *parts))


def suffix_readings(
    digits: str, suffix: str, readings: tuple[Reading, ...], is_translation: bool = False
) -> tuple[Reading, ...]:
    """Return the readings of digits that letters follow: `3rd`, `1990s`, `10k`, `3D`."""
    lower = suffix.casefold()
    is_number = digits.isdigit() and len(digits) <= _LONGEST_NUMBER
    if lower in _DECADES and is_number and digits.endswith("0"):
        value = int(digits)
        years = [value % 100, 1900 + value % 100] if value < 2100 else []
        if value % 100 == 0:
            years.append(value // 100 + 1)  # the 1800s are the 19th century
        return (*readings, *((Decimal(year),) for year in years))
    found = readings
    if lower in _MULTIPLES:
        found = (*readings, *multiplied(readings, lower))
    elif lower not in _PLAIN_SUFFIXES and len(suffix) < _LONG_SUFFIX:
        is_invented = is_translation and _INVENTED.fullmatch(suffix)
        found = (((digits + suffix).casefold(),), *(() if is_invented else readings))
    return found


def multiplied(readings: tuple[Reading, ...], factor: str) -> tuple[Reading, ...]:
    """Return those readings that are a number, multiplied."""
    return tuple(
        (one[0] * _MULTIPLES[factor],)
        for one in readings
        if len(one) == 1 and isinstance(one[0], Decimal)
    )


def _quantity(digits: str, signs: NumberSigns) -> Decimal | None:
    parts = parts_of_number(digits, signs)
    if parts is None:
        return None
    groups, fraction = parts
    return Decimal("".join(groups) + (f".{fraction}" if fraction else ""))


def _pairs(digits: str) -> tuple[Reading, ...]:
    """Return the parts of what may be a time or a version, such as `15.30`."""
    parts = digits.split(".")
    if len(parts) == 2 and all(map(str.isdigit, parts)):
        return (tuple(map(Decimal, parts)),)
    return ()


def _as_dates(
    parts: tuple[Decimal, ...], separators: set[str], is_translation: bool
) -> tuple[Reading, ...]:
    """Return what may be a date with day and month in the other order, and with all of its year."""
    if len(parts) != 3 or separators not in _DATE_SEPARATORS:
        return ()
    one, two, year = parts
    if not (0 < min(one, two) <= 12 and max(one, two) <= 31):
        return ()
    years = [year] if year >= 100 or is_translation else [year, 2000 + year, 1900 + year]
    return tuple((*days, own) for own in years for days in ((one, two), (two, one)))
