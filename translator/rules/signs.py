"""Decimal signs and thousands separators follow the language of a translation.

A model often copies a number as it stands (`3.14 €`), or mixes the signs of both languages
(`1.250,000`). Its digits tell which number of the source it is. Only what is surely a quantity in
the source is written anew: versions, dates, times, addresses and section numbers stay as they are.
"""

from __future__ import annotations

import functools
import re
from decimal import Decimal

from babel import Locale, UnknownLocaleError

from translator.rules.kinds import LABEL
from translator.text.characters import word_set
from translator.text.lone_numbers import (
    CURRENCY_CODES,
    CURRENCY_SIGN,
    UNITS,
    NumberSigns,
    number_signs,
    parts_of_number,
)

_BEFORE = re.compile(rf"(?:{CURRENCY_SIGN}|\b(?:{CURRENCY_CODES}))\s?$")
_BEHIND = re.compile(
    r"(?:,[-–—]{1,2}|\s?(?:[-–—]|to|bis)\s?[0-9]+(?:[.,][0-9]+)?)?"  # or the rest of a range
    rf"[\s-]?(?:[€$£¥₹%‰℃℉]|°[CF]?|{CURRENCY_CODES}|{UNITS})(?!\w)"
)
_NAME = re.compile(r"[^\W\d_]*[A-ZÄÖÜ][^\W\d_]*[\s-]$")
_SHORT_NAME = re.compile(r"(?<!\w)(?P<name>[A-ZÄÖÜ][a-zäöü]{1,2})\.?\s$")
"""Before a place in a book, such as `Joh 3,16`."""

_COUNTED = re.compile(r"\s(?P<word>[^\W\d_]{3,})")
_AMOUNT = re.compile(
    r"\b(?:magnitude|average|rate|factor|score|ratio|value|mean|median|index|level|grade|strength)s?"
    r" (?:of|is|was)\s(?:[0-9]+\.[0-9]+ \(not\s)?$"
    r"|\b(?:SDs?|SEM?|CI|OR|HR|RR|AUC|[FMPRdprtxyz])\s[=<>≤≥]\s$"
)
"""Before an amount: in `The mean was 3.4 (SD = 1.2)`, and in `The value is 2.5 (not 3.5)`."""

_SMALL = re.compile(r"0\.[0-9]{3,}")  # no version has so many
_NO_NOUNS = word_set(
    "and but for from has had nor not off out per the was were are is with und oder bis für von "
    "aus mit ist war hat der die das pro auf bei nach before after brings adds into than then "
    "when"
)
_LOOK_BACK = 24  # characters before a number that can tell whether it is a quantity
_HINT = re.compile(r"[0-9][.,\u00a0\u202f][0-9]")
_NUMBER = re.compile(
    r"(?<![\w.,:/])[0-9]+(?:[.,\u00a0\u202f][0-9]+)*(?![0-9:/]|[.,\u00a0\u202f][0-9])"
)
_RATIO = re.compile(r"(?<![\w.,:/])[0-9]{1,3}:[0-9]{1,3}(?:[.,][0-9]{3})+(?![\w:/]|[.,][0-9])")


def follow_language(translation: str, source: str, languages: tuple[str, str]) -> str:
    """Return a translation whose quantities are written as its language writes them.

    A number of the translation that has the digits of a quantity of the source gets the signs that
    belong to it, and as many zeros at its end (`4,00 €`, not `4,0 €`). If another number of the
    source has the same digits, such as a version, both stay as they are.

    Args:
        translation: with placeholders for the spans that must come back verbatim.
        source: what it is a translation of, with the spans in their places.
        languages: codes of the source's and the translation's.
    """
    theirs, ours = map(number_signs, languages)
    if theirs is None or ours is None or theirs == ours or not _HINT.search(source):
        return translation
    forms: dict[str | tuple[str, str] | None, set[str | None]] = {}
    for number in _NUMBER.finditer(source):
        form = _rewritten(number, theirs, ours)
        forms.setdefault(digits_of(number[0]), set()).add(form)
        fraction = _fraction(form, ours) if form else None
        if fraction:
            forms.setdefault(fraction, set()).add(form)

    def ratio(found: re.Match[str]) -> str:
        is_theirs = theirs.thousands in found[0] and found[0] in source
        return found[0].replace(theirs.thousands, ours.thousands) if is_theirs else found[0]

    def signed(number: re.Match[str]) -> str:
        form = forms.get(digits_of(number[0])) or forms.get(_fraction(number[0], ours), set())
        [only] = form if len(form) == 1 else [None]
        return only if only and not number[0].isdigit() else number[0]

    return _RATIO.sub(ratio, _NUMBER.sub(signed, translation))


@functools.cache
def _has_currency_first(language: str) -> bool | None:
    """Return whether a language writes `€5` rather than `5 €`; None if that is not known.

    Source: Unicode CLDR, numbers/currencyFormats, by way of Babel.
    """
    try:
        pattern = Locale.parse(language.replace("-", "_")).currency_formats["standard"].pattern
    except (UnknownLocaleError, ValueError, KeyError):
        return None
    return bool(pattern.lstrip("\u200e\u200f").startswith("¤"))


_AMOUNT_OF_MONEY = r"[0-9]+(?:[.,\u00a0\u202f][0-9]+)*"
_SIGN_OF_CURRENCY = re.compile(CURRENCY_SIGN)
_CURRENCY_FIRST = re.compile(
    rf"(?<![\w.,/{CURRENCY_SIGN[1:-1]}-])(?P<sign>{CURRENCY_SIGN})\s?(?P<number>{_AMOUNT_OF_MONEY})"
    rf"(?![\w–-]|[.,:][0-9]|\s?(?:{CURRENCY_SIGN}|(?i:[mb]il|mio|mrd|tausend|tsd|thousand)))"
)
_CURRENCY_LAST = re.compile(
    rf"(?<![\w.,:/–-])(?<!{CURRENCY_SIGN})(?<!{CURRENCY_SIGN}\s)(?<![0-9]\s)(?P<number>{_AMOUNT_OF_MONEY})"
    rf"\s?(?P<sign>{CURRENCY_SIGN})(?![\w–-]|\s?[0-9])"
)


def with_currencies(translation: str, source: str, languages: tuple[str, str]) -> str:
    """Return a translation with the signs of currencies on the side where its language has them.

    A model often leaves a sign where the source has it. No digit changes, and a sign stays if a
    word multiplies the number, or another number stands beside it.

    Args:
        translation: with placeholders for the spans that must come back verbatim.
        source: what it is a translation of.
        languages: codes of the source's and the translation's.
    """
    theirs, ours = map(_has_currency_first, languages)
    if None in (theirs, ours) or theirs == ours or not _SIGN_OF_CURRENCY.search(source):
        return translation
    if ours:
        return _CURRENCY_LAST.sub(r"\g<sign>\g<number>", translation)
    return _CURRENCY_FIRST.sub(r"\g<number> \g<sign>", translation)


def _is_counted(number: re.Match[str], before: str, decimal: str) -> bool:
    """Return whether a number without a unit is a quantity, by its sign and the words around it.

    One with a decimal comma is, unless a short name stands before it. Otherwise the word behind it
    is a noun that it counts, or it has too many digits for a version or a time, and no name stands
    before its dot: `Only 1,250 people`.
    """
    if decimal == ",":
        name = _SHORT_NAME.search(before)
        return name is None or name["name"].lower() in _NO_NOUNS
    if "." in number[0] and _NAME.search(before):
        return False
    after = _COUNTED.match(number.string, number.end())
    if after and after["word"].casefold() not in _NO_NOUNS:
        return True
    return bool(decimal) and (
        Decimal(number[0].split(decimal)[0]) >= 60
        or bool(_AMOUNT.search(before))
        or _SMALL.fullmatch(number[0]) is not None
    )


def _fraction(number: str, signs: NumberSigns) -> tuple[str, str] | None:
    """Return a number with a decimal sign by its digits, without zeros at its end."""
    whole, _, fraction = number.partition(signs.decimal)
    return (digits_of(whole), fraction.rstrip("0")) if fraction.isdigit() else None


def digits_of(number: str) -> str:
    """Return a number without its signs."""
    return re.sub("[^0-9]", "", number)


def _rewritten(number: re.Match[str], theirs: NumberSigns, ours: NumberSigns) -> str | None:
    """Return a number of the source with our signs; None if it may be something else.

    A number is a quantity if it has thousands and a decimal sign, or two thousands separators.
    Otherwise a unit, a currency or a percent sign must stand beside it, and no word like `version`.
    """
    text, start, end = number.string, *number.span()
    parts = parts_of_number(number[0], theirs)
    if parts is None:
        is_ours = re.fullmatch(rf"[0-9]+{re.escape(ours.decimal)}[0-9]+", number[0])
        return number[0] if is_ours else None
    groups, fraction = parts
    before = text[max(0, start - _LOOK_BACK) : start]
    if not (len(groups) > 1 and fraction) and len(groups) != 3:
        if LABEL.search(before):
            return None
        has_unit = _BEFORE.search(before) or _BEHIND.match(text, end)
        if not has_unit and not _is_counted(number, before, theirs.decimal if fraction else ""):
            return None
    return ours.thousands.join(groups) + (ours.decimal + fraction if fraction else "")
