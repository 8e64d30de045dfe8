"""What the decoder remembers of the sentences in hand, in slots that others take over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from translator.batch import round_up

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
class Memory:
    """The encoded sources of B sentences.

    Attributes:
        lengths: B numbers of ids.
        keys_values: for each decoder layer the keys (B, H, K, S) and the values (B, H, S, K) of
            its cross-attention; S is the greatest length in whole blocks.
    """

    lengths: tuple[int, ...]
    keys_values: list[tuple[Tensor, Tensor]]

    def select(self, places: Sequence[int]) -> Memory:
        """Return the sentences at `places`, in that order, without needless padding."""
        lengths = tuple(self.lengths[place] for place in places)
        longest = in_blocks(max(lengths, default=0))
        chosen = torch.tensor(places, dtype=torch.long, device=self.device)
        kept = [
            (
                key[..., :longest].index_select(0, chosen),
                value[:, :, :longest].index_select(0, chosen),
            )
            for key, value in self.keys_values
        ]
        return Memory(lengths, kept)

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


def join(first: Memory, second: Memory) -> Memory:
    """Return the sentences of `first` and then those of `second`."""
    if not first.lengths:
        return second
    longest = in_blocks(max(first.lengths + second.lengths))
    batch, joined = len(first.lengths), []
    for (key, value), (new_key, new_value) in zip(
        first.keys_values, second.keys_values, strict=True
    ):
        num_sentences, num_heads = batch + len(second.lengths), key.size(1)
        keys = key.new_zeros(num_sentences, num_heads, key.size(2), longest)
        values = value.new_zeros(num_sentences, num_heads, longest, value.size(3))
        keys[:batch, ..., : key.size(3)], keys[batch:, ..., : new_key.size(3)] = key, new_key
        values[:batch, :, : value.size(2)], values[batch:, :, : new_value.size(2)] = (
            value,
            new_value,
        )
        joined.append((keys, values))
    return Memory(first.lengths + second.lengths, joined)


class Slots:
    """Keys and values of N = B · beam rows, and the memory of their B sentences.

    The beams of a sentence write side by side into places that they share, and a mask tells which
    of these are the past of which beam. A beam that continues another takes over a row of the mask
    and copies no keys or values; what beams have in common is kept and read once.

    Attributes:
        caches: one (2, B, H, capacity, K) a layer, keys and values, finite throughout.
        width: places written, the same for all sentences.
        positions: (B,) int64, ids each sentence's rows have been fed.
        longest: the highest of `positions`.
        mask: (B, beam, capacity) float, 0 where a row sees and the lowest number elsewhere; None
            if every row sees everything.
    """

    def __init__(self, memory: Memory, beam_size: int) -> None:
        """Make room for the first steps of the sentences of `memory`, `beam_size` rows each."""
        self.memory, self.beam_size = memory, beam_size
        self.width = self.longest = 0
        self.positions = torch.zeros(len(memory.lengths), dtype=torch.long, device=memory.device)
        at_least = PLACES_FOR_FEW if len(memory.lengths) <= FEW_SENTENCES else 0
        capacity = in_blocks(max(STEPS_OF_ROOM * beam_size, at_least))
        self.caches = [
            value.new_zeros(2, value.size(0), value.size(1), capacity, value.size(3))
            for _, value in memory.keys_values
        ]
        self.mask = None if beam_size == 1 else self._hidden(len(memory.lengths), capacity)
        self.memory_mask = memory.padding_mask()

    @property
    def num_sentences(self) -> int:
        """B."""
        return len(self.memory.lengths)

    def make_room(self) -> None:
        """See to it that one more position can be written; clears away what no row sees."""
        if self.width + self.beam_size > self.caches[0].size(3):
            self.rebuild(range(self.num_sentences))

    def move_on(self) -> None:
        """Note that all rows have written one more position."""
        self.width += self.beam_size
        self.longest += 1
        self.positions.add_(1)

    def reorder(self, rows: Tensor) -> None:
        """Let every row continue another of its sentence: `rows` (N,) int64, old row numbers."""
        if self.mask is not None:
            self.mask = self.mask.flatten(0, 1).index_select(0, rows).view(self.mask.shape)

    def rebuild(self, keep: Sequence[int], newcomers: Memory | None = None) -> None:
        """Drop the sentences that are not in `keep`, and let others join.

        Args:
            keep: places of the sentences that stay, in their new order.
            newcomers: sentences that begin now; they get the places behind.
        """
        kept = torch.tensor(keep, dtype=torch.long, device=self.memory.device)
        num_new = len(newcomers.lengths) if newcomers else 0
        order = self._seen_places(kept)
        width = order.size(1)
        capacity = in_blocks(width + width // 4 + STEPS_OF_ROOM * self.beam_size)
        self.mask = self._rebuilt_mask(kept, order, num_new, capacity)
        self.caches = [_rebuilt(cache, kept, order, num_new, capacity) for cache in self.caches]
        self.positions = functional.pad(self.positions.index_select(0, kept), (0, num_new))
        self.longest = int(self.positions.max()) if self.positions.numel() else 0
        self.width = width
        if list(keep) != list(range(self.num_sentences)):
            self.memory = self.memory.select(keep)
        if newcomers:
            self.memory = join(self.memory, newcomers)
        self.memory_mask = self.memory.padding_mask()

    def _hidden(self, num_sentences: int, capacity: int) -> Tensor:
        shape = num_sentences, self.beam_size, capacity
        return torch.full(shape, LOWEST, device=self.memory.device)

    def _seen_places(self, kept: Tensor) -> Tensor:
        """Return (B', C) int64, the places that rows of each sentence see, then others up to C."""
        if self.mask is None:
            width = self.width if len(kept) else 0
            return torch.arange(width, device=kept.device).expand(len(kept), -1)
        is_seen = (self.mask[:, :, : self.width].index_select(0, kept) == 0).any(dim=1)
        most = int(is_seen.sum(dim=1).max()) if len(kept) else 0
        return is_seen.logical_not_().byte().argsort(dim=1, stable=True)[:, :most]

    def _rebuilt_mask(
        self, kept: Tensor, order: Tensor, num_new: int, capacity: int
    ) -> Tensor | None:
        if self.mask is None and (not num_new or not order.numel()):
            return None
        width, mask = order.size(1), self._hidden(len(kept) + num_new, capacity)
        if self.mask is None:
            mask[: len(kept), :, :width] = 0
        else:
            mask[: len(kept), :, :width] = self.mask.index_select(0, kept).gather(
                2, order[:, None].expand(-1, self.beam_size, -1)
            )
        needs_none = self.beam_size == 1 and not mask[..., :width].any()
        return None if needs_none else mask


def _rebuilt(cache: Tensor, kept: Tensor, order: Tensor, num_new: int, capacity: int) -> Tensor:
    """Return a cache (2, B' + new, H, capacity, K) with the places `order` (B', C) of `kept`."""
    _, _, heads, old_capacity, d_k = cache.shape
    batch, width = order.shape
    firsts = kept[:, None] * heads + torch.arange(heads, device=kept.device)  # (B', H)
    rows = firsts[:, :, None] * old_capacity + order[:, None]
    found = cache.view(2, -1, d_k).index_select(1, rows.flatten())
    new = cache.new_empty(2, batch + num_new, heads, capacity, d_k)
    new[:, :batch, :, :width] = found.view(2, batch, heads, width, d_k)
    new[:, :batch, :, width:] = 0  # hidden, but must be finite
    new[:, batch:] = 0
    return new


def rows_of(places: Sequence[int], beam_size: int, device: torch.device | str = "cpu") -> Tensor:
    """Return (n · beam,) int64, the rows of the sentences at n places."""
    first_rows = torch.tensor(places, dtype=torch.long, device=device)[:, None] * beam_size
    return (first_rows + torch.arange(beam_size, device=device)).flatten()
