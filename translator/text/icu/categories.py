"""The categories of a language for numbers, such as `one` and `other`, and numbers of each."""

from __future__ import annotations

import functools

from translator.text.characters import primary_language

KEYWORDS = ("zero", "one", "two", "few", "many", "other")

_NUMBERS = (1, 25, 23, 22, 21, 37, 5, 3, 2, 12, 8, 0, 11, 100)
"""Those first that are seldom spelled out."""


@functools.cache
def samples(language: str, kind: str) -> dict[str, tuple[int, ...]]:
    """Return whole numbers of each category of a language; nothing if CLDR does not know it.

    A category that only fractions or millions have is left out, but for `other`.

    Args:
        language: code.
        kind: `plural` for amounts, `selectordinal` for places in a row.

    Source: Unicode CLDR, plural rules, by way of Babel.
    """
    from babel import Locale, UnknownLocaleError  # takes a while

    try:
        locale = Locale(primary_language(language))
    except (UnknownLocaleError, ValueError):
        return {}
    rule = locale.plural_form if kind == "plural" else locale.ordinal_form
    found: dict[str, list[int]] = {}
    for number in _NUMBERS:
        found.setdefault(rule(number), []).append(number)
    usual = found.get("other") or found.get("many") or list(_NUMBERS)
    return {
        keyword: tuple(
            sorted(found.get(keyword, usual), key=lambda n: (n == 1) != (keyword == "one"))
        )
        for keyword in KEYWORDS
        if keyword in found or keyword == "other"
    }
