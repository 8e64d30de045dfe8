"""The memory that the functions of a model need for what is computed on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from translator.jit import record_type
from translator.runtime.compiled.decoder import ROWS_AT_ONCE
from translator.runtime.compiled.layout import FEW_STRIDE, Layout
from translator.runtime.kernels.records import PANEL, aligned
from translator.runtime.kernels.vectors import LANES, UNIT_BYTES
from translator.search.rows import round_up

PORTION = 256
"""Source ids that are read together: what follows them through the layers stays in the caches."""

WORKSPACE = record_type(
    [(name, "i8") for name in ("x", "row", "inputs", "units", "inner", "wide", "context", "scores")]
    + [(name, "i8") for name in ("memory", "entries", "logits", "maxima", "highest", "totals")]
    + [("best_ids", "i8")]
)
"""Addresses of memory for what is computed on the way."""


class Workspace:
    """Memory for what is computed on the way.

    Attributes:
        array: (1,) `WORKSPACE`.
    """

    def __init__(self, layout: Layout) -> None:
        """Begin with little, for the model of this layout."""
        self._layout, self._room = layout, [0, 0, 0]
        self.make_room(PORTION, PORTION, ROWS_AT_ONCE)

    def make_room(self, rows: int, places: int, logits_rows: int = 0) -> None:
        """See to it that there is room for so many rows, each of which attends to so many places.

        Args:
            rows: of the residual stream.
            places: that each of them attends to.
            logits_rows: those whose logits are computed together.
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
        """Return the bytes of each field of `WORKSPACE`."""
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
