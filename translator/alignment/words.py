"""The words of a translation, where each comes from, and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from translator.alignment.readable import Readable
from translator.text.characters import PLACEHOLDER
from translator.text.spans import Span

if TYPE_CHECKING:
    from translator.alignment.alignment import Alignment

Floats = npt.NDArray[np.floating]
WORD = re.compile(rf"\w+(?:[-'’.]\w+)*|{PLACEHOLDER.pattern}")
_LEAST_WEIGHT = 0.1
"""Of a word's attention; less says little of where it comes from."""


class AlignedWord(NamedTuple):
    """A word of the source that a word of the translation attends to.

    Attributes:
        start, end: where it is in the source sentence.
        weight: its share of the attention that goes to words.
    """

    start: int
    end: int
    weight: float


class TranslatedWord(NamedTuple):
    """A word of a translated sentence, and where it comes from.

    A second pass of the model over the sentence and its translation tells that.

    Attributes:
        start, end: where it is in the translation.
        log_prob: of all its pieces together, in nats. The lower, the less sure the model is.
        sources: words of the source that it comes from, the one with most weight first.
    """

    start: int
    end: int
    log_prob: float
    sources: tuple[AlignedWord, ...]


def words_in(text: str) -> list[Span]:
    """Return where the words of a text are; a placeholder is one."""
    return [found.span() for found in WORD.finditer(text)]


def word_weights(source: Sequence[Span], target: Sequence[Span], alignment: Alignment) -> Floats:
    """Return (T, S): of each word of a translation, the share of its attention for each word.

    Args:
        source: S words.
        target: T words.
        alignment: of their pieces.
    """
    by_word = _overlaps(target, alignment.target) @ alignment.weights
    weights: Floats = by_word @ _overlaps(source, alignment.source).T
    shares: Floats = weights / weights.sum(axis=1, keepdims=True).clip(1e-9)
    return shares


def translated_words(
    source: Readable, target: Readable, alignment: Alignment
) -> tuple[TranslatedWord, ...]:
    """Return the words of a translation, in the places of the sentences that people see.

    Args:
        source: a sentence.
        target: its translation.
        alignment: of both as the model reads them, with log-probabilities.
    """
    assert alignment.log_probs is not None, "align with has_log_probs"
    read, written = words_in(source.text), words_in(target.text)
    log_probs = _overlaps(written, alignment.target) @ alignment.log_probs
    found = []
    for place, weights in enumerate(word_weights(read, written, alignment)):
        best = [number for number in np.argsort(-weights) if weights[number] >= _LEAST_WEIGHT]
        sources = tuple(
            AlignedWord(*_seen(source, read[number]), float(weights[number])) for number in best
        )
        found.append(
            TranslatedWord(*_seen(target, written[place]), float(log_probs[place]), sources)
        )
    return tuple(found)


def _seen(text: Readable, word: Span) -> Span:
    return text.place_of(word[0]), text.place_of(word[1])


def _overlaps(words: Sequence[Span], pieces: Sequence[Span]) -> Floats:
    """Return (words, pieces) of 1 where a piece lies in a word, and 0 elsewhere."""
    if not words or not pieces:
        return np.zeros((len(words), len(pieces)), dtype=np.float32)
    one, other = np.array(words)[:, None, :], np.array(pieces)[None, :, :]
    overlap = (other[..., 0] < one[..., 1]) & (one[..., 0] < other[..., 1])
    return overlap.astype(np.float32)
