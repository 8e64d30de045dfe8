"""Beam search over all log-probabilities at once, to be compared with what the engine does."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from torch import Tensor

from translator.config import DecodingOptions
from translator.search.beam import BeamSearch
from translator.search.hypothesis import Hypothesis


def ids_of(search: BeamSearch, place: int, beam: int) -> list[int]:
    """Return the ids of a live beam of a sentence."""
    state = search.searches
    found: list[int] = state.ids[place, beam, : state.searches[place]["num_ids"]].tolist()
    return found


class Beams:
    """The search for one sentence."""

    def __init__(self, options: DecodingOptions, limit: int, bos_id: int, eos_id: int) -> None:
        self._search = BeamSearch(options.beam_size, bos_id, eos_id)
        self._search.add([limit], [options])
        self.num_candidates = self._search.num_candidates
        self.is_done = False

    @property
    def next_ids(self) -> list[int]:
        found: list[int] = self._search.next_ids[0].tolist()
        return found

    @property
    def parents(self) -> list[int]:
        found: list[int] = self._search.parents[0].tolist()
        return found

    @property
    def log_probs(self) -> list[float]:
        found: list[float] = self._search.log_probs[0].tolist()
        return found

    @property
    def finished(self) -> list[Hypothesis]:
        return self._search.finished(0)

    def ids(self, beam: int) -> list[int]:
        return ids_of(self._search, 0, beam)

    def extend(self, log_probs: Sequence[float], ids: Sequence[int], beams: Sequence[int]) -> None:
        """Take a step, given the best continuations, with all that came before."""
        best = np.array([log_probs])
        if len(self.parents) == 1:
            best -= self.log_probs[0]
        found = np.array([ids], np.int64), np.array([beams], np.int64)
        if self._search.extend(best.astype(np.float32), *found):
            self.is_done = True

    def results(self) -> list[Hypothesis]:
        return self._search.results(0)


def advance(sentence: Beams, log_probs: Tensor, forbidden_ids: Sequence[int] = ()) -> None:
    """Extend every live beam by one id, given the log-probabilities of all of them.

    Args:
        sentence: to be extended.
        log_probs: (K, V) of any float type, none above 0; -inf is allowed anywhere.
        forbidden_ids: ids that are never produced, such as padding.
    """
    log_probs = log_probs.double().clone()
    log_probs[:, list(forbidden_ids)] = -math.inf
    totals = (log_probs + log_probs.new_tensor(sentence.log_probs)[:, None]).flatten()
    # a stable sort: of equals, the earlier beam comes first
    best, places = totals.sort(stable=True, descending=True)
    count, vocab_size = sentence.num_candidates, log_probs.size(1)
    best, places = best[:count], places[:count]
    beams = places.div(vocab_size, rounding_mode="floor")
    ids = places - beams * vocab_size
    sentence.extend(best.tolist(), ids.tolist(), beams.tolist())


def prefixes(sentence: Beams) -> list[tuple[int, ...]]:
    """Return the ids of each of the K beams."""
    return [tuple(sentence.ids(beam)) for beam in range(len(sentence.parents))]
