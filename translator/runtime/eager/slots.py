"""What the decoder of `model.py` remembers of the sentences in hand.

Letters: B sentences of K beams, N = B · K rows, H heads of d numbers, S places of a source, T
positions of a past.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from translator.search.rows import Array

ROOM_STEP = 32
"""Positions that room is made for at once."""


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """The encoded sources of B sentences.

    Attributes:
        keys_values: for each decoder layer the keys and values (B, S, 2, H, d).
        mask: (B, 1, 1, S) bool, True = attend.
        allowed: (B, V) bool, which ids may be produced; (B, 0) if all may.
    """

    keys_values: list[Tensor]
    mask: Tensor
    allowed: Tensor

    def __len__(self) -> int:
        """Return B."""
        return len(self.mask)


class EagerSlots:
    """Keys and values of N rows, each of which has a past of its own, and of their sources.

    Rows of a recurrent decoder have a state of D numbers a layer instead of a past.

    Attributes:
        most_dead: see `contract.Slots`; the last sentences are moved when others leave.
        beam_size: K.
        memory: of the sources.
        positions: (N,) int64, how many each row has written.
    """

    most_dead = 0.25

    def __init__(self, memory: SourceMemory, beam_size: int, state_width: int = 0) -> None:
        """Begin with the sentences of `memory`; `state_width` is D of a recurrent decoder, or 0."""
        self.beam_size, self.memory, self._has_states = beam_size, memory, state_width > 0
        self.positions = torch.zeros(0, dtype=torch.long, device=memory.mask.device)
        self._pasts: list[Tensor] = []  # (N, T, 2, H, d) of each layer, or states (N, D)
        for one in memory.keys_values:
            shape = (0, state_width) if state_width else (0, ROOM_STEP, *one.shape[2:])
            self._pasts.append(one.new_zeros(shape, dtype=torch.float32 if state_width else None))
        self._add_rows(len(memory))

    def _add_rows(self, num_sentences: int) -> None:
        count = num_sentences * self.beam_size
        self.positions = F.pad(self.positions, (0, count))
        self._pasts = [
            torch.cat([past, past.new_zeros(count, *past.shape[1:])]) for past in self._pasts
        ]

    def join(self, memory: SourceMemory) -> None:
        """Let sentences begin, behind those that are there."""
        width = max(one.mask.size(3) for one in (self.memory, memory))
        both = [_widened(one, width) for one in (self.memory, memory)]
        self.memory = SourceMemory(
            [torch.cat(own) for own in zip(*(one.keys_values for one in both), strict=True)],
            torch.cat([one.mask for one in both]),
            torch.cat([one.allowed for one in both]),
        )
        self._add_rows(len(memory))

    def keep(self, places: Sequence[int]) -> None:
        """Let all sentences leave but those at `places`."""
        kept = torch.tensor(places, device=self.positions.device)
        mask = self.memory.mask[kept]
        width = int(mask.sum(3).max())
        self.memory = SourceMemory(
            [one[kept, :width] for one in self.memory.keys_values],
            mask[..., :width],
            self.memory.allowed[kept],
        )
        beams = torch.arange(self.beam_size, device=kept.device)
        self._choose((kept[:, None] * self.beam_size + beams).flatten())

    def reorder(self, parents: Array) -> None:
        """Let beams continue others: parents are (B, K) int64."""
        chosen = torch.from_numpy(parents).to(self.positions.device)
        firsts = torch.arange(0, len(self.positions), self.beam_size, device=chosen.device)
        self._choose((firsts[:, None] + chosen).flatten())

    def _choose(self, rows: Tensor) -> None:
        self.positions = self.positions[rows]
        self._pasts = [past[rows] for past in self._pasts]

    def make_room(self) -> None:
        """See to it that one more position can be written."""
        if not self._has_states and int(self.positions.max()) >= self._pasts[0].size(1):
            self._pasts = [_lengthened(past, ROOM_STEP) for past in self._pasts]

    def past_mask(self) -> Tensor:
        """Return (N, 1, 1, T) bool, True where a row attends to its past and to itself."""
        steps = torch.arange(self._pasts[0].size(1), device=self.positions.device)
        return (steps <= self.positions[:, None])[:, None, None]

    def write(self, layer: int, keys_values: Tensor) -> Tensor:
        """Write keys and values (N, 2, H, d) of the next position; return those of all."""
        past = self._pasts[layer]
        past[torch.arange(len(past), device=past.device), self.positions] = keys_values
        return past

    def state(self, layer: int) -> Tensor:
        """Return the states (N, D) of a layer of a recurrent decoder."""
        return self._pasts[layer]

    def set_state(self, layer: int, state: Tensor) -> None:
        """Remember the next states (N, D) of a layer."""
        self._pasts[layer] = state

    def move_on(self) -> None:
        """Note that every row has written one more position."""
        self.positions = self.positions + 1


def _widened(memory: SourceMemory, width: int) -> SourceMemory:
    """Return sources with room for so many places."""
    more = width - memory.mask.size(3)
    keys_values = [_lengthened(one, more) for one in memory.keys_values]
    return SourceMemory(keys_values, F.pad(memory.mask, (0, more)), memory.allowed)


def _lengthened(keys_values: Tensor, count: int) -> Tensor:
    """Return keys and values (N, T, 2, H, d) with so many more positions."""
    return F.pad(keys_values, (0, 0, 0, 0, 0, 0, 0, count))
