"""What encoder and decoder have in common: how the residual stream is read and added to."""

from __future__ import annotations

import math

import numpy as np

from translator.jit import compiled
from translator.runtime.int8.layout import GELU, RELU, SILU
from translator.runtime.kernels.arithmetic import (
    Record,
    floats,
    in_whole_vectors,
    normalise,
    to_bytes,
)
from translator.runtime.kernels.products import attend, halve_columns, halve_row, multiply
from translator.runtime.kernels.tile import ADD, STORE
from translator.runtime.kernels.vectors import HALF_BYTES, UNIT_BYTES
from translator.search.rows import Array


@compiled
def embed(model: Record, position: int, piece_id: int, x: int) -> None:
    """Write the vector of a piece, plus that of its position at an address, to the address x."""
    d_model = model.d_model
    row, piece = (
        floats(x, model.x_stride // 4),
        floats(model.embedding + 4 * piece_id * in_whole_vectors(d_model), d_model),
    )
    vector = floats(position, d_model)
    for i in range(d_model):
        row[i] = piece[i] + vector[i]
    for i in range(d_model, len(row)):
        row[i] = np.float32(0.0)


@compiled
def round_row(
    workspace: Record, row: int, address: int, is_positive: bool, to: int, linear: Record
) -> None:
    """Write the floats at an address to a row of bytes that a layer takes.

    Args:
        workspace: receives what the bytes mean.
        row: its number.
        address: of the floats, filled up to whole panels with 0.
        is_positive: whether those below 0 count as 0.
        to: address of the first row of bytes.
        linear: the layer.
    """
    out, unit = to + row * 4 * linear.depth, workspace.units + row * UNIT_BYTES
    to_bytes(address, linear.input_panels, is_positive, out, unit)


@compiled
def read(model: Record, workspace: Record, rows: int, norm: Record, linear: Record) -> None:
    """Write the inputs of a layer to `bytes`: the residual stream, normed if norms come first."""
    for row in range(rows):
        address = workspace.x + row * model.x_stride
        if model.is_pre:
            normalise(address, workspace.row, model.d_model, norm)
            address = workspace.row
        round_row(workspace, row, address, False, workspace.bytes, linear)


@compiled
def project(model: Record, workspace: Record, rows: int, linear: Record) -> None:
    """Send rows of `bytes` through a layer; write `wide`."""
    inputs, out = workspace.bytes, workspace.wide
    multiply(linear, inputs, workspace.units, rows, out, model.wide_stride, STORE)


@compiled
def read_states(model: Record, workspace: Record, rows: int) -> None:
    """Do so for the output layer, and keep the states as they were, in the residual stream."""
    for row in range(rows):
        address = workspace.x + row * model.x_stride
        if model.is_pre:
            normalise(address, address, model.d_model, model.decoder_norm)
        round_row(workspace, row, address, False, workspace.bytes, model.logits)


@compiled
def add(
    model: Record, workspace: Record, rows: int, inputs: int, linear: Record, norm: Record
) -> None:
    """Add what a layer makes of bytes to the residual stream; normed if norms come last."""
    stride = model.x_stride
    multiply(linear, inputs, workspace.units, rows, workspace.x, stride, ADD)
    if not model.is_pre:
        for row in range(rows):
            normalise(workspace.x + row * stride, workspace.x + row * stride, model.d_model, norm)


@compiled
def add_context(model: Record, workspace: Record, rows: int, linear: Record, norm: Record) -> None:
    """Add what the output projection of an attention makes of `context`."""
    for row in range(rows):
        context = workspace.context + row * model.context_stride
        round_row(workspace, row, context, False, workspace.bytes, linear)
    add(model, workspace, rows, workspace.bytes, linear, norm)


@compiled
def remember(model: Record, rows: int, length: int, memory: int) -> None:
    """Keep what `attend_to_memory` takes: keys (H · K, room) and values (room, H · K), in halves.

    Args:
        model: `MODEL`.
        rows: address of rows of `wide`, H · K floats of a key and behind them of a value; rows up
            to the next multiple of 16 are read too.
        length: how many.
        memory: address of `memory_size` bytes.
    """
    width, room = model.num_heads * model.d_k, in_whole_vectors(length)
    halve_columns(rows, model.wide_stride, width, memory, room)
    values, row_bytes = memory + HALF_BYTES * width * room, HALF_BYTES * width
    for row in range(length):
        halve_row(rows + row * model.wide_stride + 4 * width, values + row * row_bytes, width)


@compiled
def attend_to_memory(
    model: Record, workspace: Record, first: int, rows: int, memory: int, length: int
) -> None:
    """Let rows of queries in `wide` attend to what is remembered; write `context`.

    Args:
        model: `MODEL`.
        workspace: has the queries.
        first: row.
        rows: how many.
        memory: address; see `remember`.
        length: places of it.
    """
    heads, d_k, room = model.num_heads, model.d_k, in_whole_vectors(length)
    width, values = heads * d_k, memory + HALF_BYTES * heads * d_k * room
    for head in range(heads):
        offset = head * d_k
        attend(
            workspace.wide + first * model.wide_stride + 4 * offset,
            model.wide_stride,
            rows,
            memory + HALF_BYTES * offset * room,
            room,
            values + HALF_BYTES * offset,
            HALF_BYTES * width,
            length,
            d_k,
            workspace.context + first * model.context_stride + 4 * offset,
            model.context_stride,
            workspace.scores,
        )


@compiled
def activate(row: Array, length: int, activation: int) -> None:
    """Apply GELU or SiLU to `length` floats; ReLU is part of their rounding.

    Raises:
        ValueError: an activation has a number in `layout.ACTIVATIONS`, but no formula here.
    """
    if activation == GELU:
        for i in range(length):
            row[i] *= np.float32(0.5 * (1.0 + math.erf(row[i] / math.sqrt(2.0))))
    elif activation == SILU:
        for i in range(length):
            row[i] /= np.float32(1.0 + math.exp(-row[i]))
    else:
        raise ValueError("sublayers.activate has no formula for this activation")


@compiled
def feed_forward(model: Record, workspace: Record, rows: int, network: Record) -> None:
    """Add what a feed-forward network makes of the residual stream."""
    inner, out = network.inner, network.out
    read(model, workspace, rows, network.norm, inner)
    project(model, workspace, rows, inner)
    is_relu = model.activation == RELU
    for row in range(rows):
        address = workspace.wide + row * model.wide_stride
        if not is_relu:
            activate(floats(address, model.d_ff), model.d_ff, model.activation)
        round_row(workspace, row, address, is_relu, workspace.inner, out)
    add(model, workspace, rows, workspace.inner, out, network.norm)
