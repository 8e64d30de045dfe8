"""Steps of any runtime, for tests: all log-probabilities, beside those of the model itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from translator.config import DecodingOptions
from translator.model.transformer import Transformer
from translator.search.rows import Array

SOURCES = [[4, 9, 8, 7, 3], [4, 11, 3], [4, 20, 21, 22, 23, 24, 25, 3]]


def random_sources(count: int, seed: int = 0, longest: int = 40) -> list[list[int]]:
    """Return sources of various lengths, with a tag and EOS."""
    generator = random.Random(seed)
    return [
        [4, *(generator.randrange(6, 300) for _ in range(generator.randint(0, longest))), 3]
        for _ in range(count)
    ]


def begun(runtime: Any, sources: Sequence[Sequence[int]], beam_size: int = 1) -> Any:
    """Return a batch with these sources, to be stepped with ids of the test's own."""
    batch, count = runtime.batch(beam_size, 2, 3), len(sources)
    batch.admit(sources, [1] * count, [DecodingOptions(beam_size=beam_size)] * count, [()] * count)
    return batch


def take_step(
    batch: Any, ids: Sequence[int], count: int = 1, so_far: Sequence[Sequence[float]] | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Feed one id to each of N rows; return the best continuations of each sentence.

    Args:
        batch: of a runtime that leaves the search to `translator/search`.
        ids: N of them.
        count: C, how many continuations are wanted.
        so_far: (B, K) log-probabilities of what each beam has produced; 0 if None.

    Returns:
        log-probabilities, ids, and which of the sentence's beams each continues, (B, C).
    """
    rows = np.array(ids).reshape(-1, batch.beam_size)
    of_beams = None if so_far is None else np.array(so_far)
    take = getattr(batch, "continuations", partial(_compiled_step, batch))
    best, found, beams = map(torch.from_numpy, take(rows, count, of_beams))
    return best, found, beams


def _compiled_step(
    batch: Any, ids: Array, count: int, so_far: Array | None
) -> tuple[Array, Array, Array]:
    from translator.runtime.compiled.choice import Continuations
    from translator.runtime.compiled.decoder import step

    count = min(count, ids.shape[1] * batch.runtime.config.vocab_size)
    arguments: tuple[Any, Any, Any, int] = batch.prepare(1)[1]
    shape = len(ids), count
    found = Continuations(np.empty(shape, np.float32), *np.empty((2, *shape), np.int64))
    so_far = np.zeros(ids.shape) if so_far is None else so_far
    assert step(*arguments, batch.sentences, batch.lists, ids, so_far, found)
    batch.note_steps(1)
    return found


def reorder(batch: Any, parents: Array) -> None:
    """Let beams continue others: parents are (B, K) int64."""
    if hasattr(batch, "reorder"):
        batch.reorder(parents)
    else:
        from translator.runtime.compiled.decoder import continue_all

        continue_all(batch.sentences, parents)


def log_probs(batch: Any, ids: Sequence[int]) -> Tensor:
    """Take a step and return all log-probabilities (N, V)."""
    vocab_size, beam_size = batch.runtime.config.vocab_size, batch.beam_size
    nothing_yet = [[0.0] * beam_size] * (len(ids) // beam_size)
    values, found, beams = take_step(batch, ids, beam_size * vocab_size, nothing_yet)
    totals = torch.zeros(len(values), beam_size * vocab_size)
    return totals.scatter_(1, beams * vocab_size + found, values).view(-1, vocab_size)


def full(
    model: Transformer, source: list[int], target: list[int], forbidden: Sequence[int] = ()
) -> Tensor:
    """Return all log-probabilities (V,) after a target, without any cache."""
    logits = model(torch.tensor([source]), torch.tensor([target]), None)[0, -1]
    logits[list(forbidden)] = -1e9
    found: Tensor = logits.log_softmax(-1)
    return found
