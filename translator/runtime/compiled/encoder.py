"""The encoder: sources one after the other, without any padding.

Letters: B sources of S pieces, L layers, D width of the residual stream.
"""

from __future__ import annotations

from translator.jit import compiled
from translator.runtime.compiled.sublayers import (
    add_context,
    attend_to_memory,
    embed,
    feed_forward,
    project,
    read,
    remember,
    source_bytes,
)
from translator.runtime.kernels.arithmetic import FIRST, NOWHERE, in_whole_vectors
from translator.search.rows import Array


@compiled
def encode(
    model_array: Array,
    encoder: Array,
    decoder: Array,
    workspace_array: Array,
    positions: int,
    ids: Array,
    lengths: Array,
    memories: Array,
) -> None:
    """Read B sources.

    Args:
        model_array: (1,) `MODEL`.
        encoder: (L,) its layers.
        decoder: (L,) the layers that will attend to the sources.
        workspace_array: (1,) `WORKSPACE` with room for all ids.
        positions: address of (S, D) float32, vectors of positions, D in whole vectors.
        ids: of one source after the other, int64.
        lengths: (B,) int64, of the sources.
        memories: (B,) int64, addresses of what is to be remembered of each, `source_bytes`
            a layer of the decoder.
    """
    model, workspace, rows = model_array[0], workspace_array[0], len(ids)
    row = FIRST
    for length in lengths:
        for place in range(length):
            vector = positions + 4 * place * in_whole_vectors(model.d_model)
            x = workspace.x + row * model.x_stride
            scales, scale = model.source_scales, model.source_scale
            embed(model, model.source, scales, scale, ids[row], vector, x)
            row += 1
    width = model.num_heads * model.d_k
    keys = workspace.wide + 4 * width
    for i in range(len(encoder)):
        layer = encoder[i]
        read(model, workspace, rows, layer.norm, layer.qkv)
        project(model, workspace, rows, layer.qkv)
        row = FIRST
        for length in lengths:
            remember(model, keys + row * model.wide_stride, length, workspace.memory)
            attend_to_memory(model, workspace, row, length, workspace.memory, length, NOWHERE)
            row += length
        add_context(model, workspace, rows, layer.attention_out, layer.norm)
        feed_forward(model, workspace, rows, layer.feed_forward)
    for i in range(len(decoder)):
        read(model, workspace, rows, model.encoder_norm, decoder[i].memory)
        project(model, workspace, rows, decoder[i].memory)
        row = FIRST
        for source in range(len(lengths)):
            length = lengths[source]
            memory = memories[source] + i * source_bytes(model, length)
            remember(model, workspace.wide + row * model.wide_stride, length, memory)
            row += length
