"""Where beam search stands, and what one step of it decided."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from translator.config import DecodingOptions
from translator.decoding.hypothesis import Hypothesis


@dataclass(frozen=True, kw_only=True, slots=True)
class BeamState:
    """Where the search stands, for B sentences of K beams each; never changed in place.

    Sentences may have come different distances and have different options (but one beam size).

    Attributes:
        eos_id: id that ends a sentence.
        sentence_indices: B numbers by which the caller knows the sentences; survive compaction.
        options: B options.
        log_probs: (B, K) float32, sum over each live beam, best first; -inf for a dead beam.
        tokens: (B, K, t) int64, ids of each live beam, right-aligned.
        lengths: (B,) int64, ids in each live beam: the last so many of `tokens`.
        max_lengths: (B,) int64, most ids a sentence may have, EOS included.
        limit_penalties: (B,) float32, length penalty at `max_lengths`.
        thresholds: (B,) float32, score that a beam must be able to exceed to be worth continuing:
            -inf until `num_hypotheses` are finished.
        bars: (B,) float32, best score once K hypotheses are finished; -inf until then.
        exponents: (B,) float32, of the length penalty; 0 for `none`.
        is_gnmt: (B,) bool, whether it is the `gnmt` one.
        finished: B tuples of hypotheses, in the order they finished.
    """

    eos_id: int
    sentence_indices: tuple[int, ...]
    options: tuple[DecodingOptions, ...]
    log_probs: Tensor
    tokens: Tensor
    lengths: Tensor
    max_lengths: Tensor
    limit_penalties: Tensor
    thresholds: Tensor
    bars: Tensor
    exponents: Tensor
    is_gnmt: Tensor
    finished: tuple[tuple[Hypothesis, ...], ...]

    @property
    def beam_size(self) -> int:
        """K."""
        return self.log_probs.size(1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """What one step of search decided.

    Attributes:
        state: the state after it.
        next_ids: (B, K) int64, id to feed for each beam; EOS for a dead beam.
        parent_beams: (B, K) int64, which beam of its sentence each beam continues.
        done: (B,) bool, whether a sentence's `results` are final; it may stay, with dead beams.
    """

    state: BeamState
    next_ids: Tensor
    parent_beams: Tensor
    done: Tensor

    @property
    def parent_rows(self) -> Tensor:
        """`parent_beams` as rows (N,) of a batch of N = B · K, to reorder a cache by."""
        num_sentences, beam_size = self.parent_beams.shape
        first_rows = torch.arange(num_sentences, device=self.parent_beams.device) * beam_size
        return (self.parent_beams + first_rows[:, None]).flatten()
