"""The step `normalise`: a sentence as a model reads it; `denormalise` is the way back.

Emoji go behind the sentence, rare characters are written in the common way, and a sentence all in
capitals, or in small letters, is read as it is ordinarily written (`capitals`). A word that stands
alone may be read as the vocabulary knows it, too. Spans that must come back verbatim are
placeholders by then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from translator.rules.capitals import (
    headline_case,
    is_word,
    label_case,
    ordinary_case,
    with_capitals_first,
    without_capitals_first,
)
from translator.rules.negation import shout, shouted_kinds, without_shouts
from translator.rules.spelling import with_umlauts
from translator.text.characters import WINDOWS, LogProb, plain, primary_language, take_out_emoji

_MISREAD = re.compile("[\x80-\x9f]")

_WORD, _DIGIT = re.compile(r"[^\W\d_]{2,}"), re.compile("[0-9]")

_FEWEST_SMALL, _FEWEST_BESIDE_DIGITS = 3, 2
"""Words of a sentence in small letters; fewer may be an entry of a dictionary: `to open`."""

Case = Literal["ordinary", "capital", "capitals", "small"]


class Normalised(NamedTuple):
    """A sentence, or a piece of one, as a model reads it.

    Attributes:
        text: without emoji and rare characters.
        case: of the sentence; `text` is no longer all in capitals, or in small letters.
        emoji: those taken out, behind a space; empty if there were none.
        label: `text` with another first letter, if it is a word that may be known better so.
        shouted: kinds of words that the sentence shouts; see `shouted_kinds`.
    """

    text: str
    case: Case
    emoji: str
    label: str = ""
    shouted: frozenset[str] = frozenset()


def normalise(
    pieces: Sequence[str], language: str, log_prob: LogProb, target: str = ""
) -> list[Normalised]:
    """Return the pieces of one sentence as a model reads them.

    Its case is a question about the sentence, so all pieces get the same answer. Small letters
    matter only where German is wanted: a model takes them for a habit, and nouns have capitals.

    Args:
        pieces: of the sentence.
        language: code of its language; empty if nobody has said it.
        log_prob: of the vocabulary; see `Vocabulary.log_prob`.
        target: code of the language wanted.
    """
    pair = source, wanted = primary_language(language), primary_language(target)
    without = [take_out_emoji(piece) for piece in pieces]
    texts = [plain(text) for text, _ in without]
    if source == "de":
        texts = [with_umlauts(text, log_prob) for text in texts]
    if pair == ("en", "de") and len(texts) == 1:
        texts = [headline_case(texts[0], log_prob)]
    sentence = " ".join(texts)
    case: Case = "ordinary"
    label = ""
    if is_in_capitals(sentence, language, log_prob):
        case = "capitals"
        texts = [ordinary_case(text, language, log_prob) for text in texts]
        if source == "de":
            texts = [with_umlauts(text, log_prob) for text in texts]
    elif wanted == "de" and sentence.islower() and _has_words(sentence):
        case = "small"
        texts[0] = with_capitals_first(texts[0])
    elif len(texts) == 1 and (other := label_case(sentence, language, log_prob)) != sentence:
        case, label = "capital" if sentence[0].isupper() else "ordinary", other
    shouted = frozenset[str]()
    if case == "ordinary" and (shouted := shouted_kinds(sentence, source)):
        texts = [without_shouts(text, source) for text in texts]
    return [
        Normalised(text, case, f" {emoji}" if emoji else "", label, shouted)
        for text, (_, emoji) in zip(texts, without, strict=True)
    ]


def denormalise(
    translation: str,
    case: Case,
    log_prob: LogProb,
    shouted: frozenset[str] = frozenset(),
    target: str = "",
) -> str:
    """Return a translation in the case of its sentence, and without misread characters."""
    text = translation.translate(WINDOWS) if _MISREAD.search(translation) else translation
    if shouted:
        text = shout(text, shouted, primary_language(target))
    if case == "small":
        return without_capitals_first(text, log_prob)
    if case == "capital":
        return text[:1].upper() + text[1:]
    return text.upper() if case == "capitals" else text


def _has_words(sentence: str) -> bool:
    least = _FEWEST_BESIDE_DIGITS if _DIGIT.search(sentence) else _FEWEST_SMALL
    return len(_WORD.findall(sentence)) >= least


def is_in_capitals(sentence: str, language: str, log_prob: LogProb) -> bool:
    """Return whether a sentence is all in capitals, and more than an acronym.

    A model that has hardly seen such words would spell them out: it does better with small letters.

    Args: see `normalise`.
    """
    if not sentence.isupper():
        return False
    words = _WORD.findall(sentence)
    if len(words) < 2:
        return bool(words) and is_word(words[0], language, log_prob)
    return ordinary_case(sentence, language, log_prob) != sentence
