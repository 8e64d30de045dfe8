"""What the decoder remembers of the sentences in hand, in slots that others take over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from translator.search.rows import Array, round_up

STEPS_OF_ROOM = 8
"""Steps that room is made for at once, and a quarter of what there is."""

FEW_SENTENCES, PLACES_FOR_FEW = 4, 128
"""So few begin with so many places: making room would take longer than attending to all of them."""

BLOCK = 16
"""Places are attended to in multiples of this, the last of them hidden: that is much faster.

PyTorch computes products of fewer than 400 numbers in another way, with other rounding. With heads
of 25 numbers and more even one row by one block is larger, so that company changes no bit.
"""

LOWEST = torch.finfo(torch.float32).min
"""Added to the score of what must not be seen."""


@dataclass(frozen=True, slots=True)
class FloatMemory:
    """The encoded sources of B sentences.

    Attributes:
        lengths: B numbers of ids.
        keys_values: for each decoder layer the keys (B, H, K, S) and the values (B, H, S, K) of
            its cross-attention; S is the greatest length in whole blocks.
    """

    lengths: tuple[int, ...]
    keys_values: list[tuple[Tensor, Tensor]]

    @property
    def device(self) -> torch.device:
        """Where the tensors are."""
        return self.keys_values[0][0].device

    def padding_mask(self) -> Tensor | None:
        """Return what hides the padding; see `length_mask`."""
        return length_mask(self.lengths, self.keys_values[0][0].size(3), self.device)


def in_blocks(length: int) -> int:
    """Return the length rounded up to whole blocks."""
    return round_up(length, BLOCK)


def hide_the_rest(length: int, width: int, device: torch.device, lowest: float = LOWEST) -> Tensor:
    """Return (1, 1, 1, width) float, 0 before `length` and the lowest number from it on."""
    mask = torch.zeros(1, 1, 1, width, device=device)
    mask[:, :, :, length:] = lowest
    return mask


def length_mask(lengths: Sequence[int], width: int, device: torch.device) -> Tensor | None:
    """Return (B, 1, 1, width) float, 0 before each length and the lowest number from it on.

    None if all lengths are `width`.
    """
    if min(lengths, default=width) == width:
        return None
    ends = torch.tensor(lengths, device=device)[:, None]
    is_padding = torch.arange(width, device=device) >= ends
    mask = torch.zeros(is_padding.shape, device=device).masked_fill_(is_padding, LOWEST)
    return mask[:, None, None]


class FloatSlots:
    """Keys and values of N = B · beam rows, and the memory of their B sentences.

    The beams of a sentence write side by side into places that they share, and a mask tells which
    of these are the past of which beam. A beam that continues another takes over a row of the mask
    and copies no keys or values; what beams have in common is kept and read once.

    Who leaves is replaced by the last one, and few who join take free slots, so that no one else is
    moved. What a slot held before stays in it, finite and hidden. When there is no room, or many
    join, all is moved into new tensors without gaps: dense ones are read faster.

    Attributes:
        most_dead: see `running_batch.Slots`; the last sentences are moved when others leave.
        caches: one (2, B, H, capacity, K) a layer, keys and values, finite in all blocks begun.
        memory: of the B sentences, without needless padding.
        memory_mask: hides its padding; None if there is none.
        width: places written, the same for all sentences.
        positions: (B,) int64, ids each sentence's rows have been fed.
        longest: the highest of `positions`.
        mask: (B, beam, capacity) float, 0 where a row sees and the lowest number elsewhere; None if
            every row sees everything.
    """

    most_dead = 0.25

    def __init__(self, memory: FloatMemory, beam_size: int) -> None:
        """Begin with the sentences of `memory`, whose tensors are taken over; N = B · beam rows."""
        self.beam_size = beam_size
        self.width = self.longest = 0
        self.positions = torch.zeros(len(memory.lengths), dtype=torch.long, device=memory.device)
        at_least = PLACES_FOR_FEW if len(memory.lengths) <= FEW_SENTENCES else 0
        capacity = in_blocks(max(STEPS_OF_ROOM * beam_size, at_least))
        self._sources = memory.keys_values
        self._pasts = [
            value.new_empty(2, value.size(0), value.size(1), capacity, value.size(3))
            for _, value in memory.keys_values
        ]
        self.mask = None if beam_size == 1 else self._hidden(len(memory.lengths))
        self._look(memory.lengths)

    @property
    def num_sentences(self) -> int:
        """B."""
        return len(self.memory.lengths)

    def _look(self, lengths: Sequence[int]) -> None:
        """Let the public attributes show the slots in use, whose sources have these lengths."""
        batch, longest = len(lengths), in_blocks(max(lengths))
        self.caches = [past[:, :batch] for past in self._pasts]
        seen = [
            (keys[:batch, ..., :longest], vals[:batch, :, :longest]) for keys, vals in self._sources
        ]
        self.memory = FloatMemory(tuple(lengths), seen)
        self.memory_mask = self.memory.padding_mask()

    def make_room(self) -> None:
        """See to it that one more position can be written; clears away what no row sees."""
        if self.width + self.beam_size > self._pasts[0].size(3):
            self._rebuild(self.num_sentences, 0)
            self._look(self.memory.lengths)
        begun, end = in_blocks(self.width), in_blocks(self.width + self.beam_size)
        if end > begun:
            for cache in self.caches:
                cache[:, :, :, begun:end] = 0

    def _rebuild(self, sentences: int, source_ids: int) -> None:
        """Move all that is seen into tensors with room for so many sentences and source ids."""
        batch, order = self.num_sentences, self._seen_places()
        width = order.size(1)
        capacity = in_blocks(width + width // 4 + STEPS_OF_ROOM * self.beam_size)
        slots = max(sentences, min(self._pasts[0].size(1), 2 * sentences))
        self._pasts = [_rebuilt(past, order, slots, capacity) for past in self._pasts]
        longest = in_blocks(max(source_ids, *self.memory.lengths))
        self._sources = [
            (_resized(keys, batch, slots, 3, longest), _resized(values, batch, slots, 2, longest))
            for keys, values in self._sources
        ]
        if self.mask is not None:
            mask, order = self._hidden(batch), order[:, None].expand(-1, self.beam_size, -1)
            mask[:, :, :width] = self.mask.gather(2, order)
            needs_none = self.beam_size == 1 and not mask[..., :width].any()
            self.mask = None if needs_none else mask
        self.width = width

    def move_on(self) -> None:
        """Note that all rows have written one more position."""
        self.width += self.beam_size
        self.longest += 1
        self.positions.add_(1)

    def reorder(self, parents: Array) -> None:
        """Let beams continue others: parents are (B, K) int64."""
        if self.mask is not None and (parents != np.arange(self.beam_size)).any():
            rows = parents + self.beam_size * np.arange(len(parents))[:, None]
            chosen = torch.from_numpy(rows.reshape(-1)).to(self.mask.device)
            self.mask = self.mask.flatten(0, 1).index_select(0, chosen).view(self.mask.shape)

    def keep(self, places: Sequence[int]) -> None:
        """Let all sentences leave but those at `places`, one or more, which take the first slots.

        Only those are copied whose slot changes: best let the last ones fill the gaps. None may
        take a slot behind its own.
        """
        for slot, place in enumerate(places):
            assert slot <= place
            if slot < place:
                for past in self._pasts:
                    past[:, slot, :, : self.width] = past[:, place, :, : self.width]
                for pool in (pool for both in self._sources for pool in both):
                    pool[slot] = pool[place]
        kept = torch.tensor(places, dtype=torch.long, device=self.positions.device)
        self.positions = self.positions.index_select(0, kept)
        self.longest = int(self.positions.max())
        if self.mask is not None:
            self.mask = self.mask.index_select(0, kept)
        self._look([self.memory.lengths[place] for place in places])

    def join(self, newcomers: FloatMemory) -> None:
        """Let sentences begin, behind those that are there."""
        batch = self.num_sentences
        together, longest = batch + len(newcomers.lengths), newcomers.keys_values[0][0].size(3)
        slots, room = self._pasts[0].size(1), self._sources[0][0].size(3)
        if together > slots or longest > room or len(newcomers.lengths) > batch / 4:
            self._rebuild(together, longest)  # many are worth the moving of all
        for (keys, values), (new_keys, new_values) in zip(
            self._sources, newcomers.keys_values, strict=True
        ):
            keys[batch:together, ..., :longest] = new_keys
            values[batch:together, :, :longest] = new_values
        for past in self._pasts:
            past[:, batch:together, :, : in_blocks(self.width)] = 0
        if self.mask is None and self.width:
            self.mask = self._hidden(batch)
            self.mask[:, :, : self.width] = 0
        if self.mask is not None:
            self.mask = torch.cat([self.mask, self._hidden(len(newcomers.lengths))])
        self.positions = functional.pad(self.positions, (0, len(newcomers.lengths)))
        self._look(self.memory.lengths + newcomers.lengths)

    def _hidden(self, num_sentences: int) -> Tensor:
        shape = num_sentences, self.beam_size, self._pasts[0].size(3)
        return torch.full(shape, LOWEST, device=self.positions.device)

    def _seen_places(self) -> Tensor:
        """Return (B, C) int64, the places that rows of each sentence see, then others up to C."""
        if self.mask is None:
            places = torch.arange(self.width, device=self.positions.device)
            return places.expand(self.num_sentences, -1)
        is_seen = (self.mask[:, :, : self.width] == 0).any(dim=1)
        most = int(is_seen.sum(dim=1).max())
        return is_seen.logical_not_().byte().argsort(dim=1, stable=True)[:, :most]


def _rebuilt(past: Tensor, order: Tensor, slots: int, capacity: int) -> Tensor:
    """Return a cache (2, slots, H, capacity, K) with the places `order` (B, C) of another."""
    _, _, heads, old_capacity, d_k = past.shape
    batch, width = order.shape
    firsts = torch.arange(0, batch * heads * old_capacity, old_capacity, device=order.device)
    rows = firsts.view(batch, heads, 1) + order[:, None]
    found = past.view(2, -1, d_k).index_select(1, rows.flatten())
    rebuilt = past.new_empty(2, slots, heads, capacity, d_k)
    rebuilt[:, :batch, :, :width] = found.view(2, batch, heads, width, d_k)
    rebuilt[:, :batch, :, width : in_blocks(width)] = 0  # hidden, but must be finite
    return rebuilt


def _resized(pool: Tensor, batch: int, slots: int, dim: int, width: int) -> Tensor:
    """Return the first sentences of (·, …) in (slots, …), of other width in one dimension."""
    shape = list(pool.shape)
    shape[0], shape[dim] = slots, width
    found, kept = pool.new_zeros(shape), min(width, pool.size(dim))
    found.narrow(dim, 0, kept)[:batch] = pool.narrow(dim, 0, kept)[:batch]
    return found
