"""What encoder and decoder have in common: how the residual stream is read and added to."""

from __future__ import annotations

import math

import numpy as np

from translator.model.int8.arithmetic import Record, floats, normalise, to_bytes, unsigned_bytes
from translator.model.int8.jit import compiled
from translator.model.int8.layout import GELU, RELU
from translator.model.int8.products import multiply
from translator.model.int8.records import Array
from translator.model.int8.tile import ADD, RELU_BYTES, STORE


@compiled
def embed(sizes: Record, position: int, piece_id: int, x: int) -> None:
    """Write the vector of a piece, plus that of its position at an address, to the address x."""
    d_model = sizes.d_model
    row, piece = (
        floats(x, sizes.x_stride // 4),
        floats(sizes.embedding + 4 * piece_id * d_model, d_model),
    )
    vector = floats(position, d_model)
    for i in range(d_model):
        row[i] = piece[i] + vector[i]
    for i in range(d_model, len(row)):
        row[i] = np.float32(0.0)


@compiled
def read(sizes: Record, space: Record, rows: int, norm: Record, linear: Record) -> None:
    """Write the inputs of a layer to `bytes`: the residual stream, normed if norms come first."""
    stride, depth = sizes.x_stride, 4 * linear.depth
    normed = floats(space.row, sizes.d_model)
    for row in range(rows):
        own = floats(space.x + row * stride, sizes.d_model)
        out = unsigned_bytes(space.bytes + row * depth, depth)
        if sizes.is_pre:
            normalise(own, normed, sizes.d_model, norm)
            to_bytes(normed, out, sizes.d_model, linear.inverse, linear.zero)
        else:
            to_bytes(own, out, sizes.d_model, linear.inverse, linear.zero)


@compiled
def add(sizes: Record, space: Record, rows: int, inputs: int, linear: Record, norm: Record) -> None:
    """Add what a layer makes of bytes to the residual stream; normed if norms come last."""
    stride = sizes.x_stride
    multiply(linear, inputs, rows, space.x, stride, ADD)
    if not sizes.is_pre:
        for row in range(rows):
            own = floats(space.x + row * stride, sizes.d_model)
            normalise(own, own, sizes.d_model, norm)


@compiled
def add_context(sizes: Record, space: Record, rows: int, linear: Record, norm: Record) -> None:
    """Add what the output projection of an attention makes of `context`."""
    width, depth = sizes.num_heads * sizes.d_k, 4 * linear.depth
    for row in range(rows):
        own = floats(space.context + 4 * row * width, width)
        out = unsigned_bytes(space.bytes + row * depth, width)
        to_bytes(own, out, width, linear.inverse, linear.zero)
    add(sizes, space, rows, space.bytes, linear, norm)


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
    depth = 4 * out.depth
    if sizes.activation == RELU:
        multiply(inner, space.bytes, rows, space.inner, depth, RELU_BYTES)
    else:
        multiply(inner, space.bytes, rows, space.wide, sizes.wide_stride, STORE)
        for row in range(rows):
            own = floats(space.wide + row * sizes.wide_stride, sizes.d_ff)
            activate(own, sizes.d_ff, sizes.activation)
            there = unsigned_bytes(space.inner + row * depth, depth)
            to_bytes(own, there, sizes.d_ff, out.inverse, out.zero)
    add(sizes, space, rows, space.inner, out, network.norm)
