"""Decimal signs and thousands separators follow the language of a translation.

A model often copies a number as it stands (`3.14 €`), or mixes the signs of both languages
(`1.250,000`). Its digits tell which number of the source it is. Only what is surely a quantity in
the source is written anew: versions, dates, times, addresses and section numbers stay as they are.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from babel import Locale, UnknownLocaleError

from translator.text.characters import word_set
from translator.text.numbers.kinds import CURRENCY_CODES, CURRENCY_SIGN, LABEL


class NumberSigns(NamedTuple):
    """How a language writes numbers."""

    decimal: str
    thousands: str


_ANY = NumberSigns("", "")
"""Those of a language that has its own."""


@functools.cache
def number_signs(language: str) -> NumberSigns | None:
    """Return the signs of a language, by its code; None if they are not known.

    Source: Unicode CLDR, numbers/symbols of the numbering system `latn`, by way of Babel.
    """
    try:
        symbols = Locale.parse(language.replace("-", "_")).number_symbols
    except (UnknownLocaleError, ValueError):
        return None
    latin = symbols.get("latn", symbols)
    return NumberSigns(latin["decimal"], latin["group"])


UNITS = (
    r"[kKMB]|[kcmµ\u03bcn]?m[²³]?|[km]?g|[mc]?l|[kMGT]i?B|[kMG]?bit|[kMG]Hz|Hz|[kMGT]?Wh|[kMG]W|mAh|[km]V"
    r"|[hk]Pa|ms|ha|dB|mph|ppm|inch(?:es)?|feet|miles|pounds|tons|tonnes|(?:kilo)?grams"
    r"|(?:kilo|centi|milli)?(?:met(?:er|re)s?|lit(?:er|re)s?)|percent|per\scent|percentage|degrees"
    r"|million|billion|trillion|euros?|dollars?|cents|Euro|Cent|Dollar|Pfund|Mio|Mrd|Million(?:en)?"
    r"|Milliarden?|Billion(?:en)?|Prozent(?:punkten?)?|Grad|Zoll|Tonnen?|(?:Kilo)?[Gg]ramm"
    r"|(?:Kilo|Zenti|Milli)?[Mm]eter|Liter"
)
"""A regular expression of what stands behind a number and says of what it is."""

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


_SIGN_OF_CURRENCY = re.compile(CURRENCY_SIGN)
_SIDE = r"[0-9]+(?:[.,\u00a0\u202f'’][0-9]+)*"
_ALONE = re.compile(
    rf"(?P<before>[(]?(?:[0-9]{{1,4}}\s?×\s?)?(?:[-+±\u2212]|[~≈<>≤≥]\s?)?(?:{CURRENCY_SIGN}\s?)?[-\u2212]?)(?P<one>{_SIDE})"
    rf"(?:(?P<dash>\s?–\s?)(?P<two>{_SIDE}))?(?:,[-–—]{{1,2}})?(?P<behind>\s?(?:[€$£¥₹%‰℃℉°])?[)]?)"
)
_ALONE_HINT = re.compile(r"[0-9][.,\u00a0\u202f'’][0-9]")
_MARKED = re.compile(r"[^\s()~≈<>+]")
_LARGEST_BYTE = 255
_LONGEST_ALONE = 60


def stands_alone(text: str, language: str) -> bool:
    """Return whether a text is only a number, and surely one that its language writes so."""
    return _written_alone(text, number_signs(language), _ANY) is not None


def may_stand_alone(text: str) -> bool:
    """Return whether a text is only a number that some language may write with other signs."""
    return bool(_ALONE_HINT.search(text)) and _ALONE.fullmatch(text) is not None


def follow_language_alone(text: str, languages: tuple[str, str]) -> str:
    """Return a text as another language writes it if it is only a number: `3.000` is `3,000`.

    What may be a version, a date, a time, a code or an address of a machine stays.

    Args:
        text: such as the cell of a table.
        languages: codes of the text's and the one wanted.
    """
    theirs, ours = map(number_signs, languages)
    return _written_alone(text, theirs, ours) or text


_LONE = re.compile(r"[(]?[-+\u2212]?[0-9]{1,3}\.[0-9]{2}[)]?")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]{2}(?![0-9])")
_NEAR = 12
"""Texts between a number and a neighbour of it, at most: a few rows of a table."""


def amounts_among(texts: Sequence[str], languages: tuple[str, str]) -> Mapping[int, str]:
    """Return how lone numbers such as `850.00` are written that stand among surely larger amounts.

    Alone, `22.10` may be a version. Near `1,204.17` it is an amount, and so are those near to it.

    Args:
        texts: such as the cells of a table, in order.
        languages: codes of the texts' and the one wanted.

    Returns:
        numbers with the signs of the language wanted, by their places in `texts`.
    """
    theirs, ours = map(number_signs, languages)
    if theirs is None or ours is None or theirs == ours or theirs != NumberSigns(".", ","):
        return {}
    known, amounts = dict[int, bool](), set[int]()  # each number with two decimals; is it sure
    for place, text in enumerate(texts):
        if len(text) <= _LONGEST_ALONE and "." in text and _ALONE.fullmatch(text.strip()):
            is_sure = _GROUPED.search(text) is not None
            if is_sure or _LONE.fullmatch(text.strip()):
                known[place] = is_sure
    for places in (list(known), list(reversed(known))):
        last: int | None = None
        for place in places:
            if known[place] or (last is not None and abs(place - last) <= _NEAR):
                last = place
                amounts.add(place)
    return {place: texts[place].replace(".", ours.decimal) for place in amounts if not known[place]}


def _written_alone(text: str, theirs: NumberSigns | None, ours: NumberSigns | None) -> str | None:
    """Return a number with our signs; None if it is none, or may be something else."""
    if theirs is None or ours is None or theirs == ours or len(text) > _LONGEST_ALONE:
        return None
    found = _ALONE.fullmatch(text) if _ALONE_HINT.search(text) else None
    if found is None:
        return None
    is_marked = _MARKED.search(found["before"] + found["behind"]) is not None
    sides = [found[name] for name in ("one", "two") if found[name]]
    written = [_written_side(side, theirs, ours, is_marked) for side in sides]
    one, *others = written
    if one is None or None in others:
        return None
    two = "".join(other for other in others if other)
    return "".join((found["before"], one, found["dash"] or "", two, found["behind"]))


def _written_side(
    number: str, theirs: NumberSigns, ours: NumberSigns, is_marked: bool
) -> str | None:
    parts = parts_of_number(number, theirs)
    if parts is None:
        return number if number.isdigit() else None
    groups, fraction = parts
    is_bare = not (fraction or is_marked)
    if is_bare and len(groups) == 4 and max(map(int, groups)) <= _LARGEST_BYTE:
        return None  # an address of a machine
    if len(groups) == 1 and len(fraction) == 3:
        return None  # thousands, if another language has written it
    if len(groups) == 1 and theirs.decimal == "." and not is_marked:
        return None  # a version, a section
    return ours.thousands.join(groups) + (ours.decimal + fraction if fraction else "")


def parts_of_number(number: str, signs: NumberSigns) -> tuple[list[str], str] | None:
    """Return the groups of digits before a decimal sign, and the digits behind it.

    None if the number is not written with these signs.
    """
    whole, sign, fraction = number.replace("\u202f", "\u00a0").partition(signs.decimal)
    groups = whole.split(signs.thousands.replace("\u202f", "\u00a0"))
    is_grouped = len(groups) == 1 or (
        len(groups[0]) <= 3 and not groups[0].startswith("0") and {*map(len, groups[1:])} == {3}
    )
    is_written_so = all(map(str.isdigit, groups)) and (fraction.isdigit() if sign else not fraction)
    return (groups, fraction) if is_written_so and is_grouped else None


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
    behind = _COUNTED.match(number.string, number.end())
    if behind and behind["word"].casefold() not in _NO_NOUNS:
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
    whole, sign, fraction = number[0].replace("\u202f", "\u00a0").partition(theirs.decimal)
    first, *groups = whole.split(theirs.thousands.replace("\u202f", "\u00a0"))
    is_written_so = first.isdigit() and (fraction.isdigit() or not sign)
    if not is_written_so or (groups and (len(first) > 3 or {*map(len, groups)} != {3})):
        is_ours = re.fullmatch(rf"[0-9]+{re.escape(ours.decimal)}[0-9]+", number[0])
        return number[0] if is_ours else None
    before = text[max(0, start - _LOOK_BACK) : start]
    if not (groups and sign) and len(groups) != 2:
        if LABEL.search(before):
            return None
        has_unit = _BEFORE.search(before) or _BEHIND.match(text, end)
        if not has_unit and not _is_counted(number, before, theirs.decimal if sign else ""):
            return None
    return ours.thousands.join([first, *groups]) + (ours.decimal + fraction if sign else "")
