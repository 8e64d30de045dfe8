"""How much work there is, and how many threads it is worth: a team takes time to meet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from translator.model.transformer import Transformer

WORK_PER_THREAD = 8_000_000
"""Multiply-adds in floats that each thread should have to do; see `docs/design-notes/engine.md`."""


def multiply_adds(model: Transformer, num_source_ids: int, num_target_ids: int) -> int:
    """Return the multiply-adds in products with weights for so many ids."""
    per_target_id = _num_weights(model.decoder_layers) + model.embedding.weight.numel()
    return _num_weights(model.encoder_layers) * num_source_ids + per_target_id * num_target_ids


@contextmanager
def threads_worth(work: int) -> Iterator[None]:
    """Use no more of the calling thread's CPU threads than `work` is worth.

    Args:
        work: multiply-adds.
    """
    most = torch.get_num_threads()
    worth = max(1, min(most, work // WORK_PER_THREAD))
    if worth == most:
        yield
        return
    torch.set_num_threads(worth)
    try:
        yield
    finally:
        torch.set_num_threads(most)


def _num_weights(layers: nn.Module) -> int:
    return sum(weight.numel() for weight in layers.parameters() if weight.dim() == 2)
