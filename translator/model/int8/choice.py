"""The best continuations of a sentence, found in the logits of its beams without sorting them."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from translator.model.best_ids import NATS_PER_BIT
from translator.model.int8.address import highest_of_panel
from translator.model.int8.arithmetic import Record, floats, long_ints, power_of_two
from translator.model.int8.jit import compiled
from translator.model.int8.products import PANEL_BYTES, multiply_panels
from translator.model.int8.records import PANEL, Array
from translator.model.int8.tile import STORE

UNIT = np.float32(NATS_PER_BIT)
FIRST = cast(int, np.int64(0))
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
def compute_panels(
    sizes: Record, space: Record, linear: Record, row: int, end: int, place: int
) -> None:
    """Compute the logits of some rows of `bytes`, and take them into account.

    Args:
        sizes: of the model.
        space: has the bytes.
        linear: an output layer, or a part of it.
        row: to begin with.
        end: row behind the last one.
        place: where the first panel lies in a row of logits.
    """
    highest, totals, stride = (
        floats(space.highest, end),
        floats(space.totals, end),
        sizes.logits_stride,
    )
    inputs = space.bytes + row * 4 * linear.depth
    out = space.logits + row * stride + place * PANEL_BYTES
    for first in range(0, linear.panels, PANELS_AT_ONCE):
        last = min(linear.panels, first + PANELS_AT_ONCE)
        multiply_panels(linear, first, last, inputs, end - row, out, stride, STORE)
        for i in range(row, end):
            logits, maxima = space.logits + i * stride, space.maxima + i * (stride // PANEL)
            highest[i], totals[i] = look(
                logits, maxima, place + first, place + last, highest[i], totals[i]
            )


@compiled
def compute_logits(sizes: Record, space: Record, outputs: Record, row: int, end: int) -> None:
    """Compute the logits of some rows of `bytes` that may produce the same pieces."""
    highest, totals = floats(space.highest, end), floats(space.totals, end)
    for i in range(row, end):
        highest[i], totals[i] = LOWEST_LOGIT, np.float32(0.0)
    compute_panels(sizes, space, outputs.logits, row, end, FIRST)


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
    sentence: Record,
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
        sentence: has rows, and pieces of its own besides.
        log_probs: (K,) float32 in nats, of the beams so far; -inf for dead ones.
        best: (C,) float32, receives log-probabilities in nats, best first.
        ids: (C,) int64, receives ids.
        beams: (C,) int64, receives the beams that they continue.
    """
    stride, first_own = sizes.logits_stride, outputs.logits.panels * PANEL
    width = first_own + sentence.own.panels * PANEL
    end = sentence.row + len(log_probs)
    highest, totals = floats(space.highest, end), floats(space.totals, end)
    for place in range(len(best)):
        best[place], ids[place] = LOWEST, 0
    for beam in range(len(log_probs)):
        if log_probs[beam] == LOWEST:
            continue
        row = sentence.row + beam
        normaliser = highest[row] + np.float32(math.log2(totals[row]))
        offset = log_probs[beam] - normaliser * UNIT
        maxima = floats(space.maxima + row * (stride // PANEL), width // PANEL)
        logits = floats(space.logits + row * stride, width)
        for first in range(0, width, PANEL):
            if maxima[first // PANEL] * UNIT + offset <= best[-1]:
                continue
            last = outputs.count if first < first_own else first_own + sentence.own_count
            for i in range(first, min(first + PANEL, last)):
                value = logits[i] * UNIT + offset
                if value > best[-1]:
                    insert(best, ids, value, beam * width + i)
    pieces = long_ints(outputs.ids, outputs.count)
    own_pieces = long_ints(sentence.own_ids, sentence.own_count)
    for place in range(len(ids)):
        beams[place], number = ids[place] // width, ids[place] % width
        ids[place] = pieces[number] if number < first_own else own_pieces[number - first_own]
