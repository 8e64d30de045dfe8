"""Steps of any runtime, for tests: all log-probabilities, beside those of the model itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from translator.model.transformer import Transformer
from translator.runtime.contract import SlotRuntime

SOURCES = [[4, 9, 8, 7, 3], [4, 11, 3], [4, 20, 21, 22, 23, 24, 25, 3]]


def take_step(
    runtime: SlotRuntime[Any, Any],
    ids: Sequence[int],
    slots: Any,
    count: int = 1,
    beam_log_probs: Sequence[Sequence[float]] | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Feed one id to each of N rows; see `SlotRuntime.step`."""
    rows = np.array(ids).reshape(-1, slots.beam_size)
    so_far = None if beam_log_probs is None else np.array(beam_log_probs)
    best, found, beams = map(torch.from_numpy, runtime.step(rows, slots, count, so_far))
    return best, found, beams


def log_probs(runtime: Any, ids: Sequence[int], slots: Any, beam_size: int = 1) -> Tensor:
    """Take a step and return all log-probabilities (N, V)."""
    vocab_size, batch = runtime.config.vocab_size, len(ids) // beam_size
    nothing_yet = [[0.0] * beam_size] * batch
    values, found, beams = take_step(runtime, ids, slots, beam_size * vocab_size, nothing_yet)
    totals = torch.zeros(batch, beam_size * vocab_size)
    return totals.scatter_(1, beams * vocab_size + found, values).view(-1, vocab_size)


def full(
    model: Transformer, source: list[int], target: list[int], forbidden: Sequence[int] = ()
) -> Tensor:
    """Return all log-probabilities (V,) after a target, without any cache."""
    logits = model(torch.tensor([source]), torch.tensor([target]), None)[0, -1]
    logits[list(forbidden)] = -1e9
    found: Tensor = logits.log_softmax(-1)
    return found
