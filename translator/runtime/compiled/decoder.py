"""One step of the decoder for any number of sentences, and all steps of known translations.

Each sentence has a past of its own. A layer knows the target so far by attention to it, or by a
recurrent unit.

Letters: B sentences of K beams, C continuations of each; L layers; D width of the residual stream.
A row is a beam that is alive.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from translator.jit import compiled, record_type
from translator.runtime.compiled.choice import (
    LOWEST,
    UNIT,
    Continuations,
    choose,
    choose_one,
    compute_logits,
    exact_logit,
    offset,
)
from translator.runtime.compiled.sublayers import (
    add_context,
    attend_to_memory,
    embed,
    end_sublayer,
    feed_forward,
    project,
    read,
    read_states,
    source_bytes,
)
from translator.runtime.kernels.arithmetic import (
    FIRST,
    NOWHERE,
    Record,
    floats,
    in_whole_vectors,
    ints,
)
from translator.runtime.kernels.dot_products import dot, ints_at
from translator.runtime.kernels.panels import power_of_two, recur_panels, softmax
from translator.runtime.kernels.products import keep_row
from translator.runtime.kernels.records import PANEL
from translator.runtime.kernels.tile import MOST_VECTORS, weighted_sum
from translator.runtime.kernels.vectors import LANES, VECTOR_BYTES
from translator.search.rows import Array, take_over

SENTENCE = record_type(
    [
        ("memory", "i8"),  # address of what is remembered of the source
        ("source", "i8"),  # ids of the source
        # address of (L, 2, room · K, width) numbers: keys, values of each position; or of
        # (L, 2, K, width) floats: states at even and at odd positions
        ("past", "i8"),
        ("beams", "i8"),  # address of (K, room) int32: which beam wrote each position of a past
        ("room", "i8"),  # positions
        ("steps", "i8"),  # positions written
        ("alive", "i8"),  # beams that take part in this step, the first ones
        ("row", "i8"),  # of the first of them
        ("listed", "i8"),  # address of the ids of its shortlist, or `NOWHERE`
        ("num_listed", "i8"),
        ("attention", "i8"),  # address where the last layer's attention is noted, or `NOWHERE`
    ]
)
"""Where a sentence stands. The beams that a beam has continued are its past: none is copied."""

ROWS_AT_ONCE = 64
"""Rows that go through all layers together: few enough for the caches, many for the weights."""


@compiled
def continue_all(sentences: Array, parents: Array) -> None:
    """Let the beams of B sentences continue others; parents are (B, K) int64."""
    for i in range(len(sentences)):
        one, beam = sentences[i], parents.shape[1]
        take_over(numba.carray(ints_at(one.beams), (beam, one.room)), parents[i], one.steps)


@compiled
def run_layer(
    model: Record,
    workspace: Record,
    sentences: Array,
    beam: int,
    rows: int,
    layer: Record,
    number: int,
    is_last: bool,
) -> None:
    """Send all rows of some sentences through one layer."""
    read(model, workspace, rows, layer.self_norm, layer.past)
    project(model, workspace, rows, layer.past)
    for i in range(len(sentences)):
        if model.is_recurrent:
            recur(model, workspace, sentences[i], beam, number)
        else:
            attend_to_past(model, workspace, sentences[i], beam, number)
    if model.is_recurrent:
        end_sublayer(model, workspace, rows, layer.self_norm)
    else:
        add_context(model, workspace, rows, layer.self_out, layer.self_norm)
    read(model, workspace, rows, layer.cross_norm, layer.query)
    project(model, workspace, rows, layer.query)
    for i in range(len(sentences)):
        one = sentences[i]
        memory = one.memory + number * source_bytes(model, one.source)
        noted = one.attention if is_last else NOWHERE
        attend_to_memory(model, workspace, one.row, one.alive, memory, one.source, noted)
    add_context(model, workspace, rows, layer.cross_out, layer.cross_norm)
    feed_forward(model, workspace, rows, layer.feed_forward)


@compiled
def count_sentences(sentences: Array, log_probs: Array) -> int:
    """Return how many of the first sentences go together, and note which beams are alive.

    `log_probs` are (B, K), -inf for dead beams.
    """
    beam, count, rows = log_probs.shape[1], 0, 0
    while count < len(sentences) and rows + beam <= max(ROWS_AT_ONCE, beam):
        alive = beam
        while alive > 0 and log_probs[count, alive - 1] == LOWEST:
            alive -= 1
        sentences[count].alive = alive
        rows += alive
        count += 1
    return count


@compiled
def begin_rows(model: Record, workspace: Record, group: Array, ids: Array, positions: int) -> int:
    """Give the live beams of sentences rows, and write the residual stream; return how many rows.

    For `positions` and `ids` see `step`.
    """
    rows = 0
    for i in range(len(group)):
        group[i].row = rows
        position = positions + 4 * group[i].steps * in_whole_vectors(model.d_model)
        for j in range(group[i].alive):
            x = workspace.x + rows * model.x_stride
            scales, scale = model.target_scales, model.target_scale
            embed(model, model.target, scales, scale, ids[i, j], position, x)
            rows += 1
    return rows


@compiled
def run_layers(
    model: Record, layers: Array, workspace: Record, positions: int, group: Array, ids: Array
) -> int:
    """Send the live beams of some sentences through all layers; return how many rows they are.

    For `layers`, `positions` and `ids` see `step`.
    """
    rows = begin_rows(model, workspace, group, ids, positions)
    for number in range(len(layers)):
        is_last = number == len(layers) - 1
        run_layer(model, workspace, group, ids.shape[1], rows, layers[number], number, is_last)
    return rows


@compiled
def choose_for(
    model: Record,
    workspace: Record,
    one: Record,
    own: Record,
    log_probs: Array,
    found: Continuations,
) -> None:
    """Choose the best continuations of one sentence, among the pieces of its shortlist if any.

    `own` is the output layer of its shortlist. Without one, `workspace` has all logits, else only
    the inputs of the output layer.
    """
    keeps, so_far = len(found.ids) > 1, log_probs[: one.alive]
    linear = model.logits if one.listed == NOWHERE else own
    if one.listed != NOWHERE:
        compute_logits(model, linear, one.num_listed, workspace, one.row, one.alive, keeps)
    if keeps:
        choose(model, linear, workspace, one, so_far, found)
    else:
        choose_one(workspace, one, so_far, found)


@compiled
def step(
    model_array: Array,
    layers: Array,
    workspace_array: Array,
    positions: int,
    sentences: Array,
    lists: Array,
    ids: Array,
    log_probs: Array,
    found: Continuations,
) -> bool:
    """Feed one id to each of K beams of B sentences, and choose their best continuations.

    Args:
        model_array: (1,) `MODEL`.
        layers: (L,) of the decoder.
        workspace_array: (1,) `WORKSPACE` with room for `ROWS_AT_ONCE` rows, or K if that is more.
        positions: address of (T, D) float32, vectors of positions, D in whole vectors.
        sentences: (B,) `SENTENCE`, whose steps are counted here.
        lists: (B,) output layers of their shortlists; nothing in them if there are none.
        ids: (B, K) int64, what each beam produced last.
        log_probs: (B, K) float64 in nats, of the beams so far.
        found: receives (B, C) continuations.

    Returns:
        whether all ids are in the vocabulary; nothing is done otherwise.
    """
    model, workspace, keeps = model_array[0], workspace_array[0], found.ids.shape[1] > 1
    for last_id in ids.flat:
        if not 0 <= last_id < model.vocab_size:
            return False
    first = 0
    while first < len(sentences):
        end = first + count_sentences(sentences[first:], log_probs[first:])
        group = sentences[first:end]
        rows = run_layers(model, layers, workspace, positions, group, ids[first:end])
        read_states(model, workspace, rows)
        if sentences[first].listed == NOWHERE:
            compute_logits(model, model.logits, model.vocab_size, workspace, FIRST, rows, keeps)
        for i in range(first, end):
            own = Continuations(found.log_probs[i], found.ids[i], found.beams[i])
            choose_for(model, workspace, sentences[i], lists[i], log_probs[i], own)
            sentences[i].steps += 1
        first = end
    return True


@compiled
def attend_to_past(
    model: Record, workspace: Record, sentence: Record, beam: int, layer: int
) -> None:
    """Write keys and values of a sentence's rows, from `wide`, and let them attend to their past.

    What they find is written to `context`.
    """
    heads, d_k, steps, room = model.num_heads, model.d_k, sentence.steps, sentence.room
    row, alive, width = sentence.row, sentence.alive, heads * d_k
    row_bytes = model.number_bytes * width
    keys = sentence.past + layer * 2 * room * beam * row_bytes
    values = keys + room * beam * row_bytes
    for i in range(alive):
        written = (steps * beam + i) * row_bytes
        key = workspace.wide + (row + i) * model.wide_stride + 4 * width
        keep_row(model.number, key, keys + written, width)
        keep_row(model.number, key + 4 * width, values + written, width)
    entries, scores = ints(workspace.entries, steps + 1), floats(workspace.scores, steps + 1)
    for i in range(alive):
        past = ints(sentence.beams + 4 * i * room, steps + 1)
        past[steps] = i
        for step in range(steps + 1):
            entries[step] = step * beam + past[step]
        query = workspace.wide + (row + i) * model.wide_stride
        context = workspace.context + (row + i) * model.context_stride
        for head in range(heads):
            offset, there = 4 * head * d_k, keys + model.number_bytes * head * d_k
            for step in range(steps + 1):
                key = there + entries[step] * row_bytes
                scores[step] = dot(model.number, query + offset, key, d_k // LANES)
            softmax(workspace.scores, steps + 1)
            there += room * beam * row_bytes
            for vector in range(0, d_k // LANES, MOST_VECTORS):
                weighted_sum(
                    model.number,
                    min(MOST_VECTORS, d_k // LANES - vector),
                    workspace.scores,
                    there + vector * LANES * model.number_bytes,
                    row_bytes,
                    workspace.entries,
                    steps + 1,
                    context + offset + vector * VECTOR_BYTES,
                )


@compiled
def recur(model: Record, workspace: Record, sentence: Record, beam: int, layer: int) -> None:
    """Move the states of the rows of a sentence on by one position, and add them to the stream.

    There are two sets of states in turn, since beams may continue others; a beam finds its parent
    in the list of who wrote its past.

    Candidates and gates are in `wide`.
    """
    panels = (model.d_model + PANEL - 1) // PANEL
    width, state_bytes = panels * PANEL, 4 * panels * PANEL
    steps, row = sentence.steps, sentence.row
    states = sentence.past + layer * 2 * beam * state_bytes
    after = states + steps % 2 * beam * state_bytes
    before = states + (steps + 1) % 2 * beam * state_bytes
    if steps == 0:
        nothing = floats(before, width)
        for i in range(width):
            nothing[i] = 0
    for i in range(sentence.alive):
        past = ints(sentence.beams + 4 * i * sentence.room, steps + 1)
        past[steps] = i
        parent = past[steps - 1] if steps > 0 else 0
        wide = workspace.wide + (row + i) * model.wide_stride
        recur_panels(
            wide,
            wide + state_bytes,
            before + parent * state_bytes,
            after + i * state_bytes,
            workspace.x + (row + i) * model.x_stride,
            panels,
        )


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
