"""Sentences in hand where `translator/search` searches, and a runtime takes the steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from translator.config import DecodingOptions
from translator.runtime.contract import SlotRuntime
from translator.search.beam import BeamSearch
from translator.search.hypothesis import Hypothesis


class SlotsHand:
    """A `BeamSearch` and the slots of a runtime, side by side; see `contract.Hand`."""

    def __init__(self, runtime: SlotRuntime, beam_size: int, bos_id: int, eos_id: int) -> None:
        """Begin with no sentences."""
        self._runtime, self._beam_size = runtime, beam_size
        self._search = BeamSearch(beam_size, bos_id, eos_id)
        self._slots: Any = None

    @property
    def most_dead(self) -> float:
        """Return that of the slots."""
        return 0.0 if self._slots is None else float(self._slots.most_dead)

    def join(
        self,
        sources: Sequence[Sequence[int]],
        limits: Sequence[int],
        options: Sequence[DecodingOptions],
        starts: Sequence[Sequence[int]],
    ) -> None:
        """Let sentences begin; see `contract.Hand`."""
        memory = self._runtime.encode(sources)
        if self._slots is None:
            self._slots = self._runtime.slots(memory, self._beam_size)
        else:
            self._slots.join(memory)
        self._search.add(limits, options, starts)

    def keep(self, places: Sequence[int]) -> None:
        """Let others leave; see `contract.Hand`."""
        self._search.keep(places)
        if self._slots is not None and places:
            self._slots.keep(places)
        else:
            self._slots = None

    def advance(self, turn_rows: int, waits: bool) -> list[int]:
        """Take steps; see `contract.Hand`."""
        if self._slots is None:
            return []
        return self._runtime.advance(self._search, self._slots, turn_rows, waits)

    def results(self, place: int) -> list[Hypothesis]:
        """Return what was found; see `contract.Hand`."""
        return self._search.results(place)
