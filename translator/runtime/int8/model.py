"""A trained Transformer in int8, made ready to translate on the CPU."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import NoReturn, Self

import numpy as np
import torch

from translator.model.positions import FEW_POSITIONS, position_vectors
from translator.model.transformer import Transformer
from translator.runtime.int8.decoder import ROWS_AT_ONCE, step
from translator.runtime.int8.encoder import encode
from translator.runtime.int8.layout import Layout, make_workspace
from translator.runtime.int8.slots import Block, Int8Memory, Int8Slots, Pool
from translator.runtime.kernels.products import memory_size
from translator.search.rows import Array, round_up
from translator.tokens.special_ids import check_ids

PORTION = 256
"""Source ids that are read together: what follows them through the layers stays in the caches."""

Sources = Sequence[Sequence[int]]


class Workspace:
    """Memory for what is computed on the way.

    Attributes:
        array: (1,) `WORKSPACE`.
    """

    def __init__(self, model_array: Array) -> None:
        """Begin with little, for the model of this `MODEL` record."""
        self._model_array, self._room = model_array, [0, 0, 0]
        self.make_room(PORTION, PORTION, ROWS_AT_ONCE)

    def make_room(self, rows: int, places: int, logits_rows: int = 0) -> None:
        """See to it that there is room for so many rows, each of which attends to so many places.

        Args:
            rows: of the residual stream.
            places: that each of them attends to.
            logits_rows: those whose logits are computed.
        """
        if rows > self._room[0] or places > self._room[1] or logits_rows > self._room[2]:
            wanted = rows, round_up(places, PORTION), logits_rows
            self._room = [max(both) for both in zip(wanted, self._room, strict=True)]
            self.array, self._memory = make_workspace(self._model_array, *self._room)


class Int8Model:
    """Encodes sources and takes decoder steps; see `running_batch.StepModel`.

    Of one thread only; others get its `twins`.
    """

    def __init__(self, model: Transformer, forbidden_ids: Sequence[int]) -> None:
        """Quantise the weights.

        Args:
            model: in evaluation mode, on the CPU.
            forbidden_ids: ids that are never produced and take no share of the probability.

        Raises:
            ConfigError: a layer has weights that are not finite, or a choice of the model's
                configuration is unknown here.
        """
        self.config = model.config
        self._layout = Layout(model, forbidden_ids)
        record = self._layout.model[0]
        self._width = int(record["num_heads"] * record["d_k"])  # of a key of all heads
        self._pool = Pool()
        self._positions = self._vectors_of(FEW_POSITIONS)
        self._workspace = Workspace(self._layout.model)

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights, which twins share."""
        return self._layout.num_bytes

    def twins(self, count: int) -> list[Self]:
        """Return this and others with the same weights, for so many threads."""
        twins = [self, *(copy.copy(self) for _ in range(count - 1))]
        for twin in twins[1:]:
            twin._pool, twin._workspace = Pool(), Workspace(self._layout.model)
        return twins

    def _vectors_of(self, length: int) -> tuple[Array, int]:
        """Return the vectors of the first positions, and their address."""
        table = position_vectors(self.config, torch.arange(length)).contiguous().numpy()
        return table, int(table.ctypes.data)

    def _position_table(self, length: int) -> int:
        """Return the address of the vectors of at least the first `length` positions."""
        if length > len(self._positions[0]):
            self._positions = self._vectors_of(2 * length)
        return self._positions[1]

    def slots(self, memory: Sequence[Int8Memory], beam_size: int) -> Int8Slots:
        """Return slots with K rows for each of these sentences."""
        slots = Int8Slots(self._pool, self.config.num_decoder_layers, self._width, beam_size)
        slots.join(memory)
        return slots

    def encode(self, sources: Sources) -> list[Int8Memory]:
        """Read sources: B id sequences.

        Raises:
            ValueError: one is empty, or has an id that is not in the vocabulary.
        """
        for ids in sources:  # what is not there would be read from memory that is not ours
            check_ids("source ids", ids, self.config.vocab_size)
        num_layers = self.config.num_decoder_layers
        lengths = [len(ids) for ids in sources]
        found = [
            Int8Memory(Block(self._pool, num_layers * memory_size(self._width, length)), length)
            for length in lengths
        ]
        positions = self._position_table(max(lengths))
        for places in portions(lengths):
            some = sources[places]
            pieces = np.array([piece_id for source in some for piece_id in source], np.int64)
            self._workspace.make_room(len(pieces), max(lengths[places]))
            encode(
                self._layout.model,
                self._layout.encoder,
                self._layout.decoder,
                self._workspace.array,
                positions,
                pieces,
                np.array(lengths[places], np.int64),
                np.array([one.block.address for one in found[places]], np.int64),
            )
        return found

    def step(
        self,
        ids: Array,
        slots: Int8Slots,
        count: int = 1,
        beam_log_probs: Array | None = None,
    ) -> tuple[Array, Array, Array]:
        """Feed one id to every row; see `InferenceModel.step`.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        sentences, (batch, beam) = slots.sentences, ids.shape
        count = min(count, beam * self.config.vocab_size)
        _, places, positions = self.room_for_steps(slots, 1)
        log_probs = np.zeros(ids.shape) if beam_log_probs is None else beam_log_probs
        best = np.empty((batch, count), np.float32)
        best_ids, best_beams = np.empty((2, batch, count), np.int64)
        is_done = step(
            *self.step_arguments(beam, places, positions),
            sentences,
            ids,
            log_probs,
            best,
            best_ids,
            best_beams,
        )
        if not is_done:
            self.refuse(ids)
        slots.move_on()
        return best, best_ids, best_beams

    def refuse(self, ids: Array) -> NoReturn:
        """Raise ValueError: some are not in the vocabulary."""
        raise ValueError(f"ids must be in 0..{self.config.vocab_size - 1}: {ids.tolist()}")

    def room_for_steps(self, slots: Int8Slots, most: int) -> tuple[int, int, int]:
        """See to it that sentences may take steps.

        Returns:
            for how many there is room, `most` or fewer; the places that a row will attend to at
            most; the address of the vectors of positions.
        """
        slots.make_room()
        num_steps = min(most, slots.steps_left)
        end = slots.most_steps + num_steps
        return num_steps, max(end, slots.longest_source), self._position_table(end)

    def step_arguments(
        self, beam: int, places: int, positions: int
    ) -> tuple[Array, Array, Array, int]:
        """Return what `decoder.step` takes before it is told about sentences."""
        self._workspace.make_room(max(ROWS_AT_ONCE, beam), places, max(ROWS_AT_ONCE, beam))
        return self._layout.model, self._layout.decoder, self._workspace.array, positions


def portions(lengths: Sequence[int]) -> Iterator[slice]:
    """Yield the places of sources in portions of `PORTION` ids, or one source."""
    first, total = 0, 0
    for place, length in enumerate(lengths):
        if place > first and total + length > PORTION:
            yield slice(first, place)
            first, total = place, 0
        total += length
    yield slice(first, len(lengths))
