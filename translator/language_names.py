"""Names of languages, for people, and which way they are written."""

from __future__ import annotations

import functools

from babel import Locale, UnknownLocaleError
from babel.core import parse_locale


def english_name(code: str) -> str:
    """Return the English name of a language such as `de` or `pt-BR`; its code if it has none."""
    return language_name(code, "en")


@functools.cache
def language_name(code: str, reader: str) -> str:
    """Return the name of a language such as `de` or `pt-BR`; the code itself if it has none.

    Args:
        code: of the language.
        reader: code of the language that the name is in.

    Source: Unicode CLDR, by way of Babel.
    """
    names = Locale(reader)
    try:
        language, territory, script, *_ = parse_locale(code, sep="-")
    except ValueError:
        return code
    name = names.languages.get(language)
    if name is None:
        return code
    parts = (names.scripts.get(script or ""), names.territories.get(territory or ""))
    more = ", ".join(part for part in parts if part)
    return f"{name} ({more})" if more else name


@functools.cache
def is_right_to_left(code: str) -> bool:
    """Return whether a language such as `ar` is written from right to left."""
    try:
        return Locale.parse(code, sep="-").text_direction == "rtl"
    except (ValueError, UnknownLocaleError):
        return False
