"""What is known of languages: their codes and scripts, and the commonest short words of some.

py3langid has learned nothing of most of these words.
"""

from __future__ import annotations

import functools
import re
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


COMMON = {
    "cs": "a aby ahoj ale ano co do ho i já jak je jsem k má mi na ne o od po s se si ten to v "
    "z za",
    "da": "af at de den der det du en er et for han hej i ikke jeg med og på som til var vi",
    "de": "als am an auf da das dem den der die du ein er es hallo ich im in ist ja man mit "
    "nein nicht sie sind so und was wer wie wir wo zu",
    "en": "a am an and are at do he hello i in is it me my no not of on she so that the they "
    "this to was we what who yes you",
    "es": "a con de el él ella en es está esto la las le lo los me mi no por que qué se sí su "
    "te tú un una y ya yo",
    "fr": "à ce de des du elle en est et il ils j'ai je la le les me mon ne non nous on oui pas "
    "que sa se si son te tu un une",
    "it": "a che chi ciao con da di e è gli ha ho i il in io la le lo ma mi no non per se si sì "
    "sono sta ti tu un una",
    "nl": "de dat die een en er het hij ik in is ja je met nee niet of op te van was wat we wie "
    "zij",
    "no": "av at de den der det du en er et for han hei i ikke jeg med og på som til var vi",
    "pl": "a ale co do i ja jak jest na nie o od po są się tak ten to ty w z za że",
    "pt": "a as com da de do é ela ele em esta eu isso me na não no o os ou por que se sim um uma",
    "sv": "att av de den det du en ett för han hej hon i inte jag med och om på som till var vi är",
}
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

_SETS = {language: frozenset(words.split()) for language, words in COMMON.items()}


def share_common(text: str, languages: Sequence[str]) -> list[float]:
    """Return which share of a text's words is among the commonest of each language.

    If one of them has no list, all shares are 0: it would lose to its neighbours otherwise.
    """
    words = WORD.findall(text)
    if not words or not all(language in _SETS for language in languages):
        return [0.0] * len(languages)
    return [sum(word in _SETS[own] for word in words) / len(words) for own in languages]


def has_own(text: str, languages: tuple[str, ...], number: int) -> bool:
    """Return whether a word of a text in small letters is among the commonest of one alone."""
    return not _own_sets(languages)[number].isdisjoint(text.split())


def count_own(words: Sequence[str], languages: tuple[str, ...]) -> list[int]:
    """Return how many words are among the commonest of each language and of no other."""
    return [sum(word in own for word in words) for own in _own_sets(languages)]


@functools.cache
def _own_sets(languages: tuple[str, ...]) -> list[frozenset[str]]:
    every = [_SETS.get(language, frozenset()) for language in languages]
    return [
        own.difference(*(other for n, other in enumerate(every) if n != number))
        for number, own in enumerate(every)
    ]
