"""What was found for sentences, read from the steps that the search on a device has written down.

Letters: n sentences of K beams, T steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from translator.config import DecodingOptions
from translator.search.hypothesis import Hypothesis
from translator.search.length_penalty import length_penalty
from translator.search.rows import Array


@dataclass(eq=False, slots=True)
class Sentence:
    """A sentence that is being decoded.

    Attributes:
        slot: its own.
        source_length: of what the encoder has read.
        options: of its search.
        first: ids that the decoder is fed before the search begins to choose.
        num_steps: the most that it can take.
        age: steps that it has taken.
        is_done: whether its search has ended.
    """

    slot: int
    source_length: int
    options: DecodingOptions
    first: int
    num_steps: int
    age: int = 0
    is_done: bool = False


def hypotheses(
    sentences: Sequence[Sentence],
    eos_id: int,
    vocab_size: int,
    scores: Array,
    ends: Array,
    steps: Array,
) -> list[list[Hypothesis]]:
    """Return what was found for each of n sentences, best first; see `BeamSearch.results`.

    Args:
        sentences: n of them.
        eos_id: id that ends a sentence.
        vocab_size: V of `Slots.steps`.
        scores: (n, K), see `Slots`.
        ends: (n, K).
        steps: (n, T, 3, K).
    """
    beam_size = scores.shape[1]
    at, rank = np.divmod(ends, beam_size)  # (n, K): the step that ended each
    rows = np.arange(len(sentences))[:, None]
    beams, last_ids = np.divmod(steps[rows, at, 2, rank], vocab_size)
    ids = np.zeros((*ends.shape, int(at.max(initial=0)) + 1), np.int64)
    for step in range(ids.shape[2] - 2, -1, -1):  # from the last one, whom each continued
        is_before = step < at
        ids[:, :, step] = steps[rows, step, 0, beams]
        beams = np.where(is_before, steps[rows, step, 1, beams], beams)
    found = []
    for row, sentence in enumerate(sentences):
        own = []
        for place in range(sentence.options.num_hypotheses):
            score, end = float(scores[row, place]), int(at[row, place])
            if score == -math.inf:
                break
            last_id = int(last_ids[row, place])
            before = ids[row, place, sentence.first : end].tolist()
            length = end - sentence.first + 1
            own.append(
                Hypothesis(
                    ids=tuple(before if last_id == eos_id else [*before, last_id]),
                    score=score,
                    log_prob=score * length_penalty(length, sentence.options),
                    finish_reason="eos" if last_id == eos_id else "length",
                )
            )
        found.append(own or [_nothing()])
    return found


def _nothing() -> Hypothesis:
    return Hypothesis(ids=(), score=-math.inf, log_prob=-math.inf, finish_reason="length")
