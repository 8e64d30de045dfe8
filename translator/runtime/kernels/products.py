"""Matrix products of any size, tile by tile, and attention."""

from __future__ import annotations

from translator.jit import compiled
from translator.runtime.kernels.arithmetic import Record, in_whole_vectors
from translator.runtime.kernels.dot_products import halve, halve_transposed
from translator.runtime.kernels.powers import softmax
from translator.runtime.kernels.records import PANEL, PANEL_BYTES
from translator.runtime.kernels.tile import MOST_ROWS, MOST_VECTORS, float_tile, linear_tile
from translator.runtime.kernels.vectors import (
    HALF_BYTES,
    HALVES_BYTES,
    LANES,
    UNIT_BYTES,
    VECTOR_BYTES,
)


@compiled
def multiply(
    linear: Record, inputs: int, units: int, rows: int, out: int, out_stride: int, after: int
) -> None:
    """Send rows of levels, `depth` lanes each, through an int8 layer.

    Args:
        linear: a `LINEAR` record.
        inputs: address of the levels.
        units: address of what they mean, see `arithmetic.to_bytes`.
        rows: how many.
        out: address of the result.
        out_stride: bytes from row to row of it.
        after: `STORE` or `ADD`.
    """
    multiply_panels(linear, 0, linear.panels, inputs, units, rows, out, out_stride, after)


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
    stride, part = 4 * linear.depth, linear.depth * VECTOR_BYTES
    for panel in range(first, end):
        weight = linear.weight + panel * linear.input_panels * PANEL * PANEL
        ahead = weight + linear.input_panels * PANEL * PANEL
        outputs = linear.outputs + panel * 3 * PANEL_BYTES
        for row in range(0, rows, MOST_ROWS):
            linear_tile(
                min(MOST_ROWS, rows - row),
                after,
                inputs + row * stride,
                stride,
                units + row * UNIT_BYTES,
                weight,
                linear.depth,
                outputs,
                out + panel * PANEL_BYTES + row * out_stride,
                out_stride,
                ahead + row // MOST_ROWS * part,
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
    """Multiply (rows, depth) floats by (depth, 16 · vectors) halves; strides are in bytes."""
    for vector in range(0, vectors, MOST_VECTORS):
        for row in range(0, rows, MOST_ROWS):
            float_tile(
                min(MOST_ROWS, rows - row),
                min(MOST_VECTORS, vectors - vector),
                left + row * left_stride,
                left_stride,
                right + vector * HALVES_BYTES,
                right_stride,
                depth,
                out + vector * VECTOR_BYTES + row * out_stride,
                out_stride,
            )


@compiled
def halve_row(row: int, to: int, width: int) -> None:
    """Write `width` floats at an address as halves to another."""
    for vector in range(width // LANES):
        halve(row + vector * VECTOR_BYTES, to + vector * HALVES_BYTES)


@compiled
def halve_columns(rows: int, stride: int, width: int, to: int, room: int) -> None:
    """Write `room` rows of `width` floats as columns of (width, room) halves."""
    for row in range(0, room, LANES):
        for column in range(0, width, LANES):
            there = to + 2 * (column * room + row)
            halve_transposed(rows + row * stride + 4 * column, stride, there, 2 * room)


@compiled
def memory_size(width: int, length: int) -> int:
    """Return the bytes that a layer remembers of so many places, each with two rows of halves."""
    return HALF_BYTES * 2 * width * in_whole_vectors(length)


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
        keys: address of (d_k, room) halves.
        room: places of the keys, a multiple of 16; those from `length` on are not seen.
        values: address of (length, d_k) halves.
        value_stride: bytes from row to row.
        length: places that are seen.
        d_k: a multiple of 16.
        out: address of (rows, d_k) floats.
        out_stride: bytes from row to row.
        scores: address of room for (rows, room) floats.
    """
    width, vectors = 4 * room, room // LANES
    float_product(queries, query_stride, rows, keys, 2 * room, d_k, vectors, scores, width)
    for row in range(rows):
        softmax(scores + row * width, length)
    float_product(scores, width, rows, values, value_stride, length, d_k // LANES, out, out_stride)
