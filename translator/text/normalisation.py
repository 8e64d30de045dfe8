"""The step `normalise`: a sentence as a model reads it; `denormalise` is the way back.

Emoji go behind the sentence, rare characters are written in the common way, and a sentence all in
capitals, or in small letters, is read as it is ordinarily written (`capitals`). A word that stands
alone may be read as the vocabulary knows it, too. Spans that must come back verbatim are
placeholders by then.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from translator.text.abbreviations import in_full
from translator.text.capitals import (
    LogProb,
    headline_case,
    is_word,
    label_case,
    ordinary_case,
    with_capitals_first,
    without_capitals_first,
)
from translator.text.characters import WINDOWS, plain, primary_language, take_out_emoji
from translator.text.compounds import with_whole_compounds
from translator.text.gendered import with_one_gender
from translator.text.numbers.amounts import money_as_read, with_inches
from translator.text.numbers.clock import times_as_read
from translator.text.numbers.days import days_as_read
from translator.text.numbers.movements import moves_as_read
from translator.text.phrases import GERMAN_KEYS, OF_ANY_LANGUAGE, OF_HEAD, OF_LANGUAGE, OF_PAIR
from translator.text.rewriting import read_as
from translator.text.spelling import with_apostrophes, with_umlauts

_SPACED = re.compile(r"(?<!\S)[^\W\d_](?: [^\W\d_]){3,40}(?![^\s.,;:!?])")
_SPACED_HINT = re.compile(r" [a-zäöüß] (?<= . )[a-zäöüß] ")

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
    """

    text: str
    case: Case
    emoji: str
    label: str = ""


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
    texts = [_spelled_out(_closed(plain(text)), source, log_prob) for text, _ in without]
    if pair == ("en", "de") and len(texts) == 1:
        texts = [headline_case(texts[0], log_prob)]
    texts = [read_as(text, OF_PAIR.get(pair)) for text in texts]
    texts[:1] = [read_as(text, OF_HEAD.get(pair)) for text in texts[:1]]
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
    return [
        Normalised(text, case, f" {emoji}" if emoji else "", label)
        for text, (_, emoji) in zip(texts, without, strict=True)
    ]


def denormalise(translation: str, case: Case, log_prob: LogProb) -> str:
    """Return a translation in the case of its sentence, and without misread characters.

    Args:
        translation: as the model wrote it.
        case: that `normalise` has found.
        log_prob: of the vocabulary.
    """
    text = translation.translate(WINDOWS) if _MISREAD.search(translation) else translation
    if case == "small":
        return without_capitals_first(text, log_prob)
    if case == "capital":
        return text[:1].upper() + text[1:]
    return text.upper() if case == "capitals" else text


def _spelled_out(text: str, language: str, log_prob: LogProb) -> str:
    """Return a text without signs and abbreviations that a model copies instead of translating."""
    if language == "de":
        text = with_umlauts(text, log_prob)
    elif language == "en":
        text = moves_as_read(with_inches(money_as_read(with_apostrophes(text))))
    text = times_as_read(days_as_read(text, language), language)
    if language == "de":
        text = with_one_gender(with_whole_compounds(read_as(text, GERMAN_KEYS)))
    text = read_as(text, OF_LANGUAGE.get(language, OF_ANY_LANGUAGE))
    return in_full(text, language)


def _closed(text: str) -> str:
    """Return a text without the spaces between the letters of a word: `W e l c o m e`."""
    if not _SPACED_HINT.search(f" {text} "):
        return text  # as nearly always
    return _SPACED.sub(_joined, text)


def _joined(letters: re.Match[str]) -> str:
    """Return the word of some letters; three in the order of the alphabet are none."""
    word = letters[0].replace(" ", "")
    codes = [*map(ord, word.lower())]
    steps = [two - one for one, two in itertools.pairwise(codes)]
    is_alphabet = (1, 1) in itertools.pairwise(steps)
    return letters[0] if is_alphabet else word


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
