"""Of what a number is: an ordinal, a time of day, an amount of money, a measure, a place in a text.

`3rd`, `3h`, `3 pm`, `£3` and `page 3` all have a 3, and none of them is another one. Where a number
may be of several kinds, it has all of them: `10m` are metres or millions.
"""

from __future__ import annotations

import functools
import re

from babel import Locale, UnknownLocaleError
from babel.numbers import get_currency_name
from babel.units import format_unit

from translator.text.characters import primary_language
from translator.text.lone_numbers import CURRENCY_CODES, CURRENCY_SIGN

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
_LONGEST_UNIT = 24


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
    """Return the name of the unit beside a number; None if there is none that is known."""
    by_form, pattern = _by_form(language), _behind(language)
    before = _BEFORE.search(text[max(0, start - 6) : start])
    if before:
        return by_form.get(before["unit"].removeprefix("US").casefold())
    after = pattern.match(text, end, end + _LONGEST_UNIT) if pattern else None
    if not after or (len(after["unit"]) == 1 and after[0].isalpha()):
        return None  # `5m` may be five millions
    return by_form.get(after["unit"].casefold())


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


Kinds = frozenset[str]
"""What a number may be of. Beside the kinds below there are the units of `unit_beside`."""

PLAIN = frozenset(["plain"])
"""A number of which nothing says what it counts; it goes with every kind."""

ORDINAL = frozenset(["ordinal"])
CLOCK = frozenset(["clock"])
MONEY = frozenset(["money"])

_SCALED_KIND = frozenset(["scaled"])
_MAY_BE_ORDINAL = ORDINAL | PLAIN
_OPEN = frozenset(["plain", "scaled"])
_RANKS = frozenset(["ordinal", "label"])
"""A page 3 may become the third page."""

_LABELS = frozenset(["label"])

LABEL = re.compile(
    r"(?i:\b(?:abb|abbildung|abschnitt|chapter|fig|figure|kapitel|no|nr|part|punkt|release|schritt"
    r"|section|step|tab|tabelle|table|teil|version)\.?|§)\s?$"
)
"""What stands before digits that are a name: their signs stay as they are."""

_PLACE = re.compile(
    r"(?i:\b(?:artikel|articles?|gates?|gleis|lines?|linien?|pages?|seiten?|platform|raum|rooms?"
    r"|tore?|zimmer|zeilen?)\s)$"
)
_FIELD = re.compile(r"[^\W\d_]:\s?$")
_NOTHING_MORE = re.compile(r"\W*$")
_ENDING = re.compile(r"(?:st|nd|rd|th)(?!\w)")
_DOT = re.compile(r"\.(?:[\s),;:!?-]|$)")
_DOT_AND_WORD = re.compile(r"\.\s[^\W\d_]")
_DETERMINER = re.compile(
    r"(?<!\w)(?i:de[rmns]|die|das|[ia]m|zu[mr]|beim|vom"
    r"|(?:ihr|sein|mein|dein|unser|euer|eur|jed|dies)(?:e[nrms]?)?)\s$"
)
_LAST_OF_RATIO = re.compile(r"[0-9] zu $")
_CLOCK = re.compile(r"(?i:uhr|clock|[ap]\.?\s?m\b)")
_MONTH = (
    r"(?:Jan(?:uary?)?|Feb(?:ruary?)?|Januar|Februar|März|Mar(?:ch)?|Apr(?:il)?|Mai|May|Jun[ei]?"
    r"|Jul[iy]?|Aug(?:ust)?|Sept?(?:ember)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?)"
)
_MONTH_BEFORE = re.compile(rf"\b{_MONTH}\.?\s$")
_MONTH_BEHIND = re.compile(rf"\s(?:of\s)?{_MONTH}\b")
_IS_DAY = re.compile("[12]?[0-9]|3[01]")
_SHOWN_TIME = re.compile(r"[0-9]{1,2}:[0-5][0-9](?![0-9:])")
_SCALED = {
    "en": re.compile(r"\s?(?:(?:m|mn|bn|tn|k)(?![^\W_])|[mb]illion|trillion|thousand)"),
    "de": re.compile(r"\s?(?:(?:mn|bn|tn|k)(?![^\W_])|tausend|Tsd|Mio|Mill?\.|Mrd|[MB]illi)"),
}
_POUND = frozenset(["pound"])
_POUNDS = re.compile(r"[\s-]?(?i:pounds?|pfund)(?![^\W_])")
"""Of money or of weight."""

_CURRENCY_BEFORE = re.compile(rf"(?:{CURRENCY_SIGN}|\b(?:{CURRENCY_CODES}))\s?[-–]?$")
_CURRENCY_BEHIND = re.compile(
    rf"\s?(?i:mn?|bn?|tn|k)[\s-]?(?:{CURRENCY_SIGN}"
    rf"|(?:{CURRENCY_CODES}|[Ee]uros?|[Dd]ollars?|[Pp]ounds?|Pfund|[Ff]ranc?s?|Franken)(?![^\W_]))"
)
_FACTOR = re.compile(r"\s?(?P<name>(?i:mn?|bn?|tn|k))(?![^\W_])")
_FIRM_FACTORS = frozenset(["bn", "tn"])
_MEASURES = re.compile(
    r"[\s-]?(?:(?P<hour>h|hrs?|[Ss]td|[Ss]tunden?|[Ss]tündig\w*|hours?)"
    r"|(?P<minute>min|mins|[Mm]inuten?|[Mm]inütig\w*|minutes?)"
    r"|(?P<second>s|secs?|[Ss]ek|[Ss]ekunden?|[Ss]ekündig\w*|seconds?)"
    r"|(?P<day>d|[Tt]age?n?|[Tt]ägig\w*|days?)"
    r"|(?P<tonne>t|[Tt]onnen?|tonnes?|tons?)"
    r"|(?P<metre>m|[Mm]et(?:er|re)s?n?)"
    r"|(?P<gram>g|[Gg]ramm|grams?)|(?P<litre>l|[Ll]iters?n?|litres?))(?![^\W_])"
)
_OTHERWISE = {("h", "de"): CLOCK, ("s", "en"): frozenset(["decade"])}
"""What a number may be, too, whose unit touches it: `um 15h`, in the `30s`."""
_LOOK_BACK = 24
_LOOK_BEHIND = 16


def kinds_of(text: str, start: int, digits_end: int, end: int, language: str) -> Kinds:
    """Return of what a number may be."""
    if end > digits_end and _CLOCK.search(text, digits_end, end):
        return CLOCK
    if language == "en" and _ENDING.match(text, digits_end):
        return ORDINAL
    scale = _SCALED.get(language, _SCALED["en"]).match(text, digits_end)
    scaled = _SCALED_KIND if scale else frozenset[str]()
    unit = unit_beside(text, start, end, language)
    if unit is not None:
        own = MONEY if unit in CURRENCIES else frozenset([unit, unit.split()[0]])
        return own | scaled | (_POUND if _POUNDS.match(text, end) else frozenset())
    if _CURRENCY_BEHIND.match(text, digits_end):
        return MONEY | _SCALED_KIND
    measure = _MEASURES.match(text, end, end + _LOOK_BEHIND)
    if measure:
        kinds = frozenset([str(measure.lastgroup)])
        kinds |= _OTHERWISE.get((measure[0], language), frozenset())
        is_century = "decade" in kinds and digits_end - start == len("1800")
        return kinds | scaled | (ORDINAL if is_century else frozenset())
    before = text[max(0, start - _LOOK_BACK) : start]
    is_value = _FIELD.search(before) and _NOTHING_MORE.match(text, digits_end)
    if is_value or LABEL.search(before) or _PLACE.search(before):
        return _LABELS
    if language == "de" and _DOT.match(text, digits_end) and not _LAST_OF_RATIO.search(before):
        is_firm = _DETERMINER.search(before) and _DOT_AND_WORD.match(text, digits_end)
        return ORDINAL if is_firm else _MAY_BE_ORDINAL
    if _IS_DAY.fullmatch(text, start, digits_end) and _is_beside_month(text, start, digits_end):
        return ORDINAL
    if _SHOWN_TIME.match(text, start):
        return CLOCK | PLAIN
    return scaled or PLAIN


def factor_behind(text: str, start: int, digits_end: int) -> re.Match[str] | None:
    """Return what surely multiplies a number, as `name`: the `m` of `£20m`, the `bn` of `3bn`.

    The `m` of `10m` alone may be metres. No metres have a currency before them or behind them.
    """
    found = _FACTOR.match(text, digits_end)
    if found and (
        found["name"].casefold() in _FIRM_FACTORS
        or _CURRENCY_BEHIND.match(text, digits_end)
        or _CURRENCY_BEFORE.search(text[max(0, start - _LOOK_BACK) : start])
    ):
        return found
    return None


def _is_beside_month(text: str, start: int, end: int) -> bool:
    before = _MONTH_BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    return bool(before or _MONTH_BEHIND.match(text, end))


def are_opposed(one: Kinds, other: Kinds) -> bool:
    """Return whether two numbers cannot be the same, since they are of different kinds."""
    if one & _OPEN or other & _OPEN or one & other:
        return False
    return not (one & _RANKS and other & _RANKS)
