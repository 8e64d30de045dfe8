"""One finished translation of one sentence, in token ids."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

FinishReason = Literal["eos", "length"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Hypothesis:
    """What search found for one sentence."""

    ids: tuple[int, ...]  # target ids without BOS and without EOS
    score: float  # `log_prob` divided by the length penalty; higher is better
    log_prob: float  # sum of the log-probabilities of `ids` and of EOS if it was produced, in nats
    finish_reason: FinishReason  # `eos` if the model ended the sentence, `length` if the limit did


IMPOSSIBLE = Hypothesis(ids=(), score=-math.inf, log_prob=-math.inf, finish_reason="length")
"""What is found where no sentence was possible at all."""
