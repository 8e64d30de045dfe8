"""Beam search over all log-probabilities at once, to be compared with what the engine does."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch import Tensor

from translator.decoding.search import Beams, num_candidates


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
    count, vocab_size = num_candidates(log_probs.size(0)), log_probs.size(1)
    best, places = best[:count], places[:count]
    beams = places.div(vocab_size, rounding_mode="floor")
    ids = places - beams * vocab_size
    sentence.extend(best.tolist(), ids.tolist(), beams.tolist())


def prefixes(sentence: Beams) -> list[tuple[int, ...]]:
    """Return the ids of each of the K beams."""
    return [tuple(sentence.ids(beam)) for beam in range(len(sentence.parents))]
