"""Words that are shouted inside a sentence: which they are, and which of its translation are."""

from __future__ import annotations

import re
from typing import NamedTuple

from translator.text.capitals import (
    MODALS,
    LogProb,
    is_small_word,
    is_surely_word,
    ordinary_word,
    spellings_of,
)
from translator.text.characters import word_set
from translator.text.marked import MarkedText
from translator.text.segmentation import split
from translator.text.spans import Span, find_spans

_HINT = re.compile("[A-Z\u00c0-\u00de\u0391-\u03a9\u0410-\u042f]{2}")
_CONTRACTION = r"[^\W\d_]+['’](?:D|LL|M|RE|T|VE)|(?:HE|HERE|IT|LET|SHE|THAT|THERE|WHAT|WHO)['’]S"
_WORD_ALONE = re.compile(rf"(?<![\w=-])(?:MAY NOT|(?:{_CONTRACTION})(?!\w)|[^\W\d_]+)(?![\w(=-])")

_TECHNICAL = re.compile(
    r"(?i:\b(?:bedingung|befehl|button|clause|code|command|constant|drück|eigenschaft|environment"
    r"|feld|field|flag|function|funktion|header|kennung|key|konstante|macro|makro|method|operator"
    r"|option|parameter|press|property|register|schalter|schlüssel|signal|statement|tast"
    r"|umgebungs|value|variable|wert\b|werte\b)"
    r"|^(?:choose|click|export|run|select|set|switch|tap)\s)"
)
"""Begins a word of sentences whose capitals are the names of something."""

_NEGATIONS = word_set(
    "cannot kein keine keinem keinen keiner keines keins neither never nicht nichts nie niemals "
    "niemand niemandem niemanden no nobody none nor not nothing nowhere ohne weder without"
)
_MODALS = MODALS | word_set("can cannot could may might must mustn need shall should will would")
_REQUIRED = (MODALS - {"will"}) | word_set(
    "always immer kein keine keinen may must never nicht nie niemals nur only shall should"
)
_AUXILIARIES = _MODALS | word_set("am are be been did do does has have is was were")
_ARTICLES = word_set("a an das dem den der des die logische logischen logisches the")
_QUOTES = "\"'`“”„‘’«»*_"
_GOES_ON = re.compile(r"\s+[^\W\d_]?[^\W\d_A-ZÄÖÜ]|[.,;:!?)]|$")


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
    words = {word for word in _WORD_ALONE.findall(text) if len(word) > 1 and word.isupper()}
    return any(
        _is_shouted(word, spelling, language, log_prob)
        for word in words
        for spelling in (*spellings_of(word, language), word.lower())
    )


def _shouted(
    sentence: str, known: list[Span], language: str, log_prob: LogProb
) -> list[tuple[int, str]]:
    """Return where the shouted words of a sentence begin, and their ordinary spellings."""
    if not _HINT.search(sentence) or sentence.isupper():
        return []
    taken = {place for span in find_spans(sentence, known) for place in range(*span)}
    is_technical = _TECHNICAL.search(sentence) is not None
    found, before = list[tuple[int, str]](), ""
    for word in _WORD_ALONE.finditer(sentence):
        if len(word[0]) > 1 and word[0].isupper() and word.start() not in taken:
            ordinary = _ordinary(word[0], before, language, log_prob)
            if is_technical:
                is_word = _requires(word, before)
            else:
                is_word = _is_shouted(word[0], ordinary, language, log_prob)
            if is_word and len(ordinary) == len(word[0]):
                is_first = not before
                ordinary = ordinary[:1].upper() + ordinary[1:] if is_first else ordinary
                found.append((word.start(), ordinary))
        before = word[0]
    return found


def _ordinary(word: str, before: str, language: str, log_prob: LogProb) -> str:
    """Return a shouted word as it is ordinarily written, in as many letters.

    Nobody shouts `may not` of what is only possible.
    """
    if word == "MAY NOT":
        return "mustn't"
    if "'" in word or "’" in word:
        return word[0] + word[1:].lower() if word.startswith(("I'", "I’")) else word.lower()
    return ordinary_word(word, before, language, log_prob)


def _is_shouted(word: str, ordinary: str, language: str, log_prob: LogProb) -> bool:
    """Return whether a word in capitals is surely the ordinary one, or several that are one."""
    return (
        not word.isalpha()
        or is_small_word(ordinary, language)
        or is_surely_word(word, ordinary, log_prob)
    )


def _requires(word: re.Match[str], before: str) -> bool:
    """Return whether a word says what is required, as `MUST NOT` does in specifications."""
    if word[0] == "MAY NOT":
        return True
    sentence, (start, end) = word.string, word.span()
    if not before or before.lower() in _ARTICLES:
        return False
    if sentence[start - 1] in _QUOTES or sentence[end : end + 1] in tuple(_QUOTES):
        return False
    if word[0] == "NOT":
        return before.lower() in _AUXILIARIES
    next_word = _WORD_ALONE.search(sentence, end)
    is_next_required = next_word is not None and next_word[0].lower() in _REQUIRED | {"not"}
    is_inside = is_next_required or _GOES_ON.match(sentence, end) is not None
    return is_inside and word[0].lower() in _REQUIRED


def kinds_of(words: str) -> frozenset[str]:
    """Return what a word does in a sentence: whether it negates, and whether it is a modal verb.

    Translations have a word for each. `MAY NOT` is both, and so are `can't` and `cannot`.
    """
    kinds = set[str]()
    for word in words.lower().replace("’", "'").split():
        stem = word.removesuffix("n't")
        if stem != word or word in _NEGATIONS:
            kinds.add("negation")
        if word in _MODALS or (stem != word and (stem in _MODALS or stem in ("ca", "sha", "wo"))):
            kinds.add("modal")
    return frozenset(kinds)


def shout(word: str) -> str:
    """Return a word in capitals, of the same length."""
    return "".join(
        "\u1e9e" if char == "ß" else char.upper() if len(char.upper()) == 1 else char
        for char in word
    )
