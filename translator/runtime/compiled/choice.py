"""The best continuations of a sentence, found in the logits of its beams without sorting them.

Letters: V pieces, K beams of a sentence, C continuations of it that are wanted.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from translator.jit import compiled
from translator.runtime.compiled.layout import FEW_STRIDE, IN_HALVES, IN_INT8, PANELS_AT_ONCE
from translator.runtime.kernels.arithmetic import (
    NOWHERE,
    Record,
    floats,
    in_whole_vectors,
    long_ints,
)
from translator.runtime.kernels.dot_products import (
    dot,
    highest_of,
    lowest_bit,
    places_above,
    places_of,
)
from translator.runtime.kernels.panels import (
    LOWEST_SCORE,
    NATS_PER_BIT,
    power_of_two,
    sum_of_powers,
)
from translator.runtime.kernels.products import Matrix, multiply_panels
from translator.runtime.kernels.records import PANEL, PANEL_BYTES
from translator.runtime.kernels.tile import BYTE, FLOAT, HALF, STORE
from translator.runtime.kernels.vectors import LANES, UNIT_BYTES
from translator.runtime.plan import FORBIDDEN
from translator.search.rows import Array

UNIT = np.float32(NATS_PER_BIT)
LOWEST, LOWEST_LOGIT = np.float32(-math.inf), np.float32(LOWEST_SCORE)

IMPOSSIBLE = np.float32(FORBIDDEN / 2)
"""Ids that are never produced are below."""

ABOUT = np.float32(1e-6)
"""A larger share of what is added to a logit than rounding changes."""


class Continuations(NamedTuple):
    """The best continuations of a sentence, best first, or of B sentences."""

    log_probs: Array  # (C,) or (B, C) float32, in nats
    ids: Array  # likewise int64, their last ids
    beams: Array  # likewise int64, the beams that they continue


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
    model: Record, linear: Record, count: int, workspace: Record, start: int, rows: int, keeps: bool
) -> None:
    """Compute the logits of some rows of `inputs`, their maxima and their totals.

    They are more than what else is in the caches; where only the best of each row is wanted, it is
    noted, and they are not kept.

    `linear` is the output layer, or that of a shortlist, with `count` outputs.
    """
    stride = model.logits_stride if keeps else FEW_STRIDE
    inputs, units = workspace.inputs + start * 4 * linear.depth, workspace.units
    units += start * UNIT_BYTES
    buffer, before_all = workspace.logits + start * stride, workspace.maxima
    before_all += start * (stride // PANEL)
    highest = floats(workspace.highest + 4 * start, rows)
    totals = floats(workspace.totals + 4 * start, rows)
    best_ids = long_ints(workspace.best_ids + 8 * start, rows)
    for i in range(rows):
        highest[i], totals[i], best_ids[i] = LOWEST_LOGIT, np.float32(0.0), 0
    for first in range(0, linear.panels, PANELS_AT_ONCE):
        last = min(linear.panels, first + PANELS_AT_ONCE)
        out = buffer - (0 if keeps else first * PANEL_BYTES)
        found = Matrix(out, stride)
        multiply_panels(linear, first, last, inputs, units, rows, found, STORE)
        for i in range(rows):
            logits, before = out + i * stride + first * PANEL_BYTES, highest[i]
            if keeps:
                maxima = before_all + i * (stride // PANEL) + 4 * first
                highest[i] = max(before, note_maxima(logits, maxima, last - first))
            else:
                highest[i] = max(before, highest_of(logits, last - first))
                if highest[i] > before:
                    place = find(logits, last - first, highest[i])
                    best_ids[i] = min(first * PANEL + place, count - 1)
            totals[i] *= power_of_two(before - highest[i])
            totals[i] += sum_of_powers(logits, last - first, highest[i])


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
def offset(workspace: Record, row: int, log_prob: float) -> Any:
    """Return what is to be added to a row's logits in nats, to make log-probabilities of them.

    `log_prob` is that of the beam so far, in nats.
    """
    highest, totals = floats(workspace.highest, row + 1), floats(workspace.totals, row + 1)
    normaliser = highest[row] + np.float32(math.log2(totals[row]))
    return np.float32(log_prob) - normaliser * UNIT


@compiled
def piece_of(sentence: Record, place: int) -> int:
    """Return the id of an output: it has another place on a shortlist than in the vocabulary."""
    if sentence.listed == NOWHERE:
        return place
    found: int = long_ints(sentence.listed, place + 1)[place]
    return found


@compiled
def choose_one(workspace: Record, sentence: Record, log_probs: Array, found: Continuations) -> None:
    """Choose the best continuation of one sentence; see `choose`, where C is 1."""
    best, ids, beams = found
    best[0], ids[0], beams[0] = LOWEST, 0, 0
    end = sentence.row + len(log_probs)
    highest, best_ids = floats(workspace.highest, end), long_ints(workspace.best_ids, end)
    for beam in range(len(log_probs)):
        row = sentence.row + beam
        value = highest[row] * UNIT + offset(workspace, row, log_probs[beam])
        if value > best[0]:
            best[0], ids[0], beams[0] = value, piece_of(sentence, best_ids[row]), beam


@compiled
def exact_logit(model: Record, workspace: Record, row: int, piece_id: int) -> Any:
    """Return the logit of a piece in floats, in bits."""
    width, state = in_whole_vectors(model.d_model), workspace.x + row * model.x_stride
    if model.kept_as == IN_INT8:
        product = dot(BYTE, state, model.output + piece_id * width, width // LANES)
        product *= floats(model.output_scales, model.vocab_size)[piece_id]
    elif model.kept_as == IN_HALVES:
        product = dot(HALF, state, model.output + 2 * piece_id * width, width // LANES)
    else:
        product = dot(FLOAT, state, model.output + 4 * piece_id * width, width // LANES)
    return product / UNIT + floats(model.output_biases, model.vocab_size)[piece_id]


@compiled
def compute_exactly(
    model: Record, workspace: Record, row: int, log_probs: Array, found: Continuations
) -> None:
    """Compute the logits of what int8 has chosen once more, in floats, and put it in order.

    A fifth of all that int8 changes comes from the output layer, and these are few of its outputs.
    They are most of their rows' totals, which change with them.

    The states are in the residual stream; for the other arguments see `choose`.
    """
    best, ids, beams = found
    end = row + len(log_probs)
    highest, totals = floats(workspace.highest, end), floats(workspace.totals, end)
    count = 0
    while count < len(best) and best[count] > IMPOSSIBLE:
        count += 1
    exact, about = np.empty((2, count), np.float32)
    for place in range(count):
        beam_row = row + beams[place]
        exact[place] = exact_logit(model, workspace, beam_row, ids[place])
        about[place] = (best[place] - offset(workspace, beam_row, log_probs[beams[place]])) / UNIT
    for place in range(count):
        beam_row = row + beams[place]
        totals[beam_row] += power_of_two(exact[place] - highest[beam_row])
        totals[beam_row] -= power_of_two(about[place] - highest[beam_row])
    for place in range(count):
        piece, beam, rank = ids[place], beams[place], place
        value = exact[place] * UNIT + offset(workspace, row + beam, log_probs[beam])
        while rank > 0 and best[rank - 1] < value:
            best[rank], ids[rank], beams[rank] = best[rank - 1], ids[rank - 1], beams[rank - 1]
            rank -= 1
        best[rank], ids[rank], beams[rank] = value, piece, beam


@compiled
def choose(
    model: Record,
    linear: Record,
    workspace: Record,
    sentence: Record,
    log_probs: Array,
    found: Continuations,
) -> None:
    """Choose the best continuations of one sentence, whose logits `linear` has computed.

    `log_probs` (K,) float64 are those of the beams so far in nats, -inf for dead ones; `found`
    receives C continuations.
    """
    best, ids, beams = found
    stride, width = model.logits_stride, linear.panels * PANEL
    count = model.vocab_size if sentence.listed == NOWHERE else sentence.num_listed
    for place in range(len(best)):
        best[place], ids[place] = LOWEST, 0
    for beam in range(len(log_probs)):
        if log_probs[beam] == LOWEST:
            continue
        row = sentence.row + beam
        added = offset(workspace, row, log_probs[beam])
        maxima = floats(workspace.maxima + row * (stride // PANEL), width // PANEL)
        logits = floats(workspace.logits + row * stride, width)
        for first in range(0, width, PANEL):
            if maxima[first // PANEL] * UNIT + added <= best[-1]:
                continue
            least = (best[-1] - added - ABOUT * (abs(best[-1]) + abs(added))) / UNIT
            places = places_above(workspace.logits + row * stride + 4 * first, least)
            while places != 0:
                i = first + lowest_bit(places)
                places &= places - 1
                value = logits[i] * UNIT + added
                if value > best[-1] and i < count:
                    insert(best, ids, value, beam * width + i)
    for place in range(len(ids)):
        beams[place], number = divmod(ids[place], width)
        ids[place] = piece_of(sentence, number)
    if linear.is_rounded:
        compute_exactly(model, workspace, sentence.row, log_probs, found)
