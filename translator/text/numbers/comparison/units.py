"""What stands beside a number and says of what it is: a percent sign, a currency, a unit."""

from __future__ import annotations

import functools
import re

from babel import Locale, UnknownLocaleError
from babel.numbers import get_currency_name
from babel.units import format_unit

from translator.text.characters import primary_language

CURRENCIES = {
    "EUR": ("€", "EUR"),
    "USD": ("$", "USD"),
    "GBP": ("£", "GBP"),
    "JPY": ("¥", "JPY"),
    "CHF": ("CHF", "Fr."),
}
CURRENCY_SIGNS = frozenset(
    symbol for symbols in CURRENCIES.values() for symbol in symbols if not symbol[0].isalpha()
)
_UNITS = {
    "percent": "concentr-percent",
    "kilometre": "length-kilometer",
    "centimetre": "length-centimeter",
    "millimetre": "length-millimeter",
    "metre": "length-meter",
    "mile": "length-mile",
    "pound": "mass-pound",
    "kilogram": "mass-kilogram",
    "gram": "mass-gram",
    "litre": "volume-liter",
    "hectare": "area-hectare",
    "megabyte": "digital-megabyte",
    "gigabyte": "digital-gigabyte",
    "terabyte": "digital-terabyte",
    "megahertz": "frequency-megahertz",
    "gigahertz": "frequency-gigahertz",
    "kilowatt hour": "energy-kilowatt-hour",
    "kilometre an hour": "speed-kilometer-per-hour",
}
_FURTHER: dict[str, tuple[str, ...]] = {
    "percent": ("per cent", "pc", "pct", "percentage", "prozentig", "vom hundert", "percentile"),
    "kilometre an hour": (
        "kph",
        "km / h",
        "kilometers an hour",
        "kilometres an hour",
        "stundenkilometer",
    ),
    "USD": ("bucks", "us$", "us-dollar", "dollar"),
    "EUR": ("cent",),
    "CHF": ("franc", "franken"),
    "GBP": ("pound", "quid", "pfund", "pence", "p", "lb", "lbs"),
    "pound": ("lb", "lbs", "pound", "pfund"),
    "kilogram": ("kilo",),
    "metre": ("met",),
}
_OWN = {"percent": frozenset("%"), "pound": frozenset(["lbs"])}
"""Forms of every language that CLDR lacks in some."""

_REGIONS = {"en": ("en_GB",)}
_LOOK_BEHIND = 24


@functools.cache
def _forms(language: str) -> dict[str, frozenset[str]]:
    """Return by unit how a language writes it, in lower case.

    Source: Unicode CLDR, by way of Babel.
    """
    code = primary_language(language)
    try:
        locales = [Locale.parse(name) for name in (code, *_REGIONS.get(code, ()))]
    except (UnknownLocaleError, ValueError):
        return {}
    found: dict[str, frozenset[str]] = {}
    for unit, name in _UNITS.items():
        written = (
            format_unit(count, name, length, locale=locale)
            for locale in locales
            for count in (1, 2)
            for length in ("long", "short", "narrow")
        )
        forms = {re.sub("[0-9]", "", form).strip().casefold() for form in written}
        forms -= {"", "#", name}  # the name itself is what Babel gives where CLDR has nothing
        found[unit] = frozenset(forms | _OWN.get(unit, frozenset()))
    for currency, symbols in CURRENCIES.items():
        names = {
            word.casefold()
            for count in (1, 2)
            for word in get_currency_name(currency, count, locales[0]).split()
            if len(word) > 2
        }
        found[currency] = frozenset(names | {symbol.casefold() for symbol in symbols})
    return found


@functools.cache
def _behind(language: str) -> re.Pattern[str] | None:
    """Return a pattern of all units that may stand behind a number."""
    by_form = _by_form(language)
    if not by_form:
        return None
    forms = "|".join(map(re.escape, sorted(by_form, key=len, reverse=True)))
    return re.compile(rf"[\s-]?(?P<unit>{forms})(?![^\W_])", re.IGNORECASE)


@functools.cache
def _by_form(language: str) -> dict[str, str]:
    return {form: unit for unit, forms in _forms(language).items() for form in forms}


_BEFORE = re.compile(r"(?P<unit>(?:US)?[$€£¥]|\b(?:EUR|USD|GBP|JPY|CHF))\s?[-–]?$")


def unit_beside(text: str, start: int, end: int, language: str) -> str | None:
    """Return the name of the unit beside a number; None if there is none that is known.

    Args:
        text: a sentence.
        start: of the number.
        end: of the number, with what multiplies it.
        language: code of the sentence's language.
    """
    by_form, pattern = _by_form(language), _behind(language)
    before = _BEFORE.search(text[max(0, start - 6) : start])
    if before:
        return by_form.get(before["unit"].removeprefix("US").casefold())
    behind = pattern.match(text, end, end + _LOOK_BEHIND) if pattern else None
    if not behind or (len(behind["unit"]) == 1 and behind[0].isalpha()):
        return None  # `5m` may be five millions
    return by_form.get(behind["unit"].casefold())


def has_unit(text: str, unit: str, language: str) -> bool:
    """Return whether a text has a unit in any form; also if the language's forms are not known."""
    forms = _forms(language).get(unit)
    if forms is None:
        return True
    lower = text.casefold()
    return any(_stands_in(lower, form) for form in (*forms, *_FURTHER.get(unit, ())))


def _stands_in(lower: str, form: str) -> bool:
    """Return whether a form is there; of letters, as a word or the end or the beginning of one."""
    if form not in lower:
        return False
    if not form[0].isalpha() or len(form) >= 4:
        return True
    return re.search(rf"(?<![^\W\d_]){re.escape(form)}(?![^\W\d_])", lower) is not None
