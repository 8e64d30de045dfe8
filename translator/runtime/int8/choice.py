"""The best continuations of a sentence, found in the logits of its beams without sorting them."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

from translator.jit import compiled
from translator.runtime.int8.layout import FEW_STRIDE, PANELS_AT_ONCE
from translator.runtime.kernels.arithmetic import Record, floats, in_whole_vectors, long_ints
from translator.runtime.kernels.dot_products import (
    dot_bytes,
    dot_floats,
    floats_at,
    highest_of,
    lowest_bit,
    places_above,
    places_of,
)
from translator.runtime.kernels.powers import LOWEST_SCORE, power_of_two, sum_of_powers
from translator.runtime.kernels.products import multiply_panels
from translator.runtime.kernels.records import PANEL, PANEL_BYTES
from translator.runtime.kernels.tile import STORE
from translator.runtime.kernels.vectors import LANES, UNIT_BYTES, VECTOR_BYTES
from translator.runtime.torchscript.best_ids import FORBIDDEN, NATS_PER_BIT
from translator.search.rows import Array

UNIT = np.float32(NATS_PER_BIT)
LOWEST, LOWEST_LOGIT = np.float32(-math.inf), np.float32(LOWEST_SCORE)

IMPOSSIBLE = np.float32(FORBIDDEN / 2)
"""Ids that are never produced are below."""

ABOUT = np.float32(1e-6)
"""A larger share of what is added to a logit than rounding changes."""


@compiled
def note_maxima(logits: int, maxima: int, panels: int) -> Any:
    """Write the highest logit of each of some panels; return the highest of all."""
    highest, out = LOWEST_LOGIT, floats(maxima, panels)
    for panel in range(panels):
        out[panel] = highest_of(logits + panel * PANEL_BYTES, 1)
        highest = max(highest, out[panel])
    return highest


@compiled
def find(logits: int, panels: int, value: Any) -> Any:
    """Return the first place of a logit, or 0."""
    for panel in range(panels):
        places = places_of(logits + panel * PANEL_BYTES, value)
        if places != 0:
            return panel * PANEL + lowest_bit(places)
    return 0


@compiled
def compute_logits(
    sizes: Record, space: Record, outputs: Record, row: int, end: int, keeps: bool
) -> None:
    """Compute the logits of some rows of `bytes`, their maxima and their totals.

    They are more than what else is in the caches; where only the best of each row is wanted, it is
    noted, and they are not kept.

    Args:
        sizes: of the model.
        space: has the bytes.
        outputs: the pieces that these rows may produce.
        row: to begin with.
        end: row behind the last one.
        keeps: whether the logits are kept.
    """
    linear, stride = outputs.logits, sizes.logits_stride if keeps else FEW_STRIDE
    highest, totals = floats(space.highest, end), floats(space.totals, end)
    pieces, best_ids = long_ints(outputs.ids, outputs.count), long_ints(space.best_ids, end)
    for i in range(row, end):
        highest[i], totals[i], best_ids[i] = LOWEST_LOGIT, np.float32(0.0), 0
    inputs, units = space.bytes + row * 4 * linear.depth, space.units + row * UNIT_BYTES
    for first in range(0, linear.panels, PANELS_AT_ONCE):
        last = min(linear.panels, first + PANELS_AT_ONCE)
        out = space.logits + (row * stride if keeps else -first * PANEL_BYTES)
        multiply_panels(linear, first, last, inputs, units, end - row, out, stride, STORE)
        for i in range(row, end):
            logits, before = out + (i - row) * stride + first * PANEL_BYTES, highest[i]
            if keeps:
                maxima = space.maxima + i * (stride // PANEL) + 4 * first
                highest[i] = max(before, note_maxima(logits, maxima, last - first))
            else:
                highest[i] = max(before, highest_of(logits, last - first))
                if highest[i] > before:
                    place = find(logits, last - first, highest[i])
                    best_ids[i] = pieces[min(first * PANEL + place, outputs.count - 1)]
            totals[i] *= power_of_two(before - highest[i])
            totals[i] += sum_of_powers(logits, last - first, highest[i])


@compiled
def compute_copies(sizes: Record, space: Record, every: Record, sentence: Record, to: int) -> None:
    """Compute the logits of the pieces that a sentence may copy, behind those of its language.

    Args:
        sizes: of the model.
        space: has the bytes.
        every: `OUTPUTS` of all pieces.
        sentence: has rows, and these pieces.
        to: panel to begin with.
    """
    count, stride = sentence.num_copies, sizes.logits_stride
    if count == 0:
        return
    linear, end = every.logits, sentence.row + sentence.alive
    size, copies = 4 * linear.depth, long_ints(sentence.copies, count)
    highest, totals = floats(space.highest, end), floats(space.totals, end)
    best_ids = long_ints(space.best_ids, end)
    for row in range(sentence.row, end):
        logits = floats(space.logits + row * stride + to * PANEL_BYTES, count)
        maxima = floats(space.maxima + row * (stride // PANEL), to + panels_of(count))
        before, own = highest[row], space.bytes + row * size
        unit = floats(space.units + row * UNIT_BYTES, 2)
        for i in range(count):
            piece = copies[i]
            total = np.float32(dot_bytes(own, every.rows + piece * size, size // VECTOR_BYTES))
            panel, lane = divmod(piece, PANEL)
            scales, biases, weight_sums = numba.carray(
                floats_at(linear.outputs + panel * 3 * PANEL_BYTES), (3, PANEL)
            )
            total = total * unit[0] + weight_sums[lane] * unit[1]
            logits[i] = total * scales[lane] + biases[lane]
            panel = to + i // PANEL
            maxima[panel] = logits[i] if i % PANEL == 0 else max(maxima[panel], logits[i])
            if logits[i] > highest[row]:
                highest[row], best_ids[row] = logits[i], piece
        totals[row] *= power_of_two(before - highest[row])
        for i in range(count):
            totals[row] += power_of_two(logits[i] - highest[row])


@compiled
def panels_of(count: int) -> int:
    """Return in how many panels so many outputs are."""
    return (count + PANEL - 1) // PANEL


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
def offset(space: Record, row: int, log_prob: float) -> Any:
    """Return what is to be added to logits in nats, to make log-probabilities of them.

    Args:
        space: has the highest logit and the total of each row.
        row: number.
        log_prob: in nats, of the beam so far.
    """
    highest, totals = floats(space.highest, row + 1), floats(space.totals, row + 1)
    normaliser = highest[row] + np.float32(math.log2(totals[row]))
    return np.float32(log_prob) - normaliser * UNIT


@compiled
def choose_one(
    space: Record, sentence: Record, log_probs: Array, best: Array, ids: Array, beams: Array
) -> None:
    """Choose the best continuation of one sentence; see `choose`, where C is 1."""
    best[0], ids[0], beams[0] = LOWEST, 0, 0
    end = sentence.row + len(log_probs)
    highest, best_ids = floats(space.highest, end), long_ints(space.best_ids, end)
    for beam in range(len(log_probs)):
        row = sentence.row + beam
        value = highest[row] * UNIT + offset(space, row, log_probs[beam])
        if value > best[0]:
            best[0], ids[0], beams[0] = value, best_ids[row], beam


@compiled
def compute_exactly(
    sizes: Record, space: Record, row: int, log_probs: Array, best: Array, ids: Array, beams: Array
) -> None:
    """Compute the logits of what has been chosen once more, in floats, and put it in order.

    A fifth of all that int8 changes comes from the output layer, and these are few of its outputs.
    They are most of their rows' totals, which change with them.

    Args:
        sizes: of the model.
        space: has the states, in the residual stream.
        row: of the first beam.
        log_probs: see `choose` for this and all that follow.
        best: see there.
        ids: see there.
        beams: see there.
    """
    vectors, end = in_whole_vectors(sizes.d_model) // LANES, row + len(log_probs)
    unit = np.float32(1.0 / (NATS_PER_BIT * math.sqrt(sizes.d_model)))
    highest, totals = floats(space.highest, end), floats(space.totals, end)
    count = 0
    while count < len(best) and best[count] > IMPOSSIBLE:
        count += 1
    exact, about = np.empty((2, count), np.float32)
    for place in range(count):
        own = row + beams[place]
        state, weight = space.x + own * sizes.x_stride, vectors * VECTOR_BYTES * ids[place]
        exact[place] = dot_floats(state, sizes.embedding + weight, vectors) * unit
        about[place] = (best[place] - offset(space, own, log_probs[beams[place]])) / UNIT
    for place in range(count):
        own = row + beams[place]
        totals[own] += power_of_two(exact[place] - highest[own])
        totals[own] -= power_of_two(about[place] - highest[own])
    for place in range(count):
        piece, beam, rank = ids[place], beams[place], place
        value = exact[place] * UNIT + offset(space, row + beam, log_probs[beam])
        while rank > 0 and best[rank - 1] < value:
            best[rank], ids[rank], beams[rank] = best[rank - 1], ids[rank - 1], beams[rank - 1]
            rank -= 1
        best[rank], ids[rank], beams[rank] = value, piece, beam


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
        sentence: has rows, and pieces that it may copy besides.
        log_probs: (K,) float64 in nats, of the beams so far; -inf for dead ones.
        best: (C,) float32, receives log-probabilities in nats, best first.
        ids: (C,) int64, receives ids.
        beams: (C,) int64, receives the beams that they continue.
    """
    stride, num_common = sizes.logits_stride, outputs.logits.panels * PANEL
    width = num_common + panels_of(sentence.num_copies) * PANEL
    for place in range(len(best)):
        best[place], ids[place] = LOWEST, 0
    for beam in range(len(log_probs)):
        if log_probs[beam] == LOWEST:
            continue
        row = sentence.row + beam
        added = offset(space, row, log_probs[beam])
        maxima = floats(space.maxima + row * (stride // PANEL), width // PANEL)
        logits = floats(space.logits + row * stride, width)
        for first in range(0, width, PANEL):
            if maxima[first // PANEL] * UNIT + added <= best[-1]:
                continue
            last = outputs.count if first < num_common else num_common + sentence.num_copies
            least = (best[-1] - added - ABOUT * (abs(best[-1]) + abs(added))) / UNIT
            places = places_above(space.logits + row * stride + 4 * first, least)
            while places != 0:
                i = first + lowest_bit(places)
                places &= places - 1
                value = logits[i] * UNIT + added
                if value > best[-1] and i < last:
                    insert(best, ids, value, beam * width + i)
    pieces = long_ints(outputs.ids, outputs.count)
    copies = long_ints(sentence.copies, sentence.num_copies)
    for place in range(len(ids)):
        beams[place], number = ids[place] // width, ids[place] % width
        ids[place] = pieces[number] if number < num_common else copies[number - num_common]
    compute_exactly(sizes, space, sentence.row, log_probs, best, ids, beams)
