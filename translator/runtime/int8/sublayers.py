"""What encoder and decoder have in common: how the residual stream is read and added to."""

from __future__ import annotations

import math

import numpy as np

from translator.jit import compiled
from translator.runtime.int8.layout import GELU, RELU
from translator.runtime.kernels.arithmetic import (
    Record,
    floats,
    in_whole_vectors,
    normalise,
    to_bytes,
)
from translator.runtime.kernels.products import attend, halve_columns, halve_row, multiply
from translator.runtime.kernels.records import PANEL
from translator.runtime.kernels.tile import ADD, STORE
from translator.runtime.kernels.vectors import HALF_BYTES, UNIT_BYTES
from translator.search.rows import Array


@compiled
def embed(sizes: Record, position: int, piece_id: int, x: int) -> None:
    """Write the vector of a piece, plus that of its position at an address, to the address x."""
    d_model = sizes.d_model
    row, piece = (
        floats(x, sizes.x_stride // 4),
        floats(sizes.embedding + 4 * piece_id * in_whole_vectors(d_model), d_model),
    )
    vector = floats(position, d_model)
    for i in range(d_model):
        row[i] = piece[i] + vector[i]
    for i in range(d_model, len(row)):
        row[i] = np.float32(0.0)


@compiled
def round_row(
    space: Record, row: int, own: int, is_positive: bool, to: int, linear: Record
) -> None:
    """Write the floats at the address `own` to a row of bytes that a layer takes.

    Args:
        space: receives what the bytes mean.
        row: its number.
        own: address of the floats, filled up to whole panels with 0.
        is_positive: whether those below 0 count as 0.
        to: address of the first row of bytes.
        linear: the layer.
    """
    out, unit = to + row * 4 * linear.depth, space.units + row * UNIT_BYTES
    to_bytes(own, linear.depth * 4 // PANEL, is_positive, out, unit)


@compiled
def read(sizes: Record, space: Record, rows: int, norm: Record, linear: Record) -> None:
    """Write the inputs of a layer to `bytes`: the residual stream, normed if norms come first."""
    for row in range(rows):
        address = space.x + row * sizes.x_stride
        if sizes.is_pre:
            normalise(address, space.row, sizes.d_model, norm)
            address = space.row
        round_row(space, row, address, False, space.bytes, linear)


@compiled
def read_states(sizes: Record, space: Record, rows: int) -> None:
    """Do so for the output layer, and keep the states as they were, in the residual stream."""
    for row in range(rows):
        address = space.x + row * sizes.x_stride
        if sizes.is_pre:
            normalise(address, address, sizes.d_model, sizes.decoder_norm)
        round_row(space, row, address, False, space.bytes, sizes.logits)


@compiled
def add(sizes: Record, space: Record, rows: int, inputs: int, linear: Record, norm: Record) -> None:
    """Add what a layer makes of bytes to the residual stream; normed if norms come last."""
    stride = sizes.x_stride
    multiply(linear, inputs, space.units, rows, space.x, stride, ADD)
    if not sizes.is_pre:
        for row in range(rows):
            normalise(space.x + row * stride, space.x + row * stride, sizes.d_model, norm)


@compiled
def add_context(sizes: Record, space: Record, rows: int, linear: Record, norm: Record) -> None:
    """Add what the output projection of an attention makes of `context`."""
    for row in range(rows):
        own = space.context + row * sizes.context_stride
        round_row(space, row, own, False, space.bytes, linear)
    add(sizes, space, rows, space.bytes, linear, norm)


@compiled
def remember(sizes: Record, rows: int, length: int, memory: int) -> None:
    """Keep what `attend_to_memory` takes: keys (H · K, room) and values (room, H · K), in halves.

    Args:
        sizes: of the model.
        rows: address of rows of `wide`, H · K floats of a key and behind them of a value; rows up
            to the next multiple of 16 are read too.
        length: how many.
        memory: address of `memory_size` bytes.
    """
    width, room = sizes.num_heads * sizes.d_k, in_whole_vectors(length)
    halve_columns(rows, sizes.wide_stride, width, memory, room)
    values, size = memory + HALF_BYTES * width * room, HALF_BYTES * width
    for row in range(length):
        halve_row(rows + row * sizes.wide_stride + 4 * width, values + row * size, width)


@compiled
def attend_to_memory(
    sizes: Record, space: Record, first: int, rows: int, memory: int, length: int
) -> None:
    """Let rows of queries in `wide` attend to what is remembered; write `context`.

    Args:
        sizes: of the model.
        space: has the queries.
        first: row.
        rows: how many.
        memory: address; see `remember`.
        length: places of it.
    """
    heads, d_k, room = sizes.num_heads, sizes.d_k, in_whole_vectors(length)
    width, values = heads * d_k, memory + HALF_BYTES * heads * d_k * room
    for head in range(heads):
        offset = head * d_k
        attend(
            space.wide + first * sizes.wide_stride + 4 * offset,
            sizes.wide_stride,
            rows,
            memory + HALF_BYTES * offset * room,
            room,
            values + HALF_BYTES * offset,
            HALF_BYTES * width,
            length,
            d_k,
            space.context + first * sizes.context_stride + 4 * offset,
            sizes.context_stride,
            space.scores,
        )


@compiled
def activate(row: Array, length: int, activation: int) -> None:
    """Apply GELU or SiLU to `length` floats."""
    for i in range(length):
        x = row[i]
        if activation == GELU:
            row[i] = x * np.float32(0.5 * (1.0 + math.erf(x / math.sqrt(2.0))))
        else:
            row[i] = x / np.float32(1.0 + math.exp(-x))


@compiled
def feed_forward(sizes: Record, space: Record, rows: int, network: Record) -> None:
    """Add what a feed-forward network makes of the residual stream."""
    inner, out = network.inner, network.out
    read(sizes, space, rows, network.norm, inner)
    multiply(inner, space.bytes, space.units, rows, space.wide, sizes.wide_stride, STORE)
    is_relu = sizes.activation == RELU
    for row in range(rows):
        own = space.wide + row * sizes.wide_stride
        if not is_relu:
            activate(floats(own, sizes.d_ff), sizes.d_ff, sizes.activation)
        round_row(space, row, own, is_relu, space.inner, out)
    add(sizes, space, rows, space.inner, out, network.norm)
