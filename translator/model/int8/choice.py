"""The best continuations of a sentence, found in the logits of its beams without sorting them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from translator.model.best_ids import NATS_PER_BIT
from translator.model.int8.address import highest_of_panel
from translator.model.int8.arithmetic import Record, floats, power_of_two
from translator.model.int8.jit import compiled
from translator.model.int8.records import PANEL, Array

UNIT = np.float32(NATS_PER_BIT)
LOWEST = np.float32(-math.inf)


@compiled
def panel_maxima(logits: int, maxima: int, num_panels: int) -> Any:
    """Write the highest logit of each `PANEL` logits of a row; return the highest of all."""
    out = floats(maxima, num_panels)
    for panel in range(num_panels):
        out[panel] = highest_of_panel(logits + 4 * panel * PANEL)
    highest = out[0]
    for panel in range(num_panels):
        highest = max(highest, out[panel])
    return highest


@compiled
def log_total(logits: int, length: int, highest: Any) -> Any:
    """Return log2 of the sum of 2^logit over a row."""
    row = floats(logits, length)
    total = np.float32(0.0)
    for i in range(length):
        total += power_of_two(row[i] - highest)
    return highest + np.float32(math.log2(total))


@compiled
def insert(values: Array, numbers: Array, value: float, number: int) -> None:
    """Put a value into a list in falling order, whose last one leaves; equal ones stay in front."""
    place = len(values) - 1
    while place > 0 and values[place - 1] < value:
        values[place] = values[place - 1]
        numbers[place] = numbers[place - 1]
        place -= 1
    values[place] = value
    numbers[place] = number


@compiled
def choose(
    sizes: Record,
    logits: int,
    maxima: int,
    log_probs: Array,
    best: Array,
    ids: Array,
    beams: Array,
) -> None:
    """Choose the best continuations of one sentence.

    Args:
        sizes: of the model.
        logits: address of (K, ·) floats in bits.
        maxima: address of room for the maxima of their panels.
        log_probs: (K,) float32 in nats, of the beams so far; -inf for dead ones.
        best: (C,) float32, receives log-probabilities in nats, best first.
        ids: (C,) int64, receives ids.
        beams: (C,) int64, receives the beams that they continue.
    """
    stride, vocab_size = sizes.logits_stride, sizes.vocab_size
    num_panels = sizes.logits.panels  # what fills up the last one is forbidden
    best[:] = LOWEST
    ids[:] = 0
    own = floats(maxima, num_panels)
    for beam in range(len(log_probs)):
        if log_probs[beam] == LOWEST:
            continue
        row = logits + beam * stride
        highest = panel_maxima(row, maxima, num_panels)
        offset = log_probs[beam] - log_total(row, num_panels * PANEL, highest) * UNIT
        for panel in range(num_panels):
            if own[panel] * UNIT + offset <= best[-1]:
                continue
            values = floats(row + 4 * panel * PANEL, PANEL)
            for i in range(min(PANEL, vocab_size - panel * PANEL)):
                value = values[i] * UNIT + offset
                if value > best[-1]:
                    insert(best, ids, value, beam * vocab_size + panel * PANEL + i)
    for place in range(len(ids)):
        beams[place] = ids[place] // vocab_size
        ids[place] %= vocab_size
