"""Greedy and beam search for sentences that may come and go: `search.py` for each of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from translator.config import DecodingOptions
from translator.jit import interpreted
from translator.search.hypothesis import IMPOSSIBLE, Hypothesis
from translator.search.length_penalty import NAMES, length_penalty
from translator.search.ngram_blocking import EXTRA_CANDIDATES
from translator.search.rows import Array, Rows, round_up
from translator.search.search import FINISHED, MOST_FORCED, SEARCH, Searches, extend_all

IDS, KEPT = (Searches._fields.index(name) for name in ("ids", "kept"))

WIDTH_STEP = 64
"""There is room for so many ids of a sentence, or for a multiple of them."""


class BeamSearch:
    """Where the search for B sentences of K beams each stands; K = 1 is greedy search.

    Attributes:
        searches: all of it, for compiled functions.
        next_ids: (B, K) int64, what is to be fed to the model next; EOS for a dead beam.
        parents: (B, K) int64, which beam each beam continued in the last step.
        log_probs: (B, K) float64, sums of each sentence, best first; -inf for a dead beam.
        num_candidates: how many continuations of each sentence `extend` wants.
    """

    def __init__(self, beam_size: int, bos_id: int, eos_id: int) -> None:
        """Begin with no sentences; each will have `beam_size` rows, and start with BOS."""
        self._beam_size, self._start_ids, self._eos_id = beam_size, (bos_id,), eos_id
        self._first_log_probs = np.where(np.arange(beam_size) == 0, 0.0, -np.inf)
        self._rows = self._no_rows()
        self._look()

    def add(
        self,
        limits: Sequence[int],
        options: Sequence[DecodingOptions],
        starts: Sequence[Sequence[int]] | None = None,
    ) -> None:
        """Let sentences join; their limits count EOS.

        Starts are what the model is fed before the search begins to choose, and what no hypothesis
        has; BOS if empty.

        Raises:
            ValueError: a limit leaves no room for EOS, options have another beam size, or there is
                nothing or too much to start with.
        """
        about = []
        starts = [start or self._start_ids for start in starts or [()] * len(limits)]
        for limit, wanted, start in zip(limits, options, starts, strict=True):
            check_wanted(self._beam_size, limit, wanted, start)
            penalty = NAMES.index(wanted.length_penalty), wanted.alpha
            sizes = limit, wanted.num_hypotheses, wanted.no_repeat_ngram_size
            about.append((*sizes, *penalty, 0, 0, 0, len(start) - 1))
        for place in (IDS, KEPT):
            self._rows.widen(place, round_up(max(limits, default=0), WIDTH_STEP))
        fresh = Searches._make([*self._rows.add(len(about)), self._eos_id])
        fresh.searches[:] = about
        fresh.log_probs[:] = self._first_log_probs
        fresh.parents[:] = range(self._beam_size)
        for place, start in enumerate(starts):
            fresh.next_ids[place] = start[0]
            fresh.forced[place, : len(start) - 1] = start[:0:-1]
        self._look()

    def keep(self, places: Sequence[int]) -> None:
        """Drop all sentences but these, none of which may move to a higher place."""
        if places:
            self._rows.keep(places)
        else:
            self._rows = self._no_rows()  # with as little room as at first
        self._look()

    def _no_rows(self) -> Rows:
        each = (self._beam_size,)
        beams = [(kind, each) for kind in (np.float64, np.int64, np.int64)]
        ids = np.int32, (self._beam_size, WIDTH_STEP)
        forced = np.int64, (MOST_FORCED,)
        return Rows((SEARCH, ()), *beams, ids, (FINISHED, each), ids, forced, (np.int64, ()))

    def _look(self) -> None:
        self.searches = Searches._make([*self._rows.used, self._eos_id])
        self.next_ids, self.parents = self.searches.next_ids, self.searches.parents
        self.log_probs = self.searches.log_probs
        blocks_ngrams = bool(self.searches.searches["no_repeat_ngram_size"].any())
        self.num_candidates = 1 if self._beam_size == 1 else 2 * self._beam_size
        self.num_candidates += EXTRA_CANDIDATES if blocks_ngrams else 0

    def extend(self, best: Array, ids: Array, beams: Array, is_compiled: bool = True) -> list[int]:
        """Take one step; return the places of sentences that are done by it.

        `best` (B, C) float32 are log-probabilities of the best continuations of each sentence, best
        first: in full, but of the last id alone if K is 1. `ids` (B, C) int64 are their last ids,
        `beams` (B, C) int64 which beam each continues. If not `is_compiled`, what takes the step is
        run as it is written. Others that are done stay as they are.
        """
        take = extend_all if is_compiled else interpreted(extend_all)
        searches = self.searches
        found: list[int] = searches.done[: take(searches, 0, best, ids, beams)].tolist()
        return found

    def results(self, place: int) -> list[Hypothesis]:
        """Return the best `num_hypotheses` of a sentence that is done, best first.

        There is at least one (empty, at -inf, if no sentence was possible at all), and there are
        fewer than asked for only if no more were found.
        """
        found = self.finished(place)[: self.searches.searches[place]["num_hypotheses"]]
        return found or [IMPOSSIBLE]

    def finished(self, place: int) -> list[Hypothesis]:
        """Return the best K of the hypotheses of a sentence that have finished, best first."""
        searches = self.searches
        count = searches.searches[place]["num_finished"]
        return [
            Hypothesis(
                ids=tuple(searches.kept[place, kept, :num_ids].tolist()),
                score=score,
                log_prob=log_prob,
                finish_reason="eos" if is_eos else "length",
            )
            for score, log_prob, num_ids, is_eos, kept in searches.finished[place, :count].tolist()
        ]


def check_wanted(
    beam_size: int, limit: int, options: DecodingOptions, start: Sequence[int]
) -> None:
    """Raise ValueError if there cannot be such a search; see `BeamSearch.add`."""
    if len(start) > 1 + MOST_FORCED:
        raise ValueError(f"a start has 1 to {1 + MOST_FORCED} ids, got {[*start]}")
    if options.beam_size != beam_size:
        raise ValueError(f"beam_size must be {beam_size}, got {options.beam_size}")
    if limit < 1:
        raise ValueError(f"a limit must be at least 1, to hold EOS; got {limit}")


def use_search() -> None:
    """Call everything that is compiled."""
    options, search = DecodingOptions(beam_size=1), BeamSearch(1, 0, 0)
    length_penalty(1, options)
    search.add([1], [options])
    nothing = np.zeros((1, 1), np.int64)
    search.extend(nothing.astype(np.float32), nothing, nothing)
