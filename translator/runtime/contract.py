"""What every runtime can do: one contract, whatever the number format and the machine."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from translator.config import DecodingOptions, ModelConfig
from translator.search.beam import BeamSearch
from translator.search.hypothesis import Hypothesis
from translator.search.rows import Array

Memory = TypeVar("Memory")
"""What a runtime has read of sources."""

NewMemory = TypeVar("NewMemory", contravariant=True)


class Slots(Protocol[NewMemory]):
    """What a runtime remembers of the sentences in hand, a slot for each.

    Attributes:
        most_dead: share of slots of sentences that have left; beyond it, they are cleared away.
    """

    @property
    def most_dead(self) -> float:
        """See above."""
        ...

    def join(self, memory: NewMemory) -> None:
        """Let sentences that have been encoded begin, behind those that are there."""
        ...

    def keep(self, places: Sequence[int]) -> None:
        """Let all sentences leave but those at `places`, which take the first slots in that order.

        None may take a slot behind its own.
        """
        ...


IdPair = tuple[Sequence[int], Sequence[int]]
"""A source and its translation: S ids that the encoder reads, and T that the decoder is given."""


class Reading(NamedTuple):
    """What the model says of a pair.

    Attributes:
        weights: (T, S) float32, the last layer's cross-attention, the mean of its heads.
        log_probs: (T - 1,) float32 of each piece behind the first, in nats, if they were asked for.
    """

    weights: Array
    log_probs: Array | None = None


class SecondPass(Protocol):
    """What reads translations that are known once more; of one thread at a time."""

    def read(self, pairs: Sequence[IdPair], has_log_probs: bool) -> list[Reading]:
        """Read pairs.

        Args:
            pairs: of source and translation.
            has_log_probs: whether to tell how probable each piece is.
        """
        ...


class Hand(Protocol):
    """The sentences of one beam size that a runtime has in hand, and the search for each.

    Attributes:
        most_dead: see `Slots`.
    """

    @property
    def most_dead(self) -> float:
        """See above."""
        ...

    def join(
        self,
        sources: Sequence[Sequence[int]],
        limits: Sequence[int],
        options: Sequence[DecodingOptions],
        starts: Sequence[Sequence[int]],
    ) -> None:
        """Read sources, and let these sentences begin, behind those that are there.

        Args:
            sources: n id sequences, best in order of length.
            limits: the most ids that each translation may have, EOS included.
            options: of each.
            starts: what the model is fed of each before the search begins to choose; BOS if empty.
        """
        ...

    def keep(self, places: Sequence[int]) -> None:
        """Let all leave but those at `places`, which take the first places in that order.

        None may take a place behind its own.
        """
        ...

    def advance(self, turn_rows: int, waits: bool) -> list[int]:
        """Take a step with all sentences, or several where that is faster.

        Args:
            turn_rows: rows that may be computed, or one step.
            waits: whether sentences that are done wait for the others.

        Returns:
            the places of those that are done.
        """
        ...

    def results(self, place: int) -> list[Hypothesis]:
        """Return what was found for a sentence of which `advance` has just said that it is done.

        See `BeamSearch.results`.
        """
        ...


class Runtime(Protocol):
    """A model made ready to translate; of one thread only, others get its `twins`."""

    @property
    def config(self) -> ModelConfig:
        """Return the model's."""
        ...

    @property
    def max_target_ids(self) -> int:
        """Return how many ids the decoder can read, those that it starts with included."""
        ...

    @property
    def num_bytes(self) -> int:
        """Return the memory of its weights, which twins share."""
        ...

    def twins(self, count: int) -> list[Self]:
        """Return this and others with the same weights, for so many threads."""
        ...

    def second_pass(self) -> SecondPass | None:
        """Return what reads pairs with these weights, if it is faster than the reference."""
        ...

    def warm_up(self) -> None:
        """Do what the first translation would have to wait for, such as compiling."""
        ...

    def at_work(self, threads: int | None) -> AbstractContextManager[object]:
        """Return what the thread that runs this is within.

        Args:
            threads: of the CPU, for its work; as many as are usual if None.
        """
        ...

    def hand(self, beam_size: int, bos_id: int, eos_id: int) -> Hand:
        """Return a hand without sentences; each that joins will have K beams."""
        ...


OwnSlots = TypeVar("OwnSlots", bound=Slots[Any])


class SlotRuntime(Runtime, Protocol[Memory, OwnSlots]):
    """A runtime that takes the steps, and leaves the search to `translator/search`."""

    def encode(self, sources: Sequence[Sequence[int]]) -> Memory:
        """Read B id sequences, best in order of length; return what slots take."""
        ...

    def slots(self, memory: Memory, beam_size: int) -> OwnSlots:
        """Return slots for sentences that have been encoded, with so many beams each."""
        ...

    def step(
        self, ids: Array, slots: OwnSlots, count: int = 1, beam_log_probs: Array | None = None
    ) -> tuple[Array, Array, Array]:
        """Feed one id to every beam.

        Args:
            ids: (B, K) int64, what each of K beams of B sentences produced last.
            slots: where the beams stand; moved on by one position.
            count: C, how many of the best continuations of each sentence are wanted.
            beam_log_probs: (B, K) in nats, of what each beam has produced so far; 0 if None.

        Returns:
            log-probabilities in nats of beams and ids together, float32, ids, and which of the
            sentence's beams each continues, int64: (B, C), best first.
        """
        ...

    def advance(
        self, search: BeamSearch, slots: OwnSlots, turn_rows: int, waits: bool
    ) -> list[int]:
        """Take a step with all sentences, or several where that is faster.

        Args:
            search: of the sentences.
            slots: of theirs.
            turn_rows: rows that may be computed, or one step.
            waits: whether sentences that are done wait for the others.

        Returns:
            the places of those that are done.
        """
        ...


class SlotsHand(Generic[Memory, OwnSlots]):
    """A `BeamSearch` and the slots of a runtime, side by side; see `Hand`."""

    def __init__(
        self, runtime: SlotRuntime[Memory, OwnSlots], beam_size: int, bos_id: int, eos_id: int
    ) -> None:
        """Begin with no sentences."""
        self._runtime, self._beam_size = runtime, beam_size
        self._search = BeamSearch(beam_size, bos_id, eos_id)
        self._slots: OwnSlots | None = None

    @property
    def most_dead(self) -> float:
        """Return that of the slots."""
        return 0.0 if self._slots is None else self._slots.most_dead

    def join(
        self,
        sources: Sequence[Sequence[int]],
        limits: Sequence[int],
        options: Sequence[DecodingOptions],
        starts: Sequence[Sequence[int]],
    ) -> None:
        """Let sentences begin; see `Hand`."""
        memory = self._runtime.encode(sources)
        if self._slots is None:
            self._slots = self._runtime.slots(memory, self._beam_size)
        else:
            self._slots.join(memory)
        self._search.add(limits, options, starts)

    def keep(self, places: Sequence[int]) -> None:
        """Let others leave; see `Hand`."""
        self._search.keep(places)
        if self._slots is not None and places:
            self._slots.keep(places)
        else:
            self._slots = None

    def advance(self, turn_rows: int, waits: bool) -> list[int]:
        """Take steps; see `Hand`."""
        if self._slots is None:
            return []
        return self._runtime.advance(self._search, self._slots, turn_rows, waits)

    def results(self, place: int) -> list[Hypothesis]:
        """Return what was found; see `Hand`."""
        return self._search.results(place)
