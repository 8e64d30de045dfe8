"""What a decoder layer knows of the target so far: by attention to it, or by a recurrent unit.

Letters: a sentence has K beams; a row is a beam that is alive; D width of the residual stream.
"""

from __future__ import annotations

from translator.jit import compiled
from translator.runtime.kernels.arithmetic import Record, floats, ints
from translator.runtime.kernels.dot_products import dot
from translator.runtime.kernels.powers import recur_panels, softmax
from translator.runtime.kernels.products import keep_row
from translator.runtime.kernels.records import PANEL
from translator.runtime.kernels.sums import MOST_VECTORS
from translator.runtime.kernels.tile import weighted_sum
from translator.runtime.kernels.vectors import LANES, VECTOR_BYTES


@compiled
def attend_to_past(
    model: Record, workspace: Record, sentence: Record, beam: int, layer: int
) -> None:
    """Write keys and values of the rows of a sentence, and let them attend to their past.

    Args:
        model: `MODEL`.
        workspace: has the projections in `wide`, and receives what is found in `context`.
        sentence: `SENTENCE`.
        beam: K.
        layer: number.
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
        query, context = (
            workspace.wide + (row + i) * model.wide_stride,
            workspace.context + (row + i) * model.context_stride,
        )
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

    Args:
        model: `MODEL`.
        workspace: has candidates and gates in `wide`, and the residual stream.
        sentence: `SENTENCE`.
        beam: K.
        layer: number.
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
