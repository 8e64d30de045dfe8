"""The sentences being decoded together; newcomers join between steps, finished ones leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from translator.config import DecodingOptions
from translator.runtime.contract import Runtime
from translator.search.hypothesis import Hypothesis
from translator.tokens.port import SpecialIds

Key = TypeVar("Key")

ALL_ROWS = 1 << 40
"""More than there ever are: a turn that ends when all sentences are done."""


class RunningBatch(Generic[Key]):
    """Decodes sentences of one beam size, whose keys are the caller's business."""

    def __init__(self, model: Runtime, beam_size: int, special_ids: SpecialIds) -> None:
        self._max_target_ids = model.max_target_ids
        self._state = model.batch(beam_size, special_ids.bos_id, special_ids.eos_id)
        self._keys: list[Key | None] = []  # None: the sentence has left, its slot is dead

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def keys(self) -> list[Key]:
        """Keys of the sentences being decoded."""
        return [key for key in self._keys if key is not None]

    def admit(
        self,
        keys: Sequence[Key],
        sources: Sequence[Sequence[int]],
        options: Sequence[DecodingOptions],
        starts: Sequence[Sequence[int]] | None = None,
    ) -> None:
        """Read sources, and let these sentences join; clears dead slots away.

        Keys are names of the caller's; for starts see `BeamSearch.add`.
        """
        order = sorted(range(len(keys)), key=lambda number: -len(sources[number]))
        keys, options = [keys[number] for number in order], [options[number] for number in order]
        sources = [sources[number] for number in order]  # read in portions of like lengths
        starts = [starts[number] for number in order] if starts else [()] * len(keys)
        limits = [
            min(
                sentence_options.max_length(len(ids)), self._max_target_ids - max(len(start) - 1, 0)
            )
            for sentence_options, ids, start in zip(options, sources, starts, strict=True)
        ]
        self._clear()
        self._state.admit(sources, limits, options, starts)
        self._keys += keys

    def drop(self, key: Key) -> None:
        """Give up a sentence."""
        self._keys[self._keys.index(key)] = None

    def _clear(self) -> None:
        """Retire dead slots; the last sentences fill the gaps."""
        num_alive = len(self)
        if num_alive == len(self._keys):
            return
        last = [slot for slot in range(num_alive, len(self._keys)) if self._keys[slot] is not None]
        slots = [slot if self._keys[slot] is not None else last.pop() for slot in range(num_alive)]
        self._state.retire_all_but(slots)
        self._keys = [self._keys[slot] for slot in slots]

    def step(self, turn_rows: int = 0, waits: bool = False) -> list[tuple[Key, list[Hypothesis]]]:
        """Take a step, or several, see `BatchState.step`; return those done, which leave."""
        if not self._keys:
            return []
        finished = []
        for slot in self._state.step(turn_rows, waits):
            key = self._keys[slot]
            if key is not None:
                finished.append((key, self._state.results(slot)))
                self._keys[slot] = None
        if len(self) < (1 - self._state.most_dead) * len(self._keys):
            self._clear()
        return finished


def decode_batch(
    model: Runtime,
    sources: Sequence[Sequence[int]],
    options: DecodingOptions,
    special_ids: SpecialIds,
    starts: Sequence[Sequence[int]] | None = None,
) -> list[list[Hypothesis]]:
    """Translate B id sequences (tag, pieces, EOS) together; return B lists, best first."""
    batch = RunningBatch[int](model, options.beam_size, special_ids)
    batch.admit(range(len(sources)), sources, [options] * len(sources), starts)
    answers: dict[int, list[Hypothesis]] = {}
    while len(batch):
        answers |= dict(batch.step(turn_rows=ALL_ROWS, waits=True))
    return [answers[number] for number in range(len(sources))]
