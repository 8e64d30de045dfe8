"""What the decoder remembers of the sentences in hand, in slots that others take over.

All rows write at the same place of the cache, `time`: the history of a row that joined later is
shorter and lies at the right, and a mask hides what is left of it. So a step writes with one copy,
and a row that joins moves no one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

ROUND_TO = 16
"""Room for positions grows in such steps."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The encoded sources of B sentences.

    Attributes:
        lengths: B numbers of ids.
        keys_values: for each decoder layer the keys (B, H, K, S) and the values (B, H, S, K) of
            its cross-attention.
    """

    lengths: tuple[int, ...]
    keys_values: list[tuple[Tensor, Tensor]]

    def select(self, places: Sequence[int]) -> Memory:
        """Return the sentences at `places`, in that order, without needless padding."""
        lengths = tuple(self.lengths[place] for place in places)
        longest = max(lengths, default=0)
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


def length_mask(lengths: Sequence[int], device: torch.device) -> Tensor | None:
    """Return (B, 1, 1, S) float, 0 before each length and the lowest number from it on.

    None if all are equally long.
    """
    longest = max(lengths, default=0)
    if min(lengths, default=0) == longest:
        return None
    ends = torch.tensor(lengths, device=device)[:, None]
    return lowest_where(torch.arange(longest, device=device) >= ends)


def lowest_where(is_hidden: Tensor) -> Tensor:
    """Return (B, 1, 1, S) float32, the lowest number where `is_hidden` (B, S), else 0."""
    mask = torch.zeros(is_hidden.shape, device=is_hidden.device)
    return mask.masked_fill_(is_hidden, torch.finfo(mask.dtype).min)[:, None, None]


def join(first: Memory, second: Memory) -> Memory:
    """Return the sentences of `first` and then those of `second`."""
    if not first.lengths:
        return second
    longest = max(*first.lengths, *second.lengths)
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

    Attributes:
        caches: one (2, N, H, capacity, K) a layer.
        time: positions written, as far as the longest row has come.
        starts: B numbers, when each sentence joined.
    """

    def __init__(self, memory: Memory, beam_size: int, room: int = ROUND_TO) -> None:
        """Make room for the sentences of `memory`.

        Args:
            memory: of B sentences.
            beam_size: rows a sentence.
            room: positions to make room for at first; it grows by itself.
        """
        self.memory, self.beam_size = memory, beam_size
        self.time, self.starts = 0, [0] * len(memory.lengths)
        capacity = -(-room // ROUND_TO) * ROUND_TO
        self.caches = [
            value.new_empty(2, value.size(0) * beam_size, value.size(1), capacity, value.size(3))
            for _, value in memory.keys_values
        ]
        self._mask: Tensor | None = None
        self.memory_mask = length_mask(memory.lengths, memory.device)

    @property
    def num_sentences(self) -> int:
        """B."""
        return len(self.starts)

    def row_lengths(self) -> Tensor:
        """Return (N,) int64, how many positions each row has written."""
        lengths = torch.tensor(
            [self.time - start for start in self.starts], device=self.memory.device
        )
        return lengths.repeat_interleave(self.beam_size)

    def make_room(self) -> None:
        """See to it that one more position can be written."""
        if self.time == self.caches[0].size(3):
            self.caches = [torch.cat((cache, torch.empty_like(cache)), 3) for cache in self.caches]

    def mask(self) -> Tensor | None:
        """Return (N, 1, 1, time + 1) float that hides what is older than a row, or None."""
        if not any(self.starts):
            return None
        if self._mask is None or self._mask.size(3) <= self.time:
            self._mask = self._history_mask(2 * self.time + ROUND_TO)
        return self._mask[..., : self.time + 1]

    def reorder(self, rows: Tensor) -> None:
        """Let every row continue another of its sentence: `rows` (N,) int64, old row numbers."""
        moved = (rows != torch.arange(rows.numel(), device=rows.device)).nonzero()[:, 0]
        if not moved.numel():
            return
        parents = rows[moved]
        for cache in self.caches:
            written = cache[:, :, :, : self.time]
            written[:, moved] = written[:, parents]

    def rebuild(self, keep: Sequence[int], newcomers: Memory | None = None) -> None:
        """Drop the sentences that are not in `keep`, and let others join.

        Args:
            keep: places of the sentences that stay, in their new order.
            newcomers: sentences that begin now; they get the places behind.
        """
        starts = [self.starts[place] for place in keep]
        first = min(starts, default=self.time)
        written = self.time - first
        num_new = len(newcomers.lengths) if newcomers else 0
        rows = rows_of(keep, self.beam_size, self.memory.device)
        room = -(-(written + 1) // ROUND_TO) * ROUND_TO
        caches = []
        for cache in self.caches:
            shape = list(cache.shape)
            shape[1], shape[3] = rows.numel() + num_new * self.beam_size, max(room, ROUND_TO)
            new = cache.new_empty(shape)
            old = cache[:, :, :, first : self.time]
            new[:, : rows.numel(), :, :written] = old.index_select(1, rows)
            new[:, rows.numel() :, :, :written] = 0  # masked, but must be finite
            caches.append(new)
        self.caches, self.time = caches, written
        self.starts = [start - first for start in starts] + [written] * num_new
        self.memory = self.memory.select(keep)
        if newcomers:
            self.memory = join(self.memory, newcomers)
        self._mask = None
        self.memory_mask = length_mask(self.memory.lengths, self.memory.device)

    def _history_mask(self, width: int) -> Tensor:
        device = self.memory.device
        starts = torch.tensor(self.starts, device=device)[:, None]
        mask = lowest_where(torch.arange(width, device=device) < starts)
        return mask.repeat_interleave(self.beam_size, dim=0)


def rows_of(places: Sequence[int], beam_size: int, device: torch.device | str = "cpu") -> Tensor:
    """Return (n · beam,) int64, the rows of the sentences at n places."""
    first_rows = torch.tensor(places, dtype=torch.long, device=device)[:, None] * beam_size
    return (first_rows + torch.arange(beam_size, device=device)).flatten()
