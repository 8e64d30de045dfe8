"""How probable a subword model finds a text: so a vocabulary tells one spelling from another."""

from __future__ import annotations

import functools
import math

import sentencepiece

_LEAST_OF_UNIGRAMS = -100.0
"""No piece of a unigram model is less probable, in nats; scores of merges are numbers of merges."""

_RARER = 10.0
"""What SentencePiece takes from the rarest piece for a character that it does not know."""


class Likelihood:
    """Scores texts by the pieces that they are split into."""

    def __init__(self, processor: sentencepiece.SentencePieceProcessor) -> None:
        """Take a SentencePiece model."""
        self._processor = processor
        self.log_prob = functools.lru_cache(maxsize=10_000)(self._log_prob)

    def _log_prob(self, text: str) -> float:
        """Return the log-probability of a text, in nats; without weight where it has bytes."""
        return sum(self._of_piece(piece_id) for piece_id in self._processor.EncodeAsIds(text))

    def of_piece(self, piece: str) -> float:
        """Return the log-probability of a piece, in nats; minus infinity if nothing tells it.

        The ranks of merges do not: single characters come behind all of them.
        """
        piece_id = int(self._processor.PieceToId(piece))
        is_told = not (self._has_merges or self._processor.IsUnknown(piece_id))
        return self._of_piece(piece_id) if is_told else -math.inf

    def _of_piece(self, piece_id: int) -> float:
        processor = self._processor
        if processor.IsByte(piece_id) or processor.IsUnknown(piece_id):
            return self._least - _RARER
        score = float(processor.GetScore(piece_id))
        return -math.log(2 - score) if self._has_merges else score

    @functools.cached_property
    def _scores(self) -> tuple[float, ...]:
        return tuple(map(self._processor.GetScore, range(self._processor.vocab_size())))

    @functools.cached_property
    def _has_merges(self) -> bool:
        """Whether scores are numbers of merges: the frequency falls with them, as with any rank."""
        return min(self._scores) < _LEAST_OF_UNIGRAMS

    @functools.cached_property
    def _least(self) -> float:
        least = min(self._scores)
        return -math.log(2 - least) if self._has_merges else least
