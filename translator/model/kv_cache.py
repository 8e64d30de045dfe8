"""Preallocated keys and values of the decoder: a step costs one position, not all of them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


class SlotPositions:
    """How far each of N rows has come; shared by all layers of a cache.

    Attributes:
        lengths: (N,) int64, positions already written in each row.
        longest: the largest of `lengths`, kept as a Python number so that no step waits to read it.
        uniform: whether all rows are equally long, in which case no mask is needed.
    """

    def __init__(self, num_rows: int, device: torch.device) -> None:
        """Start `num_rows` empty rows."""
        self.lengths = torch.zeros(num_rows, dtype=torch.long, device=device)
        self.longest = 0
        self.uniform = True

    def advance(self) -> None:
        """Count one more position in every row."""
        self.lengths = self.lengths + 1
        self.longest += 1

    def select(self, rows: Tensor) -> None:
        """Keep the rows (N',) in that order; a row may be repeated."""
        self.lengths = self.lengths[rows]
        if not self.uniform:
            self.longest = int(self.lengths.max()) if rows.numel() else 0


class LayerCache:
    """Self-attention keys and values of one layer: (N, H, capacity, K), written in place.

    The capacity doubles when it is full, so that a short sentence never pays for a long one.
    """

    def __init__(self, key: Tensor, value: Tensor, positions: SlotPositions) -> None:
        """Use `key` and `value` (N, H, capacity, K) as room for what is to come."""
        self.key, self.value, self.positions = key, value, positions

    def append(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Write one position (N, H, 1, K) a row and return views (N, H, longest + 1, K) of all."""
        longest = self.positions.longest
        if longest == self.key.size(2):
            self.key = torch.cat((self.key, torch.zeros_like(self.key)), dim=2)
            self.value = torch.cat((self.value, torch.zeros_like(self.value)), dim=2)
        if self.positions.uniform:
            self.key[:, :, longest] = key[:, :, 0]
            self.value[:, :, longest] = value[:, :, 0]
        else:
            rows = torch.arange(key.size(0), device=key.device)
            self.key[rows, :, self.positions.lengths] = key[:, :, 0]
            self.value[rows, :, self.positions.lengths] = value[:, :, 0]
        return self.key[:, :, : longest + 1], self.value[:, :, : longest + 1]

    def mask(self) -> Tensor | None:
        """Return (N, 1, 1, longest + 1), True where a row has written, or None if all have."""
        if self.positions.uniform:
            return None
        steps = torch.arange(self.positions.longest + 1, device=self.key.device)
        return (steps <= self.positions.lengths[:, None])[:, None, None]

    def select(self, rows: Tensor) -> None:
        """Keep the rows (N',) in that order, copying only what has been written."""
        written = self.positions.longest
        for name in ("key", "value"):
            old = getattr(self, name)
            new = old.new_empty((rows.numel(), *old.shape[1:]))
            torch.index_select(old[:, :, :written], 0, rows, out=new[:, :, :written])
            new[:, :, written:] = 0
            setattr(self, name, new)


@dataclass(slots=True)
class DecoderCache:
    """Everything the decoder remembers of N = B · beam rows between steps.

    Attributes:
        positions: how far each row has come.
        self_attention: one LayerCache a layer.
        cross_attention: one (key, value) pair a layer, each (B, H, S, K), computed once a sentence
            and shared by the beams of that sentence.
        memory_mask: (B, 1, 1, S), True = attend.
    """

    positions: SlotPositions
    self_attention: list[LayerCache]
    cross_attention: list[tuple[Tensor, Tensor]]
    memory_mask: Tensor

    def select(self, rows: Tensor, sentences: Tensor | None = None) -> None:
        """Let every row continue another, and drop sentences that are done.

        Args:
            rows: (N',) int64, for each new row the old row it continues; sentence-major, and within
                one sentence only rows of that sentence.
            sentences: (B',) int64, the places of the sentences kept; None keeps all.
        """
        for layer in self.self_attention:
            layer.select(rows)
        self.positions.select(rows)
        if sentences is not None:
            self.cross_attention = [(k[sentences], v[sentences]) for k, v in self.cross_attention]
            self.memory_mask = self.memory_mask[sentences]
