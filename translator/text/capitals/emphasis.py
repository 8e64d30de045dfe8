"""Words in capitals inside a sentence: which are shouted, and the sentence without that.

`Das ist SEHR wichtig` is read as `Das ist sehr wichtig`, and the word of the translation that comes
from `sehr` is put in capitals again. Acronyms, and the names of keys, variables and commands, stay.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from translator.text.capitals.spelling import (
    LogProb,
    is_small_word,
    ordinary_word,
    spellings_of,
)
from translator.text.marked import MarkedText
from translator.text.segmentation import split
from translator.text.spans import Span, find_spans

_HINT = re.compile("[A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f]{2}")
_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?![\w-])")

_MOST_SHORT_LETTERS = 3
_MARGIN, _SHORT_MARGIN = 6.0, 8.0
"""By so many nats the ordinary spelling must be more probable; acronyms are often short."""
_ONE_PIECE = -12.0
_PER_LETTER = -2.6
"""A word that is less probable than this is none that the vocabulary knows."""

_TECHNICAL = re.compile(
    r"(?i:\b(?:bedingung|befehl|button|clause|code|command|constant|drück|eigenschaft|environment"
    r"|feld|field|flag|function|funktion|header|kennung|key|konstante|macro|makro|method|operator"
    r"|option|parameter|press|property|register|schalter|schlüssel|signal|statement|tast"
    r"|umgebungs|value|variable|wert\b|werte\b))"
)
"""Begins a word of sentences whose capitals are the names of something."""


class Emphasised(NamedTuple):
    """A text as it is ordinarily written, of the same length.

    Attributes:
        text: without shouted words.
        places: where those are, in order.
    """

    text: MarkedText
    places: tuple[Span, ...] = ()


def read_emphasis(
    text: MarkedText, language: str, log_prob: LogProb, keeps_code: bool
) -> Emphasised:
    """Return a text without shouted words, but for sentences that are all in capitals.

    Args:
        text: any text.
        language: code of its language.
        log_prob: of the vocabulary that reads it.
        keeps_code: see `split`.
    """
    if not (_HINT.search(text.text) and _may_shout(text.text, language, log_prob)):
        return Emphasised(text)  # nearly always
    segments = split(text.text, language, keeps_code, text.spans)
    known = segments.spans_within(text.spans)
    pieces, places, start = list[str](), list[Span](), 0
    for separator, sentence, own in zip(
        segments.separators, segments.sentences, known, strict=False
    ):
        start += len(separator)
        pieces += [separator, sentence]
        found = _shouted(sentence, own, language, log_prob)
        for first, ordinary in reversed(found):
            pieces[-1] = pieces[-1][:first] + ordinary + pieces[-1][first + len(ordinary) :]
        places += [(start + first, start + first + len(word)) for first, word in found]
        start += len(sentence)
    if not places:
        return Emphasised(text)
    ordinary = "".join([*pieces, segments.separators[-1]])
    return Emphasised(MarkedText(ordinary, text.spans), tuple(places))


def _may_shout(text: str, language: str, log_prob: LogProb) -> bool:
    """Return whether a text has a word in capitals that is no acronym, wherever it stands."""
    words = {word for word in _WORD.findall(text) if len(word) > 1 and word.isupper()}
    return any(
        is_small_word(word.lower(), language) or _is_known(word, spelling, log_prob)
        for word in words
        for spelling in spellings_of(word, language)
    )


def _shouted(
    sentence: str, known: list[Span], language: str, log_prob: LogProb
) -> list[tuple[int, str]]:
    """Return where the shouted words of a sentence begin, and their ordinary spellings."""
    if not _HINT.search(sentence) or sentence.isupper() or _TECHNICAL.search(sentence):
        return []
    taken = {place for span in find_spans(sentence, known) for place in range(*span)}
    found, before = list[tuple[int, str]](), ""
    for word in _WORD.finditer(sentence):
        if len(word[0]) > 1 and word[0].isupper() and word.start() not in taken:
            ordinary = ordinary_word(word[0], before, language, log_prob)
            is_word = is_small_word(ordinary, language) or _is_known(word[0], ordinary, log_prob)
            if is_word and len(ordinary) == len(word[0]):
                is_first = not before
                found.append((word.start(), ordinary.capitalize() if is_first else ordinary))
        before = word[0]
    return found


def _is_known(word: str, ordinary: str, log_prob: LogProb) -> bool:
    """Return whether a word in capitals is surely the ordinary one."""
    probable, is_short = log_prob(ordinary), len(word) <= _MOST_SHORT_LETTERS
    if probable - log_prob(word) <= (_SHORT_MARGIN if is_short else _MARGIN):
        return False
    return probable > _ONE_PIECE or probable > _PER_LETTER * len(word)


def shout(word: str) -> str:
    """Return a word in capitals, of the same length."""
    return "".join(
        "\u1e9e" if char == "ß" else char.upper() if len(char.upper()) == 1 else char
        for char in word
    )
