"""Pieces of a source that its translation may copy though its language is not written with them.

Names come through translation as they are: "Telnice" is spelled with pieces that no English word
has. Each sentence therefore has a small output layer of its own, beside that of its language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from translator.batch import round_up
from translator.model.best_ids import FORBIDDEN
from translator.model.int8.arithmetic import Record, floats, ints, long_ints
from translator.model.int8.jit import compiled
from translator.model.int8.records import LINEAR, PANEL, Array

Own = tuple[tuple[object, ...], int, int]
"""A `LINEAR` record, the address of the pieces of its outputs, and how many there are."""


@compiled
def gather(every: Record, ids: Array, own: Record, own_ids: int) -> None:
    """Write the output layer of some pieces.

    Args:
        every: `OUTPUTS` of all pieces.
        ids: of these, int64.
        own: their layer, which is written; panels that are not full are filled up.
        own_ids: address of as many numbers, int64.
    """
    linear, depth, width = every.logits, own.depth, own.panels * PANEL
    weights, numbers = ints(own.weight, width * depth), long_ints(own_ids, len(ids))
    scales, biases = floats(own.scale, width), floats(own.bias, width)
    every_width = linear.panels * PANEL
    every_weight = ints(linear.weight, every_width * depth)
    every_scale, every_bias = floats(linear.scale, every_width), floats(linear.bias, every_width)
    for i in range(width):
        piece = ids[min(i, len(ids) - 1)]
        to = i // PANEL * depth * PANEL + i % PANEL
        there = piece // PANEL * depth * PANEL + piece % PANEL
        for place in range(0, depth * PANEL, PANEL):
            weights[to + place] = every_weight[there + place]
        if i < len(ids):
            scales[i], biases[i], numbers[i] = every_scale[piece], every_bias[piece], piece
        else:
            scales[i], biases[i] = np.float32(0.0), np.float32(FORBIDDEN)


@compiled
def gather_all(every: Array, ids: Array, ends: Array, owns: Array, own_ids: Array) -> None:
    """Write the layers of B sentences, whose pieces are one after the other in `ids`."""
    first = 0
    for i in range(len(owns)):
        if ends[i] > first:
            gather(every[0], ids[first : ends[i]], owns[i], own_ids[i])
        first = ends[i]


class Copying:
    """Knows which pieces are whose, and writes the layers of sentences."""

    def __init__(self, every: Array, outputs: Mapping[int, Sequence[int]]) -> None:
        """Keep them.

        Args:
            every: (1,) `OUTPUTS` of all pieces.
            outputs: ids that are produced for any source that begins with an id.
        """
        self._every = every
        self._common = {
            first_id: (number, frozenset(ids))
            for number, (first_id, ids) in enumerate(outputs.items(), start=1)
        }
        layer = every[0]["logits"]
        self._depth, self._unit = int(layer["depth"]), (layer["inverse"], layer["zero"])
        self.bytes_of_panel = PANEL * (4 * self._depth + 4 + 4 + 8)

    def outputs_of(self, source: Sequence[int]) -> tuple[int, list[int]]:
        """Return the number of a source's outputs, 0 if they are all, and those of its own."""
        if source[0] not in self._common:
            return 0, []
        number, common = self._common[source[0]]
        return number, sorted(set(source) - common)

    def num_bytes(self, count: int) -> int:
        """Return the bytes that a layer of so many outputs takes."""
        return round_up(count, PANEL) // PANEL * self.bytes_of_panel

    def write(self, ids: Sequence[Sequence[int]], addresses: Sequence[int]) -> list[Own]:
        """Write the layers of B sentences to memory of `num_bytes` each."""
        found: list[Own] = []
        for own, address in zip(ids, addresses, strict=True):
            panels = round_up(len(own), PANEL) // PANEL
            scale = address + 4 * self._depth * PANEL * panels
            bias = scale + 4 * PANEL * panels
            layer = (address, scale, bias, panels, self._depth, *self._unit)
            found.append((layer, bias + 4 * PANEL * panels, len(own)))
        if self._common:
            layers, own_ids, counts = zip(*found, strict=True)
            flat = np.array([one for own in ids for one in own], np.int64)
            ends, places = np.cumsum(counts), np.array(own_ids, np.int64)
            gather_all(self._every, flat, ends, np.array(list(layers), LINEAR), places)
        return found
