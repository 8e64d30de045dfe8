"""Sentences of unequal length as one rectangular tensor, and the mask that says what is real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from translator.jit import compiled

Array = NDArray[Any]


def pad(sequences: Sequence[Sequence[int]], pad_id: int, multiple_of: int = 1) -> Tensor:
    """Stack id sequences into (B, S) int64, filled up at the end with `pad_id`.

    Args:
        sequences: B id sequences; empty ones are allowed.
        pad_id: what to fill with.
        multiple_of: round S up to a multiple of this (tensor cores like 8).
    """
    longest = max((len(sequence) for sequence in sequences), default=0)
    width = round_up(max(longest, 1), multiple_of)
    padded = torch.full((len(sequences), width), pad_id, dtype=torch.long)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.long)
    return padded


def check_ids(name: str, ids: Sequence[int], vocab_size: int) -> None:
    """Refuse no ids at all, and ids that are not in the vocabulary.

    Raises:
        ValueError: says so, under that name.
    """
    if not ids or not 0 <= min(ids) <= max(ids) < vocab_size:
        raise ValueError(f"{name} must be 1 or more in 0..{vocab_size - 1}: {ids}")


@compiled
def take_over(rows: Array, parents: Array, length: int) -> None:
    """Let each of K rows take over the first numbers of another: row k those of parents[k]."""
    are_moved = False
    for k in range(len(parents)):
        are_moved = are_moved or parents[k] != k
    if not are_moved:
        return
    before = rows[:, :length].copy()
    for k in range(len(parents)):
        for i in range(length):
            rows[k, i] = before[parents[k], i]


def behind(old: Array, new: Array) -> Array:
    """Return rows one behind the other; NumPy takes ten times as long where they are records."""
    both = np.empty((len(old) + len(new), *old.shape[1:]), old.dtype)
    both[: len(old)], both[len(old) :] = old, new
    return both


def round_up(number: int, multiple: int) -> int:
    """Return the lowest multiple that is not below the number."""
    return -(-number // multiple) * multiple


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Return (B, 1, 1, S), True where `ids` (B, S) is not padding: True = attend."""
    return (ids != pad_id)[:, None, None, :]
