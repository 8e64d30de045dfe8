"""English names of languages, for people."""

from __future__ import annotations

import functools

from babel import Locale
from babel.core import parse_locale


@functools.cache
def english_name(code: str) -> str:
    """Return the name of a language such as `de` or `pt-BR`; the code itself if it has none.

    Source: Unicode CLDR, by way of Babel.
    """
    names = Locale("en")
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
