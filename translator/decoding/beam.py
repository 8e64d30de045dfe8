"""Greedy and beam search for sentences that may come and go: `search.py` for each of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from translator.batch import Array, behind
from translator.config import DecodingOptions
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.length_penalty import NAMES, length_penalty
from translator.decoding.ngram_blocking import EXTRA_CANDIDATES
from translator.decoding.search import FINISHED, SEARCH, Searches, extend_all


class BeamSearch:
    """Where the search for B sentences of K beams each stands; K = 1 is greedy search.

    Attributes:
        next_ids: (B, K) int64, what is to be fed to the model next; EOS for a dead beam.
        parents: (B, K) int64, which beam each beam continued in the last step.
        log_probs: (B, K) float64, sums of each sentence, best first; -inf for a dead beam.
        num_candidates: how many continuations of each sentence `extend` wants.
    """

    def __init__(self, beam_size: int, bos_id: int, eos_id: int) -> None:
        """Begin with no sentences; each will have `beam_size` rows."""
        self._beam_size, self._bos_id, self._eos_id = beam_size, bos_id, eos_id
        self._searches = np.zeros(0, SEARCH)
        self._finished = np.zeros((0, beam_size), FINISHED)
        self._ids, self._kept = np.zeros((2, 0, beam_size, 0), np.int32)
        self.next_ids, self.parents = np.zeros((2, 0, beam_size), np.int64)
        self.log_probs = np.zeros((0, beam_size))
        self._look()

    def _look(self) -> None:
        blocks_ngrams = bool(self._searches["no_repeat_ngram_size"].any())
        self.num_candidates = 1 if self._beam_size == 1 else 2 * self._beam_size
        self.num_candidates += EXTRA_CANDIDATES if blocks_ngrams else 0
        self._done = np.empty(len(self._searches), np.int64)

    def add(self, limits: Sequence[int], options: Sequence[DecodingOptions]) -> None:
        """Let sentences join: the most ids each may have, EOS included, and its options.

        Raises:
            ValueError: a limit leaves no room for EOS, or options have another beam size.
        """
        beam_size, fresh = self._beam_size, np.zeros(len(limits), SEARCH)
        for place, (limit, own) in enumerate(zip(limits, options, strict=True)):
            if own.beam_size != beam_size:
                raise ValueError(f"beam_size must be {beam_size}, got {own.beam_size}")
            if limit < 1:
                raise ValueError(f"a limit must be at least 1, to hold EOS; got {limit}")
            about = limit, own.num_hypotheses, own.no_repeat_ngram_size
            name = NAMES.index(own.length_penalty)
            fresh[place] = (*about, name, own.alpha, 0, 0, 0)
        shape = len(fresh), beam_size
        first = np.where(np.arange(beam_size) == 0, 0.0, -np.inf)
        self._searches = behind(self._searches, fresh)
        self._finished = behind(self._finished, np.zeros(shape, FINISHED))
        self.next_ids = behind(self.next_ids, np.full(shape, self._bos_id))
        self.parents = behind(self.parents, np.tile(np.arange(beam_size), (shape[0], 1)))
        self.log_probs = behind(self.log_probs, np.tile(first, (shape[0], 1)))
        self._move(range(len(self._ids)))
        self._look()

    def _move(self, places: Sequence[int]) -> None:
        """Give every sentence room for its ids; those at `places` come first and keep theirs."""
        used, room = int(self._searches["num_ids"].max(initial=0)), self._searches["limit"]
        shape = 2, len(self._searches), self._beam_size, int(room.max(initial=0))
        before, both = (self._ids, self._kept), np.empty(shape, np.int32)
        self._ids, self._kept = both
        for old, new in zip(before, both, strict=True):
            new[: len(places), :, :used] = old[list(places), :, :used]

    def ids(self, place: int, beam: int) -> list[int]:
        """Return the ids of a live beam of a sentence."""
        found: list[int] = self._ids[place, beam, : self._searches["num_ids"][place]].tolist()
        return found

    def extend(self, best: Array, ids: Array, beams: Array) -> list[int]:
        """Take one step.

        Args:
            best: (B, C) float32 log-probabilities of the best continuations of each sentence, best
                first: in full, but of the last id alone if K is 1.
            ids: (B, C) int64, their last ids.
            beams: (B, C) int64, which beam each of them continues.

        Returns:
            the places of sentences that are done by this step; others that are done stay as they
            are.
        """
        searches = self.searches
        found: list[int] = searches.done[: extend_all(searches, 0, best, ids, beams)].tolist()
        return found

    @property
    def searches(self) -> Searches:
        """Where all of this stands, for compiled functions."""
        return Searches(
            self._searches,
            self._eos_id,
            self.log_probs,
            self.next_ids,
            self.parents,
            self._ids,
            self._finished,
            self._kept,
            self._done,
        )

    def results(self, place: int) -> list[Hypothesis]:
        """Return the best `num_hypotheses` of a sentence that is done, best first.

        There is at least one (empty, at -inf, if no sentence was possible at all), and there are
        fewer than asked for only if no more were found.
        """
        found = self.finished(place)[: self._searches["num_hypotheses"][place]]
        if found:
            return found
        return [Hypothesis(ids=(), score=-math.inf, log_prob=-math.inf, finish_reason="length")]

    def finished(self, place: int) -> list[Hypothesis]:
        """Return the best K of the hypotheses of a sentence that have finished, best first."""
        count = self._searches["num_finished"][place]
        return [
            Hypothesis(
                ids=tuple(self._kept[place, kept, :num_ids].tolist()),
                score=score,
                log_prob=log_prob,
                finish_reason="eos" if is_eos else "length",
            )
            for score, log_prob, num_ids, is_eos, kept in self._finished[place, :count].tolist()
        ]

    def keep(self, places: Sequence[int]) -> None:
        """Drop all sentences but these."""
        kept = list(places)
        self._searches, self._finished = self._searches[kept], self._finished[kept]
        self.next_ids, self.parents = self.next_ids[kept], self.parents[kept]
        self.log_probs = self.log_probs[kept]
        self._move(kept)
        self._look()


def use_search() -> None:
    """Call everything that is compiled."""
    options, search = DecodingOptions(beam_size=1), BeamSearch(1, 0, 0)
    length_penalty(1, options)
    search.add([1], [options])
    nothing = np.zeros((1, 1), np.int64)
    search.extend(nothing.astype(np.float32), nothing, nothing)
