"""Search that never says the same n ids twice, for sentences in which it ran in circles.

Source: Paulus et al. 2018, §2.5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from translator.decoding.search import Beams

EXTRA_CANDIDATES = 32
"""Continuations that are looked at besides, so that enough are left when some are blocked."""


def without_repeats(
    sentence: Beams, log_probs: Sequence[float], ids: Sequence[int], beams: Sequence[int]
) -> tuple[Sequence[float], Sequence[int], Sequence[int]]:
    """Rank the continuations that would repeat an n-gram behind all others, at -inf.

    A sentence whose options have no `no_repeat_ngram_size` stays as it is, and so does one that
    could not go on otherwise.

    Args:
        sentence: before the step.
        log_probs: of the continuations, best first.
        ids: their last ids.
        beams: which beam each of them continues.

    Returns:
        the same three, sorted anew.
    """
    size = sentence.options.no_repeat_ngram_size
    if not size:
        return log_probs, ids, beams
    forbidden = [_following(sentence.ids(beam), size) for beam in range(len(sentence.parents))]
    good, blocked = [], []
    for log_prob, last_id, beam in zip(log_probs, ids, beams, strict=True):
        if last_id in forbidden[beam]:
            blocked.append((-math.inf, last_id, beam))
        else:
            good.append((log_prob, last_id, beam))
    if all(log_prob == -math.inf for log_prob, _, _ in good):
        return log_probs, ids, beams
    best, last_ids, parents = zip(*good, *blocked, strict=True)
    return best, last_ids, parents


def _following(history: list[int], size: int) -> set[int]:
    """Return the ids that have followed the last `size` - 1 ids of `history` before."""
    last = history[len(history) - size + 1 :]
    starts = range(len(history) - size + 1)
    return {history[i + size - 1] for i in starts if history[i : i + size - 1] == last}
