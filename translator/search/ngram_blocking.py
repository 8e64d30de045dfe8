"""Search that never says the same n ids twice, for sentences in which it ran in circles.

Source: Paulus et al. 2018, §2.5.
"""

from __future__ import annotations

import math

import numpy as np

from translator.jit import compiled
from translator.search.rows import Array

EXTRA_CANDIDATES = 32
"""Continuations that are looked at besides, so that enough are left when some are blocked."""


@compiled
def repeats(ids: Array, length: int, last_id: int, ngram_size: int) -> bool:
    """Return whether an n-gram would be there twice, if `last_id` followed the first `length`."""
    for start in range(length - ngram_size + 1):
        is_same = ids[start + ngram_size - 1] == last_id
        for i in range(ngram_size - 1):
            is_same = is_same and ids[start + i] == ids[length - ngram_size + 1 + i]
        if is_same:
            return True
    return False


@compiled
def rank_repeats_last(
    ids: Array, length: int, ngram_size: int, best: Array, last_ids: Array, beams: Array
) -> None:
    """Rank the continuations that would repeat an n-gram behind all others, at -inf.

    A sentence that could not go on otherwise stays as it is.

    The beams' ids are (K, T), `length` of them each; `best` (C,) are log-probabilities, best first,
    and sorted anew, as are `last_ids` and `beams`, the beams that they continue.
    """
    is_blocked = np.zeros(len(best), np.bool_)
    is_stuck = True
    for i in range(len(best)):
        is_blocked[i] = repeats(ids[beams[i]], length, last_ids[i], ngram_size)
        is_stuck = is_stuck and (is_blocked[i] or best[i] == -math.inf)
    if is_stuck:
        return
    before, ids_before, beams_before = best.copy(), last_ids.copy(), beams.copy()
    place = 0
    for blocked in (False, True):
        for i in range(len(best)):
            if is_blocked[i] == blocked:
                best[place] = -math.inf if blocked else before[i]
                last_ids[place], beams[place] = ids_before[i], beams_before[i]
                place += 1
