"""A negation or a `must` that is shouted inside a sentence: read in small letters, shouted again.

A vocabulary hardly knows `NOT`, `MUST` and `NICHT`, so that a model loses them, and with them what
a specification demands. Other words in capitals may be names; they are read as they are.
"""

from __future__ import annotations

import re

from translator.rules.negation import NEGATIONS

_HINT = re.compile("NOT|MUST|NICHT")
_SHOUTED = {
    "en": re.compile(
        r"(?<![\w=\"'`“*_-])(?:(?P<modal>MUST)(?= (?:NOT\b|[a-z]))"
        r"|(?:(?<=[a-z] )|(?<=\bMUST ))(?<!\b[Tt]he )(?<!\b[Aa] )(?P<negation>NOT))"
        r"(?![\w(=\"'`”*_-])"
    ),
    "de": re.compile(r"(?<=[a-zäöüß,] )(?P<negation>NICHT)(?![\w(=\"'`“*_-])"),
}
_MODALS = {
    "de": frozenset(["muss", "musst", "müssen", "müsst", "darf", "darfst", "dürfen", "dürft"]),
    "en": frozenset(["must", "may"]),
}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def shouted_kinds(sentence: str, language: str) -> frozenset[str]:
    """Return which kinds of words a sentence shouts: `negation`, `modal`; mostly none.

    Args:
        sentence: not all in capitals.
        language: primary code of its language; those of German and English are known.
    """
    pattern = _SHOUTED.get(language)
    if pattern is None or not _HINT.search(sentence):
        return frozenset()
    return frozenset(found.lastgroup or "" for found in pattern.finditer(sentence))


def without_shouts(text: str, language: str) -> str:
    """Return a text whose shouted words are in small letters."""
    return _SHOUTED[language].sub(lambda word: word[0].lower(), text)


def shout(translation: str, kinds: frozenset[str], language: str) -> str:
    """Return a translation with its words of some kinds in capitals.

    Args:
        translation: in small letters.
        kinds: those of `shouted_kinds`.
        language: primary code of the translation's language.
    """

    def loud(word: re.Match[str]) -> str:
        small = word[0].lower().replace("’", "'")
        is_negation = small in NEGATIONS.get(language, ()) or small.endswith("n't")
        is_modal = small.removesuffix("n't") in _MODALS.get(language, ())
        is_loud = ("negation" in kinds and is_negation) or ("modal" in kinds and is_modal)
        return word[0].upper() if is_loud else word[0]

    return _WORD.sub(loud, translation)
