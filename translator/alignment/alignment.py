"""Which pieces of a source the pieces of its translation come from, by cross-attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from translator.alignment.forced import MOST_IDS, PairReader
from translator.runtime.contract import ForcedScores
from translator.text.spans import Span
from translator.tokens.port import Vocabulary
from translator.tokens.tokenizer import WORD_START

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

LONGEST_SENTENCE = 400  # ids; attention to more takes much memory

PieceLogProbs = list[tuple[str, float]]
"""Pieces with their log-probabilities, in nats."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """How much each piece of a translation attends to each piece of its source.

    Attributes:
        weights: (T, S), rows for the pieces of the translation.
        source: where each piece of the source is in the text that the model read.
        target: the same for the translation.
        log_probs: (T,) of the pieces of the translation, in nats, if they were asked for.
    """

    weights: npt.NDArray[np.float32]
    source: tuple[Span, ...]
    target: tuple[Span, ...]
    log_probs: npt.NDArray[np.float32] | None = None


class Aligner:
    """Reads sentences and their translations once more; safe to use from many threads.

    Attributes:
        tokenizer: of the model.
        source_language: code; models that need none take any.
    """

    def __init__(self, reader: PairReader, tokenizer: Vocabulary, source_language: str) -> None:
        """Align what a reader reads, sources of a language."""
        self._reader, self.tokenizer = reader, tokenizer
        self.source_language = source_language

    @property
    def model(self) -> Transformer:
        """The model in evaluation mode; see `Reference.get`."""
        return self._reader.reference.get()

    def alone(self) -> AbstractContextManager[None]:
        """Hold the turn to run the model; see `PairReader.alone`."""
        return self._reader.alone()

    def align(
        self,
        pairs: Sequence[tuple[str, str]],
        target_language: str,
        while_waiting: Callable[[], None] = lambda: None,
        has_log_probs: bool = False,
    ) -> list[Alignment | None]:
        """Return the alignment of each pair of source and translation; None if one is too long.

        Args:
            pairs: sentences as the model reads them.
            target_language: code of the language of the translations.
            while_waiting: called before each batch.
            has_log_probs: whether to tell how probable each piece is.
        """
        tokenizer, (before, after) = self.tokenizer, self.tokenizer.frame
        encoded, first = self._encoded(pairs, target_language)
        found: list[Alignment | None] = [None] * len(pairs)
        for number, reading in self._readings(encoded, while_waiting, has_log_probs):
            (src, tgt), (source, target) = encoded[number], pairs[number]
            text = slice(before, len(src) - after)  # no tag, no EOS
            found[number] = Alignment(
                reading.weights[first:-1, text],  # (T, S)
                places_of(source, tokenizer.source_pieces(src[text])),
                places_of(target, tokenizer.pieces(tgt[first + 1 :])),
                None if reading.log_probs is None else reading.log_probs[first:],
            )
        return found

    def log_probs(
        self,
        pairs: Sequence[tuple[str, str]],
        target_language: str,
        while_waiting: Callable[[], None] = lambda: None,
    ) -> list[PieceLogProbs | None]:
        """Return how probable each translation is, piece by piece; None if a pair is too long.

        Args:
            pairs: of source and translation, as the model reads and writes them.
            target_language: code of the language of the translations.
            while_waiting: called before each batch.

        Returns:
            of each pair, the pieces of the translation with their log-probabilities, EOS the last.
        """
        tokenizer = self.tokenizer
        encoded, first = self._encoded(pairs, target_language)
        ended = [(src, [*tgt, tokenizer.eos_id]) for src, tgt in encoded]
        found: list[PieceLogProbs | None] = [None] * len(pairs)
        for number, reading in self._readings(ended, while_waiting, has_log_probs=True):
            assert reading.log_probs is not None
            pieces = tokenizer.pieces(ended[number][1][first + 1 :])
            numbers = reading.log_probs[first:].tolist()
            found[number] = list(zip(pieces, numbers, strict=True))
        return found

    def _encoded(
        self, pairs: Sequence[tuple[str, str]], target_language: str
    ) -> tuple[list[tuple[list[int], list[int]]], int]:
        """Return the ids of pairs, and the place of the state that predicts the first piece.

        The state at a piece, BOS at first, predicts the next one.
        """
        tokenizer = self.tokenizer
        start_ids = tokenizer.start_ids(target_language) if pairs else ()
        encoded = [
            (
                tokenizer.encode_source(source, target_language, self.source_language),
                [*start_ids, *tokenizer.encode(target)],
            )
            for source, target in pairs
        ]
        return encoded, len(start_ids) - 1

    def _readings(
        self,
        encoded: Sequence[tuple[list[int], list[int]]],
        while_waiting: Callable[[], None],
        has_log_probs: bool,
    ) -> Iterator[tuple[int, ForcedScores]]:
        """Yield the number of each pair that is not too long, with what the model says of it."""
        for batch in _batches([max(len(src), len(tgt)) for src, tgt in encoded]):
            while_waiting()
            read = self._reader.read([encoded[number] for number in batch], has_log_probs)
            yield from zip(batch, read, strict=True)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if lengths[number] > LONGEST_SENTENCE:
            break
        if batch and (len(batch) + 1) * lengths[number] > MOST_IDS:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def places_of(text: str, pieces: Sequence[str]) -> tuple[Span, ...]:
    """Return start and end of each piece in a text; what cannot be found there is empty."""
    places, done = list[Span](), 0
    for piece in pieces:
        bare = piece.replace(WORD_START, " ").strip()
        start = text.find(bare, done, done + len(bare) + 20) if bare else -1
        if start < 0:  # bytes of a rare character, or one that was normalised
            places.append((done, done))
            continue
        done = start + len(bare)
        places.append((start, done))
    return tuple(places)
