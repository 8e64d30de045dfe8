"""Beam search for sentences that may come and go, with the pure functions of `search.py`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import torch
from torch import Tensor

from translator.config import DecodingOptions
from translator.decoding import search
from translator.decoding.beam_state import BeamState
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.ngram_blocking import EXTRA_CANDIDATES, without_repeats
from translator.model.kv_cache import rows_of


class BeamSearch:
    """Where beam search stands.

    Attributes:
        next_ids: (N,) int64, to be fed to the model next, N = B · K.
    """

    def __init__(
        self, beam_size: int, bos_id: int, eos_id: int, device: torch.device | str = "cpu"
    ) -> None:
        """Begin with no sentences; each will have `beam_size` rows on `device`."""
        self.beam_size, self.bos_id, self.eos_id = beam_size, bos_id, eos_id
        self.next_ids = torch.empty(0, dtype=torch.long, device=device)
        self._state: BeamState | None = None
        self._parent_rows: Tensor | None = None
        self._done: list[bool] = []

    def add(self, limits: Sequence[int], options: Sequence[DecodingOptions]) -> None:
        """Let sentences join: the most ids each may have, EOS included, and its options."""
        pairs = zip(limits, options, strict=True)
        for own, alike in itertools.groupby(pairs, key=lambda pair: pair[1]):
            alike_limits = [limit for limit, _ in alike]
            state = search.start(alike_limits, own, self.eos_id, device=self.next_ids.device)
            self._state = search.join(self._state, state) if self._state else state
        begin = self.next_ids.new_full((len(limits) * self.beam_size,), self.bos_id)
        self.next_ids = torch.cat((self.next_ids, begin))
        self._done += [False] * len(limits)

    @property
    def num_candidates(self) -> int:
        """How many continuations of each sentence `extend` wants."""
        count = search.num_candidates(self.beam_size)
        return count + EXTRA_CANDIDATES if self._blocks_ngrams else count

    @property
    def _blocks_ngrams(self) -> bool:
        options = self._state.options if self._state else ()
        return any(own.no_repeat_ngram_size for own in options)

    @property
    def beam_log_probs(self) -> Tensor:
        """What the model is to add: (B, K), the log-probability of each beam."""
        assert self._state is not None
        return self._state.log_probs

    def extend(self, log_probs: Tensor, ids: Tensor, beams: Tensor) -> list[int]:
        """Take one step.

        Args:
            log_probs: (B, C) of the best continuations of each sentence, in full, best first.
            ids: (B, C) int64, their last ids.
            beams: (B, C) int64, which beam each of them continues.

        Returns:
            the places of sentences that are done by this step.
        """
        assert self._state is not None
        if self._blocks_ngrams:
            log_probs, ids, beams = without_repeats(self._state, log_probs, ids, beams)
        step = search.extend(self._state, log_probs, ids, beams)
        self._state, self._parent_rows = step.state, step.parent_rows
        self.next_ids = step.next_ids.flatten()
        is_done = step.done.tolist()
        fresh = [place for place, done in enumerate(is_done) if done and not self._done[place]]
        for place in fresh:
            self._done[place] = True
        return fresh

    def parent_rows(self) -> Tensor | None:
        """Return (N,) int64, the row that each row continued in the last step."""
        return self._parent_rows

    def results(self, place: int) -> list[Hypothesis]:
        """Return the hypotheses of a sentence that is done, best first."""
        assert self._state is not None
        return search.results(self._state, place)

    def keep(self, places: Sequence[int]) -> None:
        """Drop all sentences but these."""
        assert self._state is not None
        device = self.next_ids.device
        chosen = rows_of(places, 1, device)
        self._state = search.compact(self._state, chosen) if places else None
        self.next_ids = self.next_ids[rows_of(places, self.beam_size, device)]
        self._done = [self._done[place] for place in places]
