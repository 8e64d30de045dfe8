"""Codes of languages, and the scripts that languages are written in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

SCRIPTS = {
    "CYRILLIC": "ba be bg kk ky mk mn ru sr tg tt uk",
    "ARABIC": "ar ary arz fa ps sdh ug ur",
    "DEVANAGARI": "gom hi mr ne sa",
    "HEBREW": "hbo he yi",
    "GREEK": "el grc",
    "BENGALI": "as bn",
    "CJK": "ja wuu yue zh",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "THAI": "th",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "ETHIOPIC": "am ti",
    "TAMIL": "ta",
    "TELUGU": "te",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "ORIYA": "or",
    "SINHALA": "si",
    "KHMER": "km",
    "LAO": "lo",
    "MYANMAR": "my",
    "TIBETAN": "bo dz",
}
"""Scripts, by the first word of their letters' Unicode names, and the languages written in them.

Every other language is written in Latin letters.
"""
LATIN = "LATIN"
LATIN_AS_WELL = {"kk", "sr"}
_OTHER_NAMES = {"nb": "no", "iw": "he", "in": "id", "zt": "zh"}


def base_code(language: str) -> str:
    """Return the code of a language without region and script: `zh` of `zh-Hans` or `zt`."""
    base = language.replace("_", "-").partition("-")[0].lower()
    return _OTHER_NAMES.get(base, base)


def scripts_of(language: str) -> set[str]:
    """Return the scripts that a language, a base code, is written in."""
    scripts = {script for script, languages in SCRIPTS.items() if language in languages.split()}
    return scripts | {LATIN} if not scripts or language in LATIN_AS_WELL else scripts


def share_written(text: str, languages: Sequence[str]) -> list[float]:
    """Return which share of a text's letters is in a script of each language; 0 without letters."""
    counts = Counter(_script(character) for character in text if character.isalpha())
    total = max(counts.total(), 1)
    return [sum(counts[script] for script in scripts_of(own)) / total for own in languages]


def _script(character: str) -> str:
    name = unicodedata.name(character, "")
    return name.replace("-", " ").partition(" ")[0]  # KATAKANA-HIRAGANA: "ー"
