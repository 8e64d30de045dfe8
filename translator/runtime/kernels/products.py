"""Matrix products of any size, tile by tile, and attention.

Letters: R rows, a depth of M, N vectors of 16 numbers; S places that are attended to, K numbers of
a head's key.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from translator.jit import compiled
from translator.runtime.kernels.arithmetic import Record
from translator.runtime.kernels.dot_products import keep, keep_transposed
from translator.runtime.kernels.powers import softmax
from translator.runtime.kernels.records import PANEL_BYTES
from translator.runtime.kernels.sums import MOST_ROWS, MOST_VECTORS, Number, size_of
from translator.runtime.kernels.tile import float_tile, linear_tile
from translator.runtime.kernels.vectors import (
    LANES,
    UNIT_BYTES,
    VECTOR_BYTES,
)

FIRST = cast(int, np.int64(0))
"""The first panel, of the type that others are of, lest Numba compile what takes it twice."""


@compiled
def multiply(
    linear: Record, inputs: int, units: int, rows: int, out: int, out_stride: int, after: int
) -> None:
    """Send rows of inputs through a layer.

    Args:
        linear: record of the layer.
        inputs: address of rows of levels or floats, 4 · `depth` bytes each.
        units: address of what levels mean, see `arithmetic.give`.
        rows: how many.
        out: address of the result, float32.
        out_stride: bytes from row to row of it.
        after: `STORE` or `ADD`.
    """
    multiply_panels(linear, FIRST, linear.panels, inputs, units, rows, out, out_stride, after)


@compiled
def multiply_panels(
    linear: Record,
    first: int,
    end: int,
    inputs: int,
    units: int,
    rows: int,
    out: int,
    out_stride: int,
    after: int,
) -> None:
    """Compute some panels of outputs only, from `first` to before `end`; see `multiply`.

    Meanwhile the next panel's weights come into the cache, a part with each tile.
    """
    part = linear.depth * VECTOR_BYTES
    for panel in range(first, end):
        ahead = linear.weight + (panel + 1) * linear.panel_bytes
        for row in range(0, rows, MOST_ROWS):
            linear_tile(
                linear,
                panel,
                min(MOST_ROWS, rows - row),
                after,
                inputs + row * 4 * linear.depth,
                units + row * UNIT_BYTES,
                out + panel * PANEL_BYTES + row * out_stride,
                out_stride,
                ahead + row // MOST_ROWS * part,
            )


@compiled
def float_product(
    number: Number,
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
    """Multiply (R, M) floats by (M, 16 · N) numbers of a kind; strides are in bytes."""
    for vector in range(0, vectors, MOST_VECTORS):
        for row in range(0, rows, MOST_ROWS):
            float_tile(
                number,
                min(MOST_ROWS, rows - row),
                min(MOST_VECTORS, vectors - vector),
                left + row * left_stride,
                left_stride,
                right + vector * LANES * size_of(number),
                right_stride,
                depth,
                out + vector * VECTOR_BYTES + row * out_stride,
                out_stride,
            )


@compiled
def keep_row(number: Number, row: int, to: int, width: int) -> None:
    """Write `width` floats at an address to another, as numbers of a kind."""
    for vector in range(width // LANES):
        keep(number, row + vector * VECTOR_BYTES, to + vector * LANES * size_of(number))


@compiled
def keep_columns(number: Number, rows: int, stride: int, width: int, to: int, room: int) -> None:
    """Write `room` rows of `width` floats as columns of (width, room) numbers of a kind."""
    for row in range(0, room, LANES):
        for column in range(0, width, LANES):
            there = to + size_of(number) * (column * room + row)
            start = rows + row * stride + 4 * column
            keep_transposed(number, start, stride, there, size_of(number) * room)


@compiled
def attend(
    number: Number,
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
    """Let rows of queries attend to S places with one head.

    Args:
        number: marks what keys and values are stored as.
        queries: address of (R, K) floats, in bits.
        query_stride: bytes from row to row.
        rows: R.
        keys: address of (K, room) numbers.
        room: places of the keys, a multiple of 16; those from S on are not seen.
        values: address of (S, K) numbers.
        value_stride: bytes from row to row.
        length: S.
        d_k: K, a multiple of 16.
        out: address of (R, K) floats.
        out_stride: bytes from row to row.
        scores: address of room for (R, room) floats.
    """
    width, vectors, key_stride = 4 * room, room // LANES, size_of(number) * room
    float_product(
        number, queries, query_stride, rows, keys, key_stride, d_k, vectors, scores, width
    )
    for row in range(rows):
        softmax(scores + row * width, length)
    float_product(
        number, scores, width, rows, values, value_stride, length, d_k // LANES, out, out_stride
    )
