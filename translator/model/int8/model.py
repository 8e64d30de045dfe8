"""A trained Transformer in int8, made ready to translate on the CPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch

from translator.model.int8.decoder import ROWS_AT_ONCE, step
from translator.model.int8.encoder import encode, memory_size
from translator.model.int8.layout import Layout, make_workspace
from translator.model.int8.slots import Block, Pool, Slots
from translator.model.layers import sinusoidal_positions
from translator.model.linear import Range
from translator.model.transformer import Transformer

PORTION = 128
"""Source ids that are read together: what follows them through the layers stays in the caches."""

Memory = list[tuple[Block, int]]
"""What is remembered of each source, and its length."""


def is_possible() -> bool:
    """Return whether this CPU multiplies bytes in the way that `tile.py` asks of it."""
    return bool(torch.cpu._is_vnni_supported())


class Int8Model:
    """Encodes sources and takes decoder steps; see `StepModel`."""

    def __init__(
        self, model: Transformer, forbidden_ids: Sequence[int], ranges: Mapping[str, Range]
    ) -> None:
        """Quantise the weights.

        Args:
            model: in evaluation mode, on the CPU.
            forbidden_ids: ids that are never produced and take no share of the probability.
            ranges: of the input of each layer, by name.

        Raises:
            ConfigError: a layer has no range.
        """
        self.config = model.config
        self._layout = Layout(model, forbidden_ids, ranges)
        self._pool = Pool()
        self._positions = sinusoidal_positions(torch.arange(512), self.config.d_model).numpy()
        self._room = (0, 0)
        self._make_room(PORTION, PORTION)

    def _make_room(self, rows: int, places: int) -> None:
        """See to it that the workspace and the table of positions are large enough."""
        if places > len(self._positions):
            steps = torch.arange(2 * places)
            self._positions = sinusoidal_positions(steps, self.config.d_model).numpy()
        if rows > self._room[0] or places > self._room[1]:
            self._room = max(rows, self._room[0]), max(places, self._room[1])
            self._space, self._space_memory = make_workspace(
                self._layout.sizes, *self._room, min(max(ROWS_AT_ONCE, rows), self._room[0])
            )

    def slots(self, memory: Memory, beam_size: int) -> Slots:
        """Return slots with K rows for each of these sentences."""
        own = self._layout.sizes[0]
        width = int(own["num_heads"] * own["d_k"])
        slots = Slots(self._pool, self.config.num_decoder_layers, width, beam_size)
        slots.join(memory)
        return slots

    def encode(self, sources: Sequence[Sequence[int]]) -> Memory:
        """Read sources: B id sequences."""
        layout, found = self._layout, list[tuple[Block, int]]()
        for some in portions(sources):
            lengths = np.array([len(ids) for ids in some])
            total = int(lengths.sum())
            self._make_room(total, int(lengths.max()))
            sizes = (memory_size(layout.sizes, len(layout.decoder), len(ids)) for ids in some)
            blocks = [Block(self._pool, size) for size in sizes]
            encode(
                layout.sizes,
                layout.encoder,
                layout.decoder,
                self._space,
                self._positions,
                np.fromiter((piece_id for ids in some for piece_id in ids), np.int32, total),
                lengths,
                np.array([block.address for block in blocks]),
            )
            found += zip(blocks, lengths.tolist(), strict=True)
        return found

    def step(
        self,
        ids: Sequence[int],
        slots: Slots,
        count: int = 1,
        beam_log_probs: Sequence[Sequence[float]] | None = None,
    ) -> tuple[list[list[float]], list[list[int]], list[list[int]]]:
        """Feed one id to every row; see `InferenceModel.step`."""
        layout, beam, batch = self._layout, slots.beam_size, len(slots.sentences)
        slots.make_room()
        longest = max(int(slots.sentences["steps"].max()) + 1, int(slots.sentences["source"].max()))
        self._make_room(max(ROWS_AT_ONCE, beam), longest)
        count = min(count, beam * self.config.vocab_size)
        best = np.empty((batch, count), np.float32)
        best_ids, best_beams = np.empty((2, batch, count), np.int64)
        so_far = np.zeros((batch, 1)) if beam_log_probs is None else beam_log_probs
        step(
            layout.sizes,
            layout.decoder,
            self._space,
            self._positions,
            slots.sentences,
            np.array(ids, np.int64).reshape(batch, beam),
            np.array(so_far, np.float32),
            best,
            best_ids,
            best_beams,
        )
        return best.tolist(), best_ids.tolist(), best_beams.tolist()


def portions(sources: Sequence[Sequence[int]]) -> Iterator[list[Sequence[int]]]:
    """Yield sources in portions of `PORTION` ids, or one source."""
    some: list[Sequence[int]] = []
    for ids in sources:
        if some and sum(map(len, some)) + len(ids) > PORTION:
            yield some
            some = []
        some.append(ids)
    yield some
