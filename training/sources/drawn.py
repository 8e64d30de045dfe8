"""Values of a phrasebook's slots that are drawn, not listed: numbers, sums, dates, times, codes.

Both sides of a value say the same, each as its language writes it: `1.200,50 €` and `€1,200.50`.
Signs, groups and names of months come from CLDR. What people write alike in every language, such as
the number of an account, is the same on both sides.
"""

from __future__ import annotations

import datetime
import random
import string
from collections.abc import Callable, Mapping

from babel.dates import format_date
from babel.numbers import format_decimal

from training.data.corpus import SentencePair

Draw = Callable[[random.Random, tuple[str, str]], SentencePair]

CURRENCIES = ("€", "$", "£")
EPOCH = datetime.date(1950, 1, 1)
DAYS = 36_500


def _decimal(value: float, decimals: int, languages: tuple[str, str]) -> SentencePair:
    """Return a number as both languages write it, with groups of three digits."""
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    return SentencePair(*(format_decimal(value, pattern, language) for language in languages))


def _large(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    digits = draw.randint(4, 10)
    return _decimal(draw.randrange(10 ** (digits - 1), 10**digits), 0, languages)


def _plain(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    return _same(str(draw.randrange(100, 10_000)))


def _small(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    return _same(str(draw.randint(2, 999)))


def _fraction(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    decimals = draw.choice((1, 1, 2, 2, 3))
    return _decimal(draw.uniform(0, 10 ** draw.randint(1, 4)), decimals, languages)


def _sum(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    """A price with its sign, before the number in English and behind it in other languages."""
    number = _decimal(draw.uniform(1, 10 ** draw.randint(1, 7)), draw.choice((0, 2, 2)), languages)
    sign = draw.choice(CURRENCIES)
    sides = zip(number.sides, languages, strict=True)
    return SentencePair(
        *(f"{sign}{text}" if language == "en" else f"{text} {sign}" for text, language in sides)
    )


def _percent(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    number = _decimal(draw.uniform(0, 100), draw.choice((0, 1, 1, 2)), languages)
    sides = zip(number.sides, languages, strict=True)
    return SentencePair(
        *(f"{text}%" if language == "en" else f"{text} %" for text, language in sides)
    )


def _numeric_date(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    """A date in digits stays: whether `3/4` is in March depends on the reader."""
    return _same(_day(draw).strftime(draw.choice(("%d.%m.%Y", "%Y-%m-%d", "%d/%m/%Y"))))


def _date(draw: random.Random, languages: tuple[str, str]) -> SentencePair:
    day, american = _day(draw), draw.random() < 0.5
    pattern = {"de": "d. MMMM y", "en": "MMMM d, y" if american else "d MMMM y"}
    return SentencePair(
        *(format_date(day, pattern.get(code, "long"), locale=code) for code in languages)
    )


def _day(draw: random.Random) -> datetime.date:
    return EPOCH + datetime.timedelta(days=draw.randrange(DAYS))


def _time(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    return _same(f"{draw.randrange(24)}:{draw.randrange(60):02}")


def _year(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    return _same(str(draw.randrange(1100, 2060)))


def _account(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    text = draw.choice(("DE", "AT", "CH", "GB", "FR")) + _digits(draw, 20)
    groups = [text[at : at + 4] for at in range(0, len(text), 4)]
    return _same(draw.choice((text, " ".join(groups))))


def _phone(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    country, area = draw.choice(("+49 ", "+43 ", "+44 ", "+1 ", "0")), _digits(draw, 3)
    return _same(f"{country}{area}{draw.choice('  /-')}{_digits(draw, draw.randint(5, 8))}")


def _code(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    """An order's or a part's number, in capitals and digits."""
    letters = "".join(draw.choices(string.ascii_uppercase, k=draw.randint(1, 4)))
    parts = [letters, _digits(draw, draw.randint(2, 8)), _digits(draw, draw.randint(1, 4))]
    return _same(draw.choice(("", "-", "-", "/")).join(parts[: draw.randint(2, 3)]))


def _long(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    return _same(_digits(draw, draw.randint(5, 16)))


def _version(draw: random.Random, _: tuple[str, str]) -> SentencePair:
    return _same(".".join(str(draw.randrange(30)) for _ in range(draw.randint(2, 4))))


def _digits(draw: random.Random, count: int) -> str:
    return "".join(draw.choices(string.digits, k=count))


def _same(text: str) -> SentencePair:
    return SentencePair(text, text)


DRAWN: Mapping[str, Draw] = {
    "#account": _account,
    "#code": _code,
    "#date": _date,
    "#fraction": _fraction,
    "#large": _large,
    "#long": _long,
    "#numeric-date": _numeric_date,
    "#percent": _percent,
    "#phone": _phone,
    "#plain": _plain,
    "#small": _small,
    "#sum": _sum,
    "#time": _time,
    "#version": _version,
    "#year": _year,
}
