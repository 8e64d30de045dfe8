"""Translations that are known: where they attend, and how probable they are.

Letters: N positions of all translations together; L layers; V pieces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from translator.jit import compiled
from translator.runtime.compiled.choice import UNIT, compute_logits, exact_logit, offset
from translator.runtime.compiled.decoder import count_sentences, run_layers
from translator.runtime.compiled.sublayers import read_states
from translator.runtime.kernels.arithmetic import FIRST, Record, floats
from translator.runtime.kernels.panels import power_of_two
from translator.search.rows import Array


@compiled
def log_prob_of(model: Record, workspace: Record, row: int, piece_id: int) -> Any:
    """Return how probable a piece is behind a row with logits, in nats, float32.

    In int8 its logit is computed once more in floats, as those of what a search chooses are.
    """
    end = row + 1
    highest, totals = floats(workspace.highest, end), floats(workspace.totals, end)
    logit = floats(workspace.logits + row * model.logits_stride, model.vocab_size)[piece_id]
    if model.logits.is_rounded:
        exact = exact_logit(model, workspace, row, piece_id)
        totals[row] += power_of_two(exact - highest[row]) - power_of_two(logit - highest[row])
        logit = exact
    return logit * UNIT + offset(workspace, row, 0.0)


@compiled
def score_forced(
    model_array: Array,
    layers: Array,
    workspace_array: Array,
    positions: int,
    sentences: Array,
    ids: Array,
    next_ids: Array,
    log_probs: Array,
) -> bool:
    """Score translations that are known; for what is not said here see `decoder.step`.

    Each position is a sentence of its own, which writes what those behind it attend to: those of a
    translation share a past, and stand here in their order.

    The pieces `ids` are (N, 1) int64, and `next_ids` (N,) those behind them. `log_probs` (N,)
    float32 receives how probable these are, in nats; both are empty if no one asks.

    Returns:
        whether all ids are in the vocabulary; nothing is done otherwise.
    """
    model, workspace = model_array[0], workspace_array[0]
    for pieces in (ids.ravel(), next_ids):
        for piece_id in pieces:
            if not 0 <= piece_id < model.vocab_size:
                return False
    alive, first = np.zeros(ids.shape), 0
    while first < len(sentences):
        end = first + count_sentences(sentences[first:], alive[first:])
        group = sentences[first:end]
        rows = run_layers(model, layers, workspace, positions, group, ids[first:end])
        if len(log_probs) > 0:
            read_states(model, workspace, rows)
            compute_logits(model, model.logits, model.vocab_size, workspace, FIRST, rows, True)
            for row in range(rows):
                log_probs[first + row] = log_prob_of(model, workspace, row, next_ids[first + row])
        first = end
    return True
