"""Greedy and beam search for sentences that may come and go: `search.py` for each of them."""

from __future__ import annotations

from collections.abc import Sequence

from translator.config import DecodingOptions
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.ngram_blocking import EXTRA_CANDIDATES, without_repeats
from translator.decoding.search import Beams, num_candidates


class BeamSearch:
    """Where the search for B sentences of K beams each stands; K = 1 is greedy search."""

    def __init__(self, beam_size: int, bos_id: int, eos_id: int) -> None:
        """Begin with no sentences; each will have `beam_size` rows."""
        self._beam_size, self._bos_id, self._eos_id = beam_size, bos_id, eos_id
        self._sentences: list[Beams] = []

    def add(self, limits: Sequence[int], options: Sequence[DecodingOptions]) -> None:
        """Let sentences join: the most ids each may have, EOS included, and its options.

        Raises:
            ValueError: a limit leaves no room for EOS, or options have another beam size.
        """
        for own in options:
            if own.beam_size != self._beam_size:
                raise ValueError(f"beam_size must be {self._beam_size}, got {own.beam_size}")
        self._sentences += [
            Beams(own, limit, self._bos_id, self._eos_id)
            for limit, own in zip(limits, options, strict=True)
        ]

    @property
    def next_ids(self) -> list[int]:
        """What is to be fed to the model next: N = B · K ids."""
        return [last_id for sentence in self._sentences for last_id in sentence.next_ids]

    @property
    def num_candidates(self) -> int:
        """How many continuations of each sentence `extend` wants."""
        blocks_ngrams = any(own.options.no_repeat_ngram_size for own in self._sentences)
        return num_candidates(self._beam_size) + (EXTRA_CANDIDATES if blocks_ngrams else 0)

    @property
    def beam_log_probs(self) -> list[list[float]] | None:
        """What the model is to add: (B, K), the log-probability of each beam; None if K is 1."""
        if self._beam_size == 1:
            return None
        return [sentence.log_probs for sentence in self._sentences]

    def extend(
        self,
        log_probs: Sequence[list[float]],
        ids: Sequence[list[int]],
        beams: Sequence[list[int]],
    ) -> list[int]:
        """Take one step.

        Args:
            log_probs: (B, C) of the best continuations of each sentence, best first: in full, but
                of the last id alone if K is 1.
            ids: (B, C), their last ids.
            beams: (B, C), which beam each of them continues.

        Returns:
            the places of sentences that are done by this step.
        """
        fresh: list[int] = []
        found = zip(self._sentences, log_probs, ids, beams, strict=True)
        for place, (sentence, totals, last_ids, parents) in enumerate(found):
            if sentence.is_done:
                continue
            if self._beam_size == 1:
                totals[0] += sentence.log_probs[0]
            sentence.extend(*without_repeats(sentence, totals, last_ids, parents))
            if sentence.is_done:
                fresh.append(place)
        return fresh

    def parent_rows(self) -> list[int] | None:
        """Return the row that each of N rows continued in the last step; None if itself."""
        size = self._beam_size
        if size == 1:
            return None
        rows = [
            place * size + parent
            for place, sentence in enumerate(self._sentences)
            for parent in sentence.parents
        ]
        return None if rows == list(range(len(rows))) else rows

    def results(self, place: int) -> list[Hypothesis]:
        """Return the hypotheses of a sentence that is done, best first."""
        return self._sentences[place].results()

    def keep(self, places: Sequence[int]) -> None:
        """Drop all sentences but these."""
        self._sentences = [self._sentences[place] for place in places]
