"""Sentences of unequal length as one rectangular tensor, and the mask that says what is real."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def pad(sequences: Sequence[Sequence[int]], pad_id: int, multiple_of: int = 1) -> Tensor:
    """Stack id sequences into (B, S) int64, filled up at the end with `pad_id`.

    Args:
        sequences: B id sequences; empty ones are allowed.
        pad_id: what to fill with.
        multiple_of: round S up to a multiple of this (tensor cores like 8).
    """
    longest = max((len(sequence) for sequence in sequences), default=0)
    width = -(-max(longest, 1) // multiple_of) * multiple_of
    padded = torch.full((len(sequences), width), pad_id, dtype=torch.long)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.long)
    return padded


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Return (B, 1, 1, S), True where `ids` (B, S) is not padding: True = attend."""
    return (ids != pad_id)[:, None, None, :]
