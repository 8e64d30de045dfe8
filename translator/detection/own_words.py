"""Of which of two languages something surely is: a word that was left as it is, or a sentence.

A name, or a word that both languages have, is rightly copied. A word is told from those by two
things: the vocabulary knows it, and its letters are those of one language rather than of the other.
A sentence of the language wanted, in a text of another one, is told by its commonest words first.
"""

from __future__ import annotations

import functools
import re

from translator.detection.detector import Detector
from translator.detection.languages import WORD, count_own, has_own
from translator.text.characters import LogProb, knows_word, primary_language

SUREST = 95.0
"""Confidence that a word is of the source. As German, 3 % of names and of words that English shares
have more, and 66 % of words that are only German; as English, 13 % and 33 %."""

_FEWEST_LETTERS = 4
_FEWEST_WORDS = 4
_FEWEST_COMMON = 2
_SURE = 99.0
"""Of a sentence that is in the language wanted already; see `is_in_target`."""

_ONE_WORD = re.compile(r"\W*([^\W\d_]+)\W*")


def is_own_word(text: str, source: str, target: str, log_prob: LogProb) -> bool:
    """Return whether a text is one word, of the source language and surely not of the target's."""
    found = _ONE_WORD.fullmatch(text)
    if found is None or len(found[1]) < _FEWEST_LETTERS or not (source and target):
        return False
    if is_rare_word(text, log_prob):
        return False
    best = next(iter(_detector(source, target).detect(found[1])), None)
    return best is not None and best.language == source and best.confidence >= SUREST


def is_rare_word(text: str, log_prob: LogProb) -> bool:
    """Return whether a text is one word that the vocabulary has only in pieces."""
    word = _ONE_WORD.fullmatch(text)
    return word is not None and not knows_word(word[1], log_prob)


def is_in_target(sentence: str, source: str, target: str) -> bool:
    """Return whether a sentence is surely in the language wanted, not in that of its text."""
    pair, lowered = (primary_language(source), primary_language(target)), sentence.lower()
    if not (source and target and has_own(lowered, pair, 1)):
        return False  # as mostly
    words = WORD.findall(lowered)
    ours, theirs = count_own(words, pair)
    if ours or theirs < _FEWEST_COMMON or len(words) < _FEWEST_WORDS:
        return False
    best = next(iter(_detector(source, target).detect(sentence)), None)
    return best is not None and best.language == target and best.confidence >= _SURE


@functools.cache
def _detector(source: str, target: str) -> Detector:
    return Detector([source, target])
