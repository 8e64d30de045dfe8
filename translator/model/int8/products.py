"""Matrix products of any size, tile by tile, and attention."""

from __future__ import annotations

import numpy as np

from translator.model.int8.arithmetic import Record, floats, softmax
from translator.model.int8.jit import compiled
from translator.model.int8.records import PANEL
from translator.model.int8.tile import (
    LANES,
    MOST_ROWS,
    MOST_VECTORS,
    RELU_BYTES,
    VECTOR_BYTES,
    float_tile,
    linear_tile,
)

PANEL_BYTES = 4 * PANEL


@compiled
def multiply(linear: Record, inputs: int, rows: int, out: int, out_stride: int, after: int) -> None:
    """Send rows of bytes, 4 · depth each, through an int8 layer.

    Args:
        linear: a `LINEAR` record.
        inputs: address of the bytes.
        rows: how many.
        out: address of the result.
        out_stride: bytes from row to row of it.
        after: `STORE`, `ADD` or `RELU_BYTES`.
    """
    multiply_panels(linear, 0, linear.panels, inputs, rows, out, out_stride, after)


@compiled
def multiply_panels(
    linear: Record,
    first: int,
    end: int,
    inputs: int,
    rows: int,
    out: int,
    out_stride: int,
    after: int,
) -> None:
    """Compute some panels of outputs only, from `first` to before `end`; see `multiply`."""
    stride = 4 * linear.depth
    width = PANEL if after == RELU_BYTES else PANEL_BYTES
    for panel in range(first, end):
        weight = linear.weight + panel * linear.depth * PANEL_BYTES
        scale, bias = linear.scale + panel * PANEL_BYTES, linear.bias + panel * PANEL_BYTES
        for row in range(0, rows, MOST_ROWS):
            linear_tile(
                min(MOST_ROWS, rows - row),
                after,
                inputs + row * stride,
                stride,
                weight,
                linear.depth,
                scale,
                bias,
                out + panel * width + row * out_stride,
                out_stride,
            )


@compiled
def float_product(
    left: int,
    left_stride: int,
    rows: int,
    right: int,
    right_stride: int,
    depth: int,
    vectors: int,
    out: int,
    out_stride: int,
) -> None:
    """Multiply (rows, depth) floats by (depth, 16 · vectors) floats; strides are in bytes."""
    for vector in range(0, vectors, MOST_VECTORS):
        offset = vector * VECTOR_BYTES
        for row in range(0, rows, MOST_ROWS):
            float_tile(
                min(MOST_ROWS, rows - row),
                min(MOST_VECTORS, vectors - vector),
                left + row * left_stride,
                left_stride,
                right + offset,
                right_stride,
                depth,
                out + offset + row * out_stride,
                out_stride,
            )


@compiled
def transpose(rows: int, stride: int, count: int, width: int, out: int, room: int) -> None:
    """Write `count` rows of `width` floats to columns of (width, room), zeros behind them."""
    for column in range(width):
        to = floats(out + 4 * room * column, room)
        for row in range(count):
            to[row] = floats(rows + row * stride + 4 * column, count)[0]
        for row in range(count, room):
            to[row] = np.float32(0.0)


@compiled
def attend(
    queries: int,
    query_stride: int,
    rows: int,
    keys: int,
    room: int,
    values: int,
    value_stride: int,
    length: int,
    d_k: int,
    out: int,
    out_stride: int,
    scores: int,
) -> None:
    """Let rows of queries attend to `length` places with one head.

    Args:
        queries: address of (rows, d_k) floats, in bits.
        query_stride: bytes from row to row.
        rows: how many.
        keys: address of (d_k, room) floats.
        room: places of the keys, a multiple of 16; those from `length` on are not seen.
        values: address of (length, d_k) floats.
        value_stride: bytes from row to row.
        length: places that are seen.
        d_k: a multiple of 16.
        out: address of (rows, d_k) floats.
        out_stride: bytes from row to row.
        scores: address of room for (rows, room) floats.
    """
    width = 4 * room
    float_product(queries, query_stride, rows, keys, width, d_k, room // LANES, scores, width)
    for row in range(rows):
        softmax(floats(scores + row * width, length), length)
    float_product(scores, width, rows, values, value_stride, length, d_k // LANES, out, out_stride)
