"""Memory that is used again: what is kept of a source, and what is computed on the way.

A sentence has its own few rows of the output matrix if there is a shortlist.

Letters: V pieces, n of them on a shortlist.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from translator.jit import record_type
from translator.runtime.compiled.decoder import ROWS_AT_ONCE
from translator.runtime.compiled.layout import FEW_STRIDE, Layout
from translator.runtime.kernels.panels import NATS_PER_BIT
from translator.runtime.kernels.records import PANEL, aligned
from translator.runtime.kernels.vectors import LANES, UNIT_BYTES
from translator.runtime.plan import FORBIDDEN, Plan
from translator.search.rows import Array, round_up
from translator.tokens.shortlist import Shortlist

SIZE_STEP = 1 << 14
"""Blocks of memory come in multiples of so many bytes, so that others can use them again."""

MOST_FREE = 1 << 26
"""Bytes that are kept for later; what is beyond goes back to the system."""

NOTHING = aligned(0, np.uint8)
"""What a block has that got no memory."""


class Pool:
    """Memory that is used again: what comes fresh from the system costs a fault for every page."""

    def __init__(self) -> None:
        self._free: dict[int, list[Array]] = defaultdict(list)
        self._num_free = 0

    def take(self, num_bytes: int) -> Array:
        """Return so many bytes or more."""
        rounded = round_up(num_bytes, SIZE_STEP)
        if self._free[rounded]:
            self._num_free -= rounded
            return self._free[rounded].pop()
        return aligned(rounded, np.uint8)

    def give(self, block: Array) -> None:
        """Take back what `take` returned; if that is too much, the largest blocks are let go."""
        self._free[block.size].append(block)
        self._num_free += block.size
        while self._num_free > MOST_FREE:
            largest = max(size for size, blocks in self._free.items() if blocks)
            self._free[largest].pop()
            self._num_free -= largest


class Block:
    """Memory from a pool, to which it returns when no one refers to it any more."""

    def __init__(self, pool: Pool, num_bytes: int) -> None:
        self._pool = pool
        self.memory = NOTHING  # to give back if there is no memory left
        self.memory = pool.take(num_bytes)
        self.address = int(self.memory.ctypes.data)

    def __del__(self) -> None:
        self._pool.give(self.memory)


class Listed(NamedTuple):
    """The output layer of a sentence's shortlist."""

    linear: tuple[Any, ...]  # fields of its record
    address: int  # of the ids of its outputs, int64
    num_ids: int  # n
    block: Block  # memory of all of that


class OutputLists:
    """Takes rows out of the output layer of a model, for one sentence after the other."""

    def __init__(self, layout: Layout, plan: Plan[Any]) -> None:
        """Find the rows; nothing of them is copied yet."""
        assert plan.shortlist is not None
        self._shortlist: Shortlist = plan.shortlist
        record = layout.model[0]["logits"]
        self._weights, self._outputs = layout.weights.views(record)
        self._fields = dict(zip(record.dtype.names, record.item(), strict=True))
        self._bias_part = layout.weights.bias_part

    def of(self, source_ids: Sequence[int], pool: Pool) -> Listed:
        """Return the output layer for a sentence, in memory of a pool."""
        ids = self._shortlist.of(source_ids)
        panels = round_up(len(ids), PANEL) // PANEL
        weight_bytes, output_bytes = (
            panels * int(self._fields[name]) for name in ("panel_bytes", "output_bytes")
        )
        block = Block(pool, weight_bytes + output_bytes + 8 * len(ids))
        memory, ends = block.memory, np.cumsum([weight_bytes, output_bytes, 8 * len(ids)])
        weights, outputs, listed = np.split(memory[: ends[-1]], ends[:-1])
        filled = np.resize(ids, panels * PANEL)
        self._take_weights(filled, weights.view(self._weights.dtype))
        self._take_outputs(filled, len(ids), outputs.view(np.float32).reshape(panels, -1, PANEL))
        listed.view(np.int64)[:] = ids
        addresses = {
            "weight": block.address,
            "outputs": block.address + weight_bytes,
            "panels": panels,
        }
        linear = tuple((self._fields | addresses).values())
        return Listed(linear, block.address + weight_bytes + output_bytes, len(ids), block)

    def _take_weights(self, ids: Array, to: Array) -> None:
        """Write rows of the matrix, a panel after the other, in the order of tiles."""
        _, parts, depth, width, lanes = self._weights.shape
        columns = width * lanes
        panel, place = np.divmod(ids, PANEL)
        part, column = np.divmod(place, columns)
        starts = (panel * parts + part) * depth * columns + column
        along = np.arange(depth)[:, None] * columns
        places = starts.reshape(-1, parts, 1, columns) + along  # (panels, parts, depth, columns)
        # `clip` takes no copy of `out`; every place is one
        self._weights.ravel().take(places, out=to.reshape(places.shape), mode="clip")

    def _take_outputs(self, ids: Array, count: int, to: Array) -> None:
        """Write what is known of outputs; those that only fill up are never produced."""
        panel, place = np.divmod(ids, PANEL)
        to[:] = self._outputs[panel, :, place].reshape(len(to), PANEL, -1).transpose(0, 2, 1)
        biases = to[:, self._bias_part].reshape(-1)
        biases[count:] = FORBIDDEN / NATS_PER_BIT
        to[:, self._bias_part] = biases.reshape(len(to), PANEL)


class SourceMemory(NamedTuple):
    """What is remembered of a source."""

    block: Block  # keys and values
    length: int  # of the source, in ids
    listed: Listed | None  # output layer of its shortlist; None if it may have all pieces


PORTION = 256
"""Source ids that are read together: what follows them through the layers stays in the caches."""

WORKSPACE = record_type(
    [(name, "i8") for name in ("x", "row", "inputs", "units", "inner", "wide", "context", "scores")]
    + [(name, "i8") for name in ("memory", "entries", "logits", "maxima", "highest", "totals")]
    + [("best_ids", "i8")]
)
"""Addresses of memory for what is computed on the way."""


class Workspace:
    """Memory for what is computed on the way; `array` is (1,) `WORKSPACE`."""

    def __init__(self, layout: Layout) -> None:
        self._layout, self._room = layout, [0, 0, 0]
        self.make_room(PORTION, PORTION, ROWS_AT_ONCE)

    def make_room(self, rows: int, places: int, logits_rows: int = 0) -> None:
        """See to it that there is room for so many rows, each of which attends to so many places.

        The logits of `logits_rows` are computed together.
        """
        if rows > self._room[0] or places > self._room[1] or logits_rows > self._room[2]:
            wanted = rows, round_up(places, PORTION), logits_rows
            self._room = [max(both) for both in zip(wanted, self._room, strict=True)]
            lengths = self._lengths(*self._room)
            ends = np.cumsum([round_up(int(length), 64) for length in lengths.values()])
            self._memory = aligned(int(ends[-1]), np.uint8)
            starts = self._memory.ctypes.data + np.concatenate([[0], ends[:-1]])
            self.array = np.array([tuple(int(start) for start in starts)], WORKSPACE)

    def _lengths(self, rows: int, places: int, logits_rows: int) -> dict[str, Any]:
        model, input_bytes = self._layout.model[0], self._layout.weights.input_bytes
        heads = int(model["num_heads"] * model["d_k"])
        widest = round_up(max(int(model["d_model"]), int(model["d_ff"]), heads), PANEL)
        return {
            "x": rows * model["x_stride"],
            "row": 4 * widest,
            "inputs": rows * widest * input_bytes,
            "units": rows * UNIT_BYTES,
            "inner": rows * round_up(int(model["d_ff"]), PANEL) * input_bytes,
            "wide": (rows + LANES) * model["wide_stride"],  # whole vectors of keys are looked at
            "context": rows * model["context_stride"],
            "scores": max(rows, 1) * places * 4,
            "memory": model["number_bytes"] * 2 * heads * places,
            "entries": places * 4,
            "logits": logits_rows * max(int(model["logits_stride"]), FEW_STRIDE),
            "maxima": logits_rows * model["logits_stride"] // PANEL,
            "highest": logits_rows * 4,
            "totals": logits_rows * 4,
            "best_ids": logits_rows * 8,
        }
