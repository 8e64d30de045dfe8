"""The step `words`: the words of a translation, where each comes from, and how sure it is."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from translator.documents.markup.inline import TOKEN
from translator.text.marked import MarkedText
from translator.text.placeholders import PLACEHOLDER
from translator.text.spans import Span, find_spans
from translator.translate.ladder import BringUp, ModelStep, Question
from translator.translate.marks.readable import Readable, readable_pair
from translator.translate.translation import AlignedWord, SentenceTranslation, TranslatedWord

if TYPE_CHECKING:
    from translator.translate.marks.alignment import Alignment

Floats = npt.NDArray[np.floating]
WORD = re.compile(rf"\w+(?:[-'’.]\w+)*|{PLACEHOLDER.pattern}")
_LEAST_WEIGHT = 0.1
"""Of a word's attention; less says little of where it comes from."""


class Words(ModelStep):
    """Says of each word of a translation where it comes from."""

    name = "words"
    has_log_probs = True

    def take_down(self, text: MarkedText) -> tuple[MarkedText, BringUp | None]:
        """Return the text as it is."""
        end = 0

        def bring_up(sentence: SentenceTranslation) -> SentenceTranslation | Question:
            nonlocal end
            start = end + len(sentence.separator)
            end = start + len(sentence.source)
            known = [(a - start, b - start) for a, b in text.spans if start <= a and b <= end]
            return self.asked(
                sentence, known, lambda words: dataclasses.replace(sentence, words=words)
            )

        return text, bring_up

    def asked(
        self,
        sentence: SentenceTranslation,
        known: Sequence[Span],
        answer: Callable[[tuple[TranslatedWord, ...] | None], SentenceTranslation],
    ) -> SentenceTranslation | Question:
        """Ask for the words of a sentence; None for one that is not translated or has tags.

        Args:
            sentence: with its translation.
            known: spans of the sentence that have been found already.
            answer: makes of them what is brought up.
        """
        has_tags = TOKEN.search(sentence.source) or TOKEN.search(sentence.text)
        if sentence.score is None or has_tags:
            return answer(None)
        tokenizer = self.aligner.tokenizer
        spans: list[Span] = []
        if tokenizer.num_placeholders:
            spans = find_spans(sentence.source, known, tokenizer.alphabet)
        read, written = readable_pair(sentence.source, spans, sentence.text, tokenizer)

        def words_of(alignment: Alignment | None) -> SentenceTranslation:
            if alignment is None:
                return answer(None)
            return answer(translated_words(read, written, alignment))

        return Question(read.text, written.text, words_of)


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
