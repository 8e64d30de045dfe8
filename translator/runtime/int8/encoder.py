"""The encoder in int8: sources one after the other, without any padding."""

from __future__ import annotations

from typing import cast

import numpy as np

from translator.jit import compiled
from translator.runtime.int8.sublayers import (
    add_context,
    attend_to_memory,
    embed,
    feed_forward,
    read,
    remember,
)
from translator.runtime.kernels.products import memory_size, multiply
from translator.runtime.kernels.tile import STORE
from translator.search.rows import Array

FIRST = cast(int, np.int64(0))
"""The first row, of the type that other rows are of, lest Numba compile what takes it twice."""


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
        memories: (B,) int64, addresses of what is to be remembered of each, `memory_size` bytes
            a layer of the decoder.
    """
    own, space, rows = sizes[0], workspace[0], len(ids)
    row = FIRST
    for length in lengths:
        for place in range(length):
            vector = positions + 4 * place * own.d_model
            embed(own, vector, ids[row], space.x + row * own.x_stride)
            row += 1
    width = own.num_heads * own.d_k
    keys = space.wide + 4 * width
    for i in range(len(encoder)):
        layer = encoder[i]
        read(own, space, rows, layer.norm, layer.qkv)
        multiply(layer.qkv, space.bytes, space.units, rows, space.wide, own.wide_stride, STORE)
        row = FIRST
        for length in lengths:
            remember(own, keys + row * own.wide_stride, length, space.memory)
            attend_to_memory(own, space, row, length, space.memory, length)
            row += length
        add_context(own, space, rows, layer.attention_out, layer.norm)
        feed_forward(own, space, rows, layer.feed_forward)
    for i in range(len(decoder)):
        read(own, space, rows, own.encoder_norm, decoder[i].memory)
        multiply(
            decoder[i].memory, space.bytes, space.units, rows, space.wide, own.wide_stride, STORE
        )
        row = FIRST
        for source in range(len(lengths)):
            length = lengths[source]
            memory = memories[source] + i * memory_size(width, length)
            remember(own, space.wide + row * own.wide_stride, length, memory)
            row += length
