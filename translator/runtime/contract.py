"""What every runtime can do, whatever the number format and the machine: two protocols.

A `Runtime` is a model made ready to translate. It makes `BatchState`s: the sentences that are being
decoded together, which come and go between steps. A batch numbers its sentences by slots, from 0 on
and without gaps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol, Self

from translator.config import DecodingOptions, ModelConfig
from translator.search.beam import BeamSearch
from translator.search.hypothesis import Hypothesis
from translator.search.rows import Array

IdPair = tuple[Sequence[int], Sequence[int]]
"""A source and its translation: S ids that the encoder reads, and T that the decoder is given."""


class ForcedScores(NamedTuple):
    """What the model says of a pair."""

    weights: Array  # (T, S) float32, the last layer's cross-attention, the mean of its heads
    # (T - 1,) float32 of each piece behind the first, in nats, if they were asked for
    log_probs: Array | None = None


ForcedScorer = Callable[[Sequence[IdPair], bool], list[ForcedScores]]
"""Scores pairs, with or without log-probabilities; of one thread at a time."""


class Runtime(Protocol):
    """A model made ready to translate; of one thread only, others get its `replicas`."""

    @property
    def config(self) -> ModelConfig:
        """Return the model's."""

    @property
    def max_target_ids(self) -> int:
        """Return how many ids the decoder can read, those that it starts with included."""

    @property
    def num_bytes(self) -> int:
        """Return the memory of its weights, which replicas share."""

    def replicas(self, count: int) -> list[Self]:
        """Return this and others with the same weights, for so many threads."""

    def forced_scorer(self) -> ForcedScorer | None:
        """Return what scores pairs with these weights, if it is faster than the reference."""

    def warm_up(self) -> None:
        """Do what the first translation would have to wait for, such as compiling."""

    def at_work(self, threads: int | None) -> AbstractContextManager[object]:
        """Return what the thread that runs this is within, to work with so many CPU threads."""

    def batch(self, beam_size: int, bos_id: int, eos_id: int) -> BatchState:
        """Return a batch without sentences; each that is admitted will have K beams."""


class BatchState(Protocol):
    """The sentences of one beam size that are decoded together, and the search for each.

    Beyond a share `most_dead` of sentences that no one wants any more, it is faster to retire them.
    """

    @property
    def most_dead(self) -> float:
        """See above."""

    def admit(
        self,
        sources: Sequence[Sequence[int]],
        limits: Sequence[int],
        options: Sequence[DecodingOptions],
        starts: Sequence[Sequence[int]],
    ) -> None:
        """Read sources, and let these sentences begin, in the slots behind those that are taken.

        Sources come best in order of length. Limits are the most ids that each translation may
        have, EOS included, and starts what the model is fed before the search begins to choose; BOS
        if empty.
        """

    def step(self, turn_rows: int, waits: bool) -> list[int]:
        """Take a step, or several where that is faster; return the slots of what is done.

        As many rows as `turn_rows` may be computed, or one step. If it `waits`, sentences that are
        done wait for the others.
        """

    def results(self, slot: int) -> list[Hypothesis]:
        """Return what was found for a sentence of which `step` has just said that it is done.

        See `BeamSearch.results`.
        """

    def retire_all_but(self, slots: Sequence[int]) -> None:
        """Let all sentences leave but those in `slots`, which take the first slots in that order.

        None may take a slot behind its own.
        """


class SearchedBatch(ABC):
    """A `BatchState` whose search is that of `translator/search`.

    A subclass remembers of each sentence what its model needs, and takes steps.
    """

    most_dead = 0.0

    def __init__(self, beam_size: int, bos_id: int, eos_id: int) -> None:
        self.beam_size, self.search = beam_size, BeamSearch(beam_size, bos_id, eos_id)

    @abstractmethod
    def _read(self, sources: Sequence[Sequence[int]]) -> None:
        """Encode sources, and remember them behind those that are there."""

    @abstractmethod
    def _keep(self, slots: Sequence[int]) -> None:
        """Forget all sentences but these; with as little memory as at first if there are none."""

    def admit(
        self,
        sources: Sequence[Sequence[int]],
        limits: Sequence[int],
        options: Sequence[DecodingOptions],
        starts: Sequence[Sequence[int]],
    ) -> None:
        """Let sentences begin; see `BatchState`."""
        self._read(sources)
        self.search.add(limits, options, starts)

    def results(self, slot: int) -> list[Hypothesis]:
        """Return what was found; see `BatchState`."""
        return self.search.results(slot)

    def retire_all_but(self, slots: Sequence[int]) -> None:
        """Let others leave; see `BatchState`."""
        self.search.keep(slots)
        self._keep(slots)
