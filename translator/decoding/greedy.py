"""Greedy search: the most probable id, again and again; one beam without the cost of many.

The rules are those of `search.py` for K = 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from translator.config import DecodingOptions
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.length_penalty import length_penalty
from translator.model.kv_cache import rows_of


@dataclass(slots=True)
class _Sentence:
    limit: int
    options: DecodingOptions
    ids: list[int] = field(default_factory=list)
    log_prob: float = 0.0
    is_done: bool = False


class GreedySearch:
    """Where greedy search stands, for sentences that may come and go.

    Attributes:
        next_ids: (B,) int64, to be fed to the model next.
    """

    beam_size = 1
    num_candidates = 1
    beam_log_probs = None

    def __init__(self, bos_id: int, eos_id: int, device: torch.device | str = "cpu") -> None:
        """Begin with no sentences; log-probabilities will come from `device`."""
        self.bos_id, self.eos_id = bos_id, eos_id
        self.next_ids = torch.empty(0, dtype=torch.long, device=device)
        self._sentences: list[_Sentence] = []

    def add(self, limits: Sequence[int], options: Sequence[DecodingOptions]) -> None:
        """Let sentences join: the most ids each may have, EOS included, and its options."""
        self._sentences += [
            _Sentence(limit, own) for limit, own in zip(limits, options, strict=True)
        ]
        begin = self.next_ids.new_full((len(limits),), self.bos_id)
        self.next_ids = torch.cat((self.next_ids, begin))

    def extend(self, log_probs: Tensor, ids: Tensor, _: Tensor) -> list[int]:
        """Take one step.

        Args:
            log_probs: (B, 1) of the best id of each sentence.
            ids: (B, 1) int64, that id.

        Returns:
            the places of sentences that are done by this step.
        """
        done = []
        chosen = zip(self._sentences, log_probs[:, 0].tolist(), ids[:, 0].tolist(), strict=True)
        for place, (sentence, log_prob, last_id) in enumerate(chosen):
            if sentence.is_done:
                continue
            sentence.ids.append(last_id)
            sentence.log_prob += log_prob
            at_limit = len(sentence.ids) >= sentence.limit
            if last_id == self.eos_id or at_limit or sentence.log_prob == -math.inf:
                sentence.is_done = True
                done.append(place)
        self.next_ids = ids[:, 0]
        return done

    def parent_rows(self) -> Tensor | None:
        """Return None: no row ever continues another."""
        return None

    def results(self, place: int) -> list[Hypothesis]:
        """Return the one hypothesis of a sentence that is done."""
        sentence = self._sentences[place]
        is_eos = sentence.ids[-1] == self.eos_id
        found = Hypothesis(
            ids=tuple(sentence.ids[:-1] if is_eos else sentence.ids),
            score=sentence.log_prob / length_penalty(float(len(sentence.ids)), sentence.options),
            log_prob=sentence.log_prob,
            finish_reason="eos" if is_eos else "length",
        )
        return [found]

    def keep(self, places: Sequence[int]) -> None:
        """Drop all sentences but these."""
        self._sentences = [self._sentences[place] for place in places]
        self.next_ids = self.next_ids[rows_of(places, 1, self.next_ids.device)]
