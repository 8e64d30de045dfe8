"""One step of the decoder in int8 for any number of sentences, each with a past of its own."""

from __future__ import annotations

import numpy as np

from translator.model.int8.address import dot
from translator.model.int8.arithmetic import (
    Record,
    copy,
    floats,
    in_whole_vectors,
    ints,
    softmax,
)
from translator.model.int8.choice import choose, compute_logits
from translator.model.int8.jit import compiled
from translator.model.int8.products import attend, multiply
from translator.model.int8.records import Array
from translator.model.int8.sublayers import add_context, embed, feed_forward, read
from translator.model.int8.tile import LANES, MOST_VECTORS, STORE, VECTOR_BYTES, weighted_sum

SENTENCE = np.dtype(
    [
        ("memory", "i8"),  # address of what is remembered of the source
        ("source", "i8"),  # ids of the source
        ("past", "i8"),  # address of (L, 2, room · K, H · K) float32: keys, values of each position
        ("beams", "i8"),  # address of (K, room) int32: which beam wrote each position of a past
        ("room", "i8"),  # positions
        ("steps", "i8"),  # positions written
    ]
)
"""Where a sentence stands. The beams that a beam has continued are its past: none is copied."""

ROWS_AT_ONCE = 64
"""Rows that go through all layers together: few enough for the caches, many for the weights."""


@compiled
def continue_beams(sentence: Record, parents: Array) -> None:
    """Let the beams of a sentence continue others: beam b continues beam parents[b]."""
    beam, steps = len(parents), sentence.steps
    before = np.empty((beam, steps), np.int32)
    for i in range(beam):
        own = ints(sentence.beams + 4 * i * sentence.room, steps)
        for step in range(steps):
            before[i, step] = own[step]
    for i in range(beam):
        own = ints(sentence.beams + 4 * i * sentence.room, steps)
        for step in range(steps):
            own[step] = before[parents[i], step]


@compiled
def continue_all(sentences: Array, parents: Array) -> None:
    """Let the beams of B sentences continue others; parents are (B, K) int64."""
    for i in range(len(sentences)):
        continue_beams(sentences[i], parents[i])


@compiled
def attend_to_past(
    sizes: Record, space: Record, sentence: Record, beam: int, layer: int, row: int
) -> None:
    """Write keys and values of `beam` rows from `row` on, and let them attend to their past."""
    heads, d_k, steps, room = sizes.num_heads, sizes.d_k, sentence.steps, sentence.room
    width = 4 * heads * d_k
    keys = sentence.past + layer * 2 * room * beam * width
    values = keys + room * beam * width
    for i in range(beam):
        written = steps * beam + i
        own = space.wide + (row + i) * sizes.wide_stride
        copy(own + width, keys + written * width, heads * d_k)
        copy(own + 2 * width, values + written * width, heads * d_k)
    entries, scores = ints(space.entries, steps + 1), floats(space.scores, steps + 1)
    for i in range(beam):
        past = ints(sentence.beams + 4 * i * room, steps + 1)
        past[steps] = i
        for step in range(steps + 1):
            entries[step] = step * beam + past[step]
        own, out = space.wide + (row + i) * sizes.wide_stride, space.context + (row + i) * width
        for head in range(heads):
            offset = 4 * head * d_k
            for step in range(steps + 1):
                scores[step] = dot(
                    own + offset, keys + entries[step] * width + offset, d_k // LANES
                )
            softmax(scores, steps + 1)
            for vector in range(0, d_k // LANES, MOST_VECTORS):
                there = offset + vector * VECTOR_BYTES
                weighted_sum(
                    min(MOST_VECTORS, d_k // LANES - vector),
                    space.scores,
                    values + there,
                    width,
                    space.entries,
                    steps + 1,
                    out + there,
                )


@compiled
def attend_to_source(
    sizes: Record, space: Record, sentence: Record, beam: int, layer: int, row: int
) -> None:
    """Let `beam` rows from `row` on attend to the source of their sentence."""
    heads, d_k, room = sizes.num_heads, sizes.d_k, in_whole_vectors(sentence.source)
    width = 4 * heads * d_k
    keys = sentence.memory + layer * 2 * width * room
    for head in range(heads):
        offset = 4 * head * d_k
        attend(
            space.wide + row * sizes.wide_stride + offset,
            sizes.wide_stride,
            beam,
            keys + offset * room,
            room,
            keys + width * room + offset,
            width,
            sentence.source,
            d_k,
            space.context + row * width + offset,
            width,
            space.scores,
        )


@compiled
def run_layer(
    sizes: Record,
    space: Record,
    sentences: Array,
    first: int,
    end: int,
    beam: int,
    layer: Record,
    number: int,
) -> None:
    """Send the rows of sentences from `first` to before `end` through one layer."""
    rows = (end - first) * beam
    read(sizes, space, rows, layer.self_norm, layer.qkv)
    multiply(layer.qkv, space.bytes, rows, space.wide, sizes.wide_stride, STORE)
    for i in range(first, end):
        attend_to_past(sizes, space, sentences[i], beam, number, (i - first) * beam)
    add_context(sizes, space, rows, layer.self_out, layer.self_norm)
    read(sizes, space, rows, layer.cross_norm, layer.query)
    multiply(layer.query, space.bytes, rows, space.wide, sizes.wide_stride, STORE)
    for i in range(first, end):
        attend_to_source(sizes, space, sentences[i], beam, number, (i - first) * beam)
    add_context(sizes, space, rows, layer.cross_out, layer.cross_norm)
    feed_forward(sizes, space, rows, layer.feed_forward)


@compiled
def step(
    sizes: Array,
    layers: Array,
    workspace: Array,
    positions: int,
    sentences: Array,
    ids: Array,
    log_probs: Array,
    best: Array,
    best_ids: Array,
    best_beams: Array,
) -> None:
    """Feed one id to each of K beams of B sentences, and choose their best continuations.

    Args:
        sizes: (1,) of the model.
        layers: (L,) of the decoder.
        workspace: (1,) with room for `ROWS_AT_ONCE` rows, or K if that is more.
        positions: address of (T, D) float32, vectors of positions.
        sentences: (B,) `SENTENCE`, whose steps are counted here.
        ids: (B, K) int64, what each beam produced last.
        log_probs: (B, K) float32 in nats, of the beams so far.
        best: (B, C) float32, receives log-probabilities in nats, best first.
        best_ids: (B, C) int64, receives ids.
        best_beams: (B, C) int64, receives the beams that they continue.
    """
    own, space, beam = sizes[0], workspace[0], ids.shape[1]
    at_once = max(1, ROWS_AT_ONCE // beam)
    for first in range(0, len(sentences), at_once):
        end = min(len(sentences), first + at_once)
        for i in range(first, end):
            position = positions + 4 * sentences[i].steps * own.d_model
            for j in range(beam):
                x = space.x + ((i - first) * beam + j) * own.x_stride
                embed(own, position, ids[i, j], x)
        for number in range(len(layers)):
            run_layer(own, space, sentences, first, end, beam, layers[number], number)
        compute_logits(own, space, (end - first) * beam)
        for i in range(first, end):
            row = (i - first) * beam
            choose(own, space, row, log_probs[i], best[i], best_ids[i], best_beams[i])
            sentences[i].steps += 1
