"""Matrix products of any size, tile by tile, and attention.

Letters: R rows, a depth of M, N vectors of 16 numbers; S places that are attended to, K numbers of
a head's key.
"""

from __future__ import annotations

from typing import NamedTuple

from translator.jit import compiled
from translator.runtime.kernels.arithmetic import FIRST, Record, in_whole_vectors
from translator.runtime.kernels.dot_products import keep, keep_transposed
from translator.runtime.kernels.panels import softmax
from translator.runtime.kernels.records import PANEL_BYTES
from translator.runtime.kernels.tile import (
    MOST_ROWS,
    MOST_VECTORS,
    Number,
    float_tile,
    linear_tile,
    size_of,
)
from translator.runtime.kernels.vectors import LANES, UNIT_BYTES, VECTOR_BYTES


class Matrix(NamedTuple):
    """Rows of numbers in memory."""

    address: int  # of the first row
    stride: int  # bytes from row to row


@compiled
def multiply(linear: Record, inputs: int, units: int, rows: int, out: Matrix, after: int) -> None:
    """Send R rows of inputs through a layer, to `out` (R, outputs) float32.

    Rows have 4 · `depth` bytes each. At `units` is what levels mean, see `arithmetic.give`; `after`
    is `STORE` or `ADD`.
    """
    multiply_panels(linear, FIRST, linear.panels, inputs, units, rows, out, after)


@compiled
def multiply_panels(
    linear: Record,
    first: int,
    end: int,
    inputs: int,
    units: int,
    rows: int,
    out: Matrix,
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
                out.address + panel * PANEL_BYTES + row * out.stride,
                out.stride,
                ahead + row // MOST_ROWS * part,
            )


@compiled
def float_product(
    number: Number, left: Matrix, rows: int, right: Matrix, depth: int, vectors: int, out: Matrix
) -> None:
    """Multiply (R, M) floats by (M, 16 · N) numbers of a kind."""
    for vector in range(0, vectors, MOST_VECTORS):
        for row in range(0, rows, MOST_ROWS):
            float_tile(
                number,
                min(MOST_ROWS, rows - row),
                min(MOST_VECTORS, vectors - vector),
                left.address + row * left.stride,
                left.stride,
                right.address + vector * LANES * size_of(number),
                right.stride,
                depth,
                out.address + vector * VECTOR_BYTES + row * out.stride,
                out.stride,
            )


@compiled
def keep_row(number: Number, row: int, to: int, width: int) -> None:
    """Write `width` floats at an address to another, as numbers of a kind."""
    for vector in range(width // LANES):
        keep(number, row + vector * VECTOR_BYTES, to + vector * LANES * size_of(number))


@compiled
def keep_columns(number: Number, rows: Matrix, width: int, to: int, room: int) -> None:
    """Write `room` rows of `width` floats as columns of (width, room) numbers of a kind."""
    for row in range(0, room, LANES):
        for column in range(0, width, LANES):
            there = to + size_of(number) * (column * room + row)
            start = rows.address + row * rows.stride + 4 * column
            keep_transposed(number, start, rows.stride, there, size_of(number) * room)


@compiled
def attend(
    number: Number,
    queries: Matrix,
    rows: int,
    keys: Matrix,
    values: Matrix,
    length: int,
    d_k: int,
    out: Matrix,
    scores: int,
) -> None:
    """Let R rows of queries (R, K), in bits, attend to S places with one head.

    Keys are (K, room), room a multiple of 16, and places from S on are not seen; values are (S, K),
    K a multiple of 16. Scores have room for (R, room) floats. `number` marks what keys and values
    are stored as.
    """
    room = in_whole_vectors(length)
    found = Matrix(scores, 4 * room)
    float_product(number, queries, rows, keys, d_k, room // LANES, found)
    for row in range(rows):
        softmax(scores + row * found.stride, length)
    float_product(number, found, rows, values, length, d_k // LANES, out)
