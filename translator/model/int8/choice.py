"""The best continuations of a sentence, found in the logits of its beams without sorting them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from translator.model.best_ids import NATS_PER_BIT
from translator.model.int8.address import highest_of_panel
from translator.model.int8.arithmetic import Record, floats, long_ints, power_of_two
from translator.model.int8.jit import compiled
from translator.model.int8.products import multiply_panels
from translator.model.int8.records import PANEL, Array
from translator.model.int8.tile import STORE

UNIT = np.float32(NATS_PER_BIT)
LOWEST, LOWEST_LOGIT = np.float32(-math.inf), np.float32(-3e38)


PANELS_AT_ONCE = 16
"""Logits of so many panels are looked at while they are in the caches."""


@compiled
def look(logits: int, maxima: int, first: int, end: int, highest: Any, total: Any) -> Any:
    """Take some more panels of a row into account.

    Args:
        logits: address of the row.
        maxima: address of the highest logits of its panels, which are written here.
        first: panel to begin with.
        end: panel behind the last one.
        highest: logit so far.
        total: of 2^(logit - highest) so far.

    Returns:
        highest logit and total.
    """
    out, before = floats(maxima, end), highest
    for panel in range(first, end):
        out[panel] = highest_of_panel(logits + 4 * panel * PANEL)
        highest = max(highest, out[panel])
    total *= power_of_two(before - highest)
    length = (end - first) * PANEL
    row = floats(logits + 4 * first * PANEL, length)
    for i in range(length):
        total += power_of_two(row[i] - highest)
    return highest, total


@compiled
def compute_logits(sizes: Record, space: Record, outputs: Record, row: int, end: int) -> None:
    """Compute the logits of some rows of `bytes`, their maxima and their normalisers.

    Args:
        sizes: of the model.
        space: has the bytes.
        outputs: the pieces that these rows may produce.
        row: to begin with.
        end: row behind the last one.
    """
    linear, stride = outputs.logits, sizes.logits_stride
    highest, totals = floats(space.highest, end), floats(space.totals, end)
    for i in range(row, end):
        highest[i], totals[i] = LOWEST_LOGIT, np.float32(0.0)
    inputs, out = space.bytes + row * 4 * linear.depth, space.logits + row * stride
    for first in range(0, linear.panels, PANELS_AT_ONCE):
        last = min(linear.panels, first + PANELS_AT_ONCE)
        multiply_panels(linear, first, last, inputs, end - row, out, stride, STORE)
        for i in range(row, end):
            logits, maxima = space.logits + i * stride, space.maxima + i * (stride // PANEL)
            highest[i], totals[i] = look(logits, maxima, first, last, highest[i], totals[i])
    for i in range(row, end):
        totals[i] = highest[i] + np.float32(math.log2(totals[i]))


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
    space: Record,
    outputs: Record,
    first_row: int,
    log_probs: Array,
    best: Array,
    ids: Array,
    beams: Array,
) -> None:
    """Choose the best continuations of one sentence, whose logits have been computed.

    Args:
        sizes: of the model.
        space: has the logits.
        outputs: the pieces that they are of.
        first_row: of the sentence's K rows.
        log_probs: (K,) float32 in nats, of the beams so far; -inf for dead ones.
        best: (C,) float32, receives log-probabilities in nats, best first.
        ids: (C,) int64, receives ids.
        beams: (C,) int64, receives the beams that they continue.
    """
    num_outputs, num_panels = outputs.count, outputs.logits.panels
    stride, pieces = sizes.logits_stride, long_ints(outputs.ids, outputs.count)
    normalisers = floats(space.totals, first_row + len(log_probs))
    for place in range(len(best)):
        best[place], ids[place] = LOWEST, 0
    for beam in range(len(log_probs)):
        if log_probs[beam] == LOWEST:
            continue
        row = first_row + beam
        offset = log_probs[beam] - normalisers[row] * UNIT
        maxima = floats(space.maxima + row * (stride // PANEL), num_panels)
        logits = floats(space.logits + row * stride, num_outputs)
        for panel in range(num_panels):
            if maxima[panel] * UNIT + offset <= best[-1]:
                continue
            for i in range(panel * PANEL, min((panel + 1) * PANEL, num_outputs)):
                value = logits[i] * UNIT + offset
                if value > best[-1]:
                    insert(best, ids, value, beam * num_outputs + i)
    for place in range(len(ids)):
        beams[place] = ids[place] // num_outputs
        ids[place] = pieces[ids[place] % num_outputs]
