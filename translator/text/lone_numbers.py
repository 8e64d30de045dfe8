"""Numbers that stand alone, as in the cells of a table: no model reads them.

They are written with the signs of the language wanted if they can only be a quantity. Versions,
dates, codes and addresses of machines stay as they are.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from babel import Locale, UnknownLocaleError

CURRENCY_SIGN, CURRENCY_CODES = "[€$£¥₹]", "EUR|USD|GBP|JPY|CHF"
"""Regular expressions of those that are read with their numbers."""

UNITS = (
    r"[kKMB]|[kcmµ\u03bcn]?m[²³]?|[km]?g|[mc]?l|[kMGT]i?B|[kMG]?bit|[kMG]Hz|Hz|[kMGT]?Wh|[kMG]W|mAh|[km]V"
    r"|[hk]Pa|ms|ha|dB|mph|ppm|inch(?:es)?|feet|miles|pounds|tons|tonnes|(?:kilo)?grams"
    r"|(?:kilo|centi|milli)?(?:met(?:er|re)s?|lit(?:er|re)s?)|percent|per\scent|percentage|degrees"
    r"|million|billion|trillion|euros?|dollars?|cents|Euro|Cent|Dollar|Pfund|Mio|Mrd|Million(?:en)?"
    r"|Milliarden?|Billion(?:en)?|Prozent(?:punkten?)?|Grad|Zoll|Tonnen?|(?:Kilo)?[Gg]ramm"
    r"|(?:Kilo|Zenti|Milli)?[Mm]eter|Liter"
)
"""A regular expression of what stands behind a number and says of what it is."""


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


_SIDE = r"[0-9]+(?:[.,\u00a0\u202f'’][0-9]+)*"
_ALONE = re.compile(
    rf"(?P<before>[(]?(?:[0-9]{{1,4}}\s?×\s?)?(?:[-+±\u2212]|[~≈<>≤≥]\s?)?(?:{CURRENCY_SIGN}\s?)?[-\u2212]?)(?P<one>{_SIDE})"
    rf"(?:(?P<dash>\s?–\s?)(?P<two>{_SIDE}))?(?:,[-–—]{{1,2}})?(?P<after>\s?(?:[€$£¥₹%‰℃℉°])?[)]?)"
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
    is_marked = _MARKED.search(found["before"] + found["after"]) is not None
    sides = [found[name] for name in ("one", "two") if found[name]]
    written = [_written_side(side, theirs, ours, is_marked) for side in sides]
    one, *others = written
    if one is None or None in others:
        return None
    two = "".join(other for other in others if other)
    return "".join((found["before"], one, found["dash"] or "", two, found["after"]))


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
