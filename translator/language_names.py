"""Names of languages, for people, and which way they are written."""

from __future__ import annotations

import functools

from babel import Locale, UnknownLocaleError
from babel.core import get_global, parse_locale

LACKING = {
    "acm": "Mesopotamian Arabic",
    "acq": "Taʽizzi-Adeni Arabic",
    "ajp": "South Levantine Arabic",
    "apc": "Levantine Arabic",
    "azb": "South Azerbaijani",
    "cjk": "Chokwe",
    "fuv": "Nigerian Fulfulde",
    "hne": "Chhattisgarhi",
    "kbp": "Kabiyè",
    "pbt": "Southern Pashto",
    "quy": "Ayacucho Quechua",
    "taq": "Tamasheq",
}
"""English names of languages that models translate and CLDR does not name. Source: ISO 639-3."""

_LEFTWARD_SCRIPTS = {"Arab", "Hebr", "Thaa", "Nkoo", "Syrc", "Adlm", "Rohg"}
_IN_ARABIC_SCRIPT = {"acm", "acq", "ajp", "apc", "azb", "pbt"}
"""Of those that CLDR does not know."""


def english_name(code: str) -> str:
    """Return the English name of a language such as `de` or `pt-BR`; its code if it has none."""
    return language_name(code, "en")


def is_language(code: str) -> bool:
    """Return whether a code such as `de`, `pt-BR` or `deu_Latn` is that of a language."""
    return english_name(code) != code


@functools.cache
def language_name(code: str, reader: str) -> str:
    """Return the name of a language such as `de`, `pt-BR` or `deu_Latn`; its code if it has none.

    The name is in the language `reader`. Source: Unicode CLDR, by way of Babel.
    """
    names = Locale(reader)
    try:
        language, territory, script = _parts(code)
    except ValueError:
        return code
    name = names.languages.get(language) or LACKING.get(language)
    if name is None:
        return code
    parts = (names.scripts.get(script or ""), names.territories.get(territory or ""))
    more = ", ".join(part for part in parts if part)
    return f"{name} ({more})" if more else name


@functools.cache
def own_name(code: str) -> str:
    """Return what a language calls itself, such as `shqip`; empty if CLDR does not say."""
    try:
        return language_name(code, _parts(code)[0])
    except (ValueError, UnknownLocaleError):
        return ""


@functools.cache
def is_right_to_left(code: str) -> bool:
    """Return whether a language such as `ar` is written from right to left.

    Source: Unicode CLDR's likely subtags, by way of Babel.
    """
    try:
        language, _, script = _parts(code)
    except ValueError:
        return False
    likely = str(get_global("likely_subtags").get(language, "")).split("_")
    usual = "Arab" if language in _IN_ARABIC_SCRIPT else likely[1] if likely[1:] else ""
    return (script or usual) in _LEFTWARD_SCRIPTS


def _parts(code: str) -> tuple[str, str | None, str | None]:
    """Return language, territory and script; a code of three letters by its shorter name."""
    language, territory, script, *_ = parse_locale(code.replace("_", "-"), sep="-")
    if language not in LACKING:
        language = str(get_global("language_aliases").get(language, language)).split("_")[0]
    return language, territory, script
