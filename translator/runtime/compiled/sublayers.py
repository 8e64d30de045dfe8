"""What encoder and decoder have in common: how the residual stream is read and added to.

Letters: D width of the residual stream, H heads of K numbers, S places of a source. `model` and
`workspace`, with addresses and strides, are records of `layout.types_of` and `memory.WORKSPACE`.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from translator.jit import compiled
from translator.runtime.compiled.layout import IN_HALVES, IN_INT8
from translator.runtime.kernels.arithmetic import (
    NOWHERE,
    RELU,
    Record,
    activate,
    floats,
    give,
    in_whole_vectors,
    normalise,
)
from translator.runtime.kernels.dot_products import scaled_sum
from translator.runtime.kernels.products import Matrix, attend, keep_columns, keep_row, multiply
from translator.runtime.kernels.tile import ADD, BYTE, FLOAT, HALF, STORE
from translator.runtime.kernels.vectors import LANES, UNIT_BYTES

SIGNED = cast(bool, np.bool_(False))
"""Inputs below 0 stay so; with a type of its own lest Numba compile what takes it twice."""


@compiled
def embed(
    model: Record, embedding: int, scales: int, scale: Any, piece_id: int, position: int, x: int
) -> None:
    """Write the vector of a piece, plus that of its position, as a row of the residual stream.

    The vectors of all pieces are at `embedding`, in int8 the scales of each at `scales`; `scale` is
    float32. The vector at `position` is filled up to whole vectors with 0.
    """
    width = in_whole_vectors(model.d_model)
    if model.kept_as == IN_INT8:
        own = scale * floats(scales, piece_id + 1)[piece_id]
        scaled_sum(BYTE, embedding + piece_id * width, own, position, x, width // LANES)
    elif model.kept_as == IN_HALVES:
        scaled_sum(HALF, embedding + 2 * piece_id * width, scale, position, x, width // LANES)
    else:
        scaled_sum(FLOAT, embedding + 4 * piece_id * width, scale, position, x, width // LANES)
    row = floats(x, model.x_stride // 4)
    for i in range(width, len(row)):
        row[i] = np.float32(0.0)


@compiled
def give_row(
    workspace: Record, row: int, address: int, is_positive: bool, to: int, linear: Record
) -> None:
    """Write the floats at an address, whole panels, as a row of inputs that a layer takes.

    For `is_positive` see `arithmetic.give`; `to` is the first row of inputs.
    """
    unit = workspace.units + row * UNIT_BYTES
    give(linear, address, is_positive, to + row * 4 * linear.depth, unit)


@compiled
def read(model: Record, workspace: Record, rows: int, norm: Record, linear: Record) -> None:
    """Write the inputs of a layer to `inputs`: the residual stream, normed if norms come first."""
    for row in range(rows):
        address = workspace.x + row * model.x_stride
        if model.is_pre:
            normalise(address, workspace.row, model.d_model, norm)
            address = workspace.row
        give_row(workspace, row, address, SIGNED, workspace.inputs, linear)


@compiled
def project(model: Record, workspace: Record, rows: int, linear: Record) -> None:
    """Send rows of `inputs` through a layer; write `wide`."""
    out = Matrix(workspace.wide, model.wide_stride)
    multiply(linear, workspace.inputs, workspace.units, rows, out, STORE)


@compiled
def read_states(model: Record, workspace: Record, rows: int) -> None:
    """Do so for the output layer, and keep the states as they were, in the residual stream."""
    for row in range(rows):
        address = workspace.x + row * model.x_stride
        if model.is_pre:
            normalise(address, address, model.d_model, model.decoder_norm)
        give_row(workspace, row, address, SIGNED, workspace.inputs, model.logits)


@compiled
def add(
    model: Record, workspace: Record, rows: int, inputs: int, linear: Record, norm: Record
) -> None:
    """Add what a layer makes of inputs to the residual stream; normed if norms come last."""
    multiply(linear, inputs, workspace.units, rows, Matrix(workspace.x, model.x_stride), ADD)
    end_sublayer(model, workspace, rows, norm)


@compiled
def end_sublayer(model: Record, workspace: Record, rows: int, norm: Record) -> None:
    """Norm the residual stream, to which a sublayer has been added, if norms come last."""
    if not model.is_pre:
        for row in range(rows):
            address = workspace.x + row * model.x_stride
            normalise(address, address, model.d_model, norm)


@compiled
def add_context(model: Record, workspace: Record, rows: int, linear: Record, norm: Record) -> None:
    """Add what the output projection of an attention makes of `context`."""
    for row in range(rows):
        context = workspace.context + row * model.context_stride
        give_row(workspace, row, context, SIGNED, workspace.inputs, linear)
    add(model, workspace, rows, workspace.inputs, linear, norm)


@compiled
def source_bytes(model: Record, length: int) -> int:
    """Return the bytes that a layer remembers of a source: keys and values of whole vectors."""
    row_bytes: int = 2 * model.number_bytes * model.num_heads * model.d_k
    return row_bytes * in_whole_vectors(length)


@compiled
def remember(model: Record, rows: int, length: int, memory: int) -> None:
    """Keep what `attend_to_memory` takes: keys (H · K, room) and values (room, H · K).

    `rows` is the address of rows of `wide`, H · K floats of a key and behind them of a value; rows
    up to the next multiple of 16 are read too. `memory` has `source_bytes`.
    """
    width, room, number = model.num_heads * model.d_k, in_whole_vectors(length), model.number
    keep_columns(number, Matrix(rows, model.wide_stride), width, memory, room)
    row_bytes = model.number_bytes * width
    values = memory + row_bytes * room
    for row in range(length):
        value = rows + row * model.wide_stride + 4 * width
        keep_row(number, value, values + row * row_bytes, width)


@compiled
def attend_to_memory(
    model: Record,
    workspace: Record,
    first: int,
    rows: int,
    memory: int,
    length: int,
    attention: int,
) -> None:
    """Let rows of queries in `wide` attend to what is remembered, see `remember`; write `context`.

    `attention` is the address of (rows, room) floats, to which the weights of every head are added;
    or `NOWHERE`.
    """
    heads, d_k, room = model.num_heads, model.d_k, in_whole_vectors(length)
    size, width = model.number_bytes, heads * d_k
    values = memory + size * width * room
    queries = workspace.wide + first * model.wide_stride
    context = workspace.context + first * model.context_stride
    for head in range(heads):
        offset = head * d_k
        attend(
            model.number,
            Matrix(queries + 4 * offset, model.wide_stride),
            rows,
            Matrix(memory + size * offset * room, size * room),
            Matrix(values + size * offset, size * width),
            length,
            d_k,
            Matrix(context + 4 * offset, model.context_stride),
            workspace.scores,
        )
        if attention != NOWHERE:
            weights, total = floats(workspace.scores, rows * room), floats(attention, rows * room)
            for i in range(rows * room):
                total[i] += weights[i]


@compiled
def feed_forward(model: Record, workspace: Record, rows: int, network: Record) -> None:
    """Add what a feed-forward network makes of the residual stream."""
    inner, out = network.inner, network.out
    read(model, workspace, rows, network.norm, inner)
    project(model, workspace, rows, inner)
    is_relu = model.activation == RELU
    for row in range(rows):
        address = workspace.wide + row * model.wide_stride
        activate(address, model.d_ff, model.activation)
        give_row(workspace, row, address, is_relu, workspace.inner, out)
    add(model, workspace, rows, workspace.inner, out, network.norm)
