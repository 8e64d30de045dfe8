"""The encoder in int8: sources one after the other, without any padding."""

from __future__ import annotations

from typing import cast

import numpy as np

from translator.batch import round_up
from translator.model.int8.arithmetic import Record, copy, in_whole_vectors
from translator.model.int8.jit import compiled
from translator.model.int8.products import attend, multiply, transpose
from translator.model.int8.records import Array
from translator.model.int8.sublayers import add_context, embed, feed_forward, read
from translator.model.int8.tile import LANES, STORE

FIRST = cast(int, np.int64(0))
"""The first row, of the type that other rows are of, lest Numba compile what takes it twice."""


@compiled
def attend_in_source(sizes: Record, space: Record, first: int, length: int) -> None:
    """Let `length` rows from `first` on attend to one another, from `wide` to `context`."""
    heads, d_k, stride = sizes.num_heads, sizes.d_k, sizes.wide_stride
    width, room = 4 * heads * d_k, in_whole_vectors(length)
    queries = space.wide + first * stride
    for head in range(heads):
        offset = 4 * head * d_k
        transpose(queries + width + offset, stride, length, d_k, space.keys, room)
        attend(
            queries + offset,
            stride,
            length,
            space.keys,
            room,
            queries + 2 * width + offset,
            stride,
            length,
            d_k,
            space.context + first * width + offset,
            width,
            space.scores,
        )


@compiled
def remember(
    sizes: Record, space: Record, first: int, length: int, memory: int, layer: int
) -> None:
    """Copy keys and values of a source from `wide` to its memory; see `memory_size`."""
    width, stride, room = sizes.num_heads * sizes.d_k, sizes.wide_stride, in_whole_vectors(length)
    keys = memory + 4 * layer * 2 * width * room
    values, rows = keys + 4 * width * room, space.wide + first * stride
    transpose(rows, stride, length, width, keys, room)
    for row in range(length):
        copy(rows + row * stride + 4 * width, values + 4 * row * width, width)


@compiled
def encode(
    sizes: Array,
    encoder: Array,
    decoder: Array,
    workspace: Array,
    positions: int,
    ids: Array,
    lengths: Array,
    memories: Array,
) -> None:
    """Read B sources.

    Args:
        sizes: (1,) of the model.
        encoder: (L,) its layers.
        decoder: (L,) the layers that will attend to the sources.
        workspace: (1,) with room for all ids.
        positions: address of (S, D) float32, vectors of positions.
        ids: of one source after the other, int64.
        lengths: (B,) int64, of the sources.
        memories: (B,) int64, addresses of what is to be remembered of each, `memory_size` bytes.
    """
    own, space, rows = sizes[0], workspace[0], len(ids)
    row = FIRST
    for length in lengths:
        for place in range(length):
            vector = positions + 4 * place * own.d_model
            embed(own, vector, ids[row], space.x + row * own.x_stride)
            row += 1
    for i in range(len(encoder)):
        layer = encoder[i]
        read(own, space, rows, layer.norm, layer.qkv)
        multiply(layer.qkv, space.bytes, rows, space.wide, own.wide_stride, STORE)
        row = FIRST
        for length in lengths:
            attend_in_source(own, space, row, length)
            row += length
        add_context(own, space, rows, layer.attention_out, layer.norm)
        feed_forward(own, space, rows, layer.feed_forward)
    for i in range(len(decoder)):
        read(own, space, rows, own.encoder_norm, decoder[i].memory)
        multiply(decoder[i].memory, space.bytes, rows, space.wide, own.wide_stride, STORE)
        row = FIRST
        for source in range(len(lengths)):
            remember(own, space, row, lengths[source], memories[source], i)
            row += lengths[source]


def memory_size(sizes: Array, num_layers: int, length: int) -> int:
    """Return the bytes of keys (H · K, room) and values (room, H · K) in all decoder layers."""
    width = int(sizes[0]["num_heads"] * sizes[0]["d_k"])
    return 4 * num_layers * 2 * width * round_up(length, LANES)
