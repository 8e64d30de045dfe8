"""A trained Transformer made ready to translate in floats, on any device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from translator.model.choices import refuse_foreign
from translator.model.positions import FEW_POSITIONS, position_vectors
from translator.model.transformer import Transformer
from translator.runtime.thread_count import multiply_adds, threads_worth
from translator.runtime.torchscript.best_ids import FORBIDDEN
from translator.runtime.torchscript.decoder import FusedStep
from translator.runtime.torchscript.encoder import FusedEncoder
from translator.runtime.torchscript.kv_cache import (
    BLOCK,
    FloatMemory,
    FloatSlots,
    in_blocks,
    length_mask,
)
from translator.runtime.torchscript.linear import PLACE
from translator.runtime.torchscript.tracing import frozen
from translator.search.rows import Array, round_up

ROWS_MULTIPLE, MANY_IDS = 64, 128
"""oneDNN prepares itself anew for every number of rows (1 ms, 0.3 MB a layer): let them be few.

So many ids and more are filled up to a multiple of 64, fewer to whole blocks.
"""

PORTION = 512
"""Source ids that are read together: what follows them through the layers stays in the caches."""


class InferenceModel:
    """Encodes sources and takes decoder steps; see `linear.py`.

    Attributes:
        num_bytes: memory of the weights.
    """

    def __init__(
        self,
        model: Transformer,
        forbidden_ids: Sequence[int] = (),
        *,
        freeze: bool = True,
    ) -> None:
        """Arrange the weights.

        Args:
            model: in evaluation mode; its weights are copied.
            forbidden_ids: ids that are never produced and take no share of the probability.
            freeze: compile with TorchScript, which takes a tenth of a second.

        Raises:
            ConfigError: a choice of the model's configuration is unknown here.
        """
        refuse_foreign(model.config, PLACE)
        self.config, self.device = model.config, model.embedding.weight.device
        bias = torch.zeros(model.config.vocab_size, device=self.device)
        bias[list(forbidden_ids)] = FORBIDDEN
        self.encoder: Any = FusedEncoder(model).eval()
        self.decoder: Any = FusedStep(model, bias).eval()
        self.num_bytes = sum(weight.nbytes for weight in model.parameters())
        if freeze:
            self.encoder, self.decoder = frozen(self.encoder), frozen(self.decoder)
        steps = torch.arange(FEW_POSITIONS)
        self._positions = position_vectors(self.config, steps).to(self.device)
        self._work_per_id = multiply_adds(model, 1, 0)
        self._work_per_row = multiply_adds(model, 0, 1)

    def position_table(self, length: int) -> Tensor:
        """Return the vectors of at least the first `length` positions."""
        if length > self._positions.size(0):
            steps = torch.arange(2 * length, device=self.device)
            self._positions = position_vectors(self.config, steps)
        return self._positions

    def encode(self, sources: Sequence[Sequence[int]]) -> FloatMemory:
        """Read sources: B id sequences, best in order of length, in portions that caches hold."""
        lengths, config = tuple(map(len, sources)), self.config
        batch, width, heads = len(lengths), in_blocks(max(lengths)), config.num_heads
        d_k = config.d_model // heads
        shapes = (batch, heads, d_k, width), (batch, heads, width, d_k)
        keys_values = [
            (torch.empty(shapes[0], device=self.device), torch.empty(shapes[1], device=self.device))
            for _ in range(config.num_decoder_layers)
        ]
        for places in portions(lengths):
            found = self._encode(sources[places])
            for (keys, values), both in zip(keys_values, found, strict=True):
                end = both.size(3)
                keys[places, :, :, :end], keys[places, :, :, end:] = both[0].transpose(2, 3), 0
                values[places, :, :end], values[places, :, end:] = both[1], 0
        return FloatMemory(lengths, keys_values)

    def _encode(self, sources: Sequence[Sequence[int]]) -> list[Tensor]:
        """Read sources together; return keys and values (2, B, H, S, K) of each decoder layer."""
        lengths, device = tuple(map(len, sources)), self.device
        total, width = sum(lengths), in_blocks(max(lengths))
        num_rows = round_up(total, ROWS_MULTIPLE if total > MANY_IDS else BLOCK)
        ids = torch.tensor([piece_id for source in sources for piece_id in source])
        steps, number = torch.arange(width), torch.tensor(lengths)[:, None]
        rows = number.cumsum(0).sub_(number) + torch.minimum(steps, number - 1)
        places = (steps < number).flatten().nonzero().flatten()
        ids, places = repeat_last(ids, num_rows), repeat_last(places, num_rows)
        positions = self.position_table(width).index_select(0, (places % width).to(device))
        mask = length_mask(lengths, width, device)
        with threads_worth(num_rows * self._work_per_id):
            found: list[Tensor] = self.encoder(
                ids.to(device), positions, rows.to(device), places.to(device), mask
            )
        return found

    def slots(self, memory: FloatMemory, beam_size: int) -> FloatSlots:
        """Return slots with `beam_size` rows for each sentence; takes over the memory's tensors."""
        return FloatSlots(memory, beam_size)

    def step(
        self,
        ids: Array,
        slots: FloatSlots,
        count: int = 1,
        beam_log_probs: Array | None = None,
    ) -> tuple[Array, Array, Array]:
        """Feed one id to every row.

        Args:
            ids: (B, K) int64, what each of K beams of B sentences produced last.
            slots: where the beams stand; moved on by one position.
            count: C, how many of the best continuations of each sentence are wanted.
            beam_log_probs: (B, K) in nats, of what each beam has produced so far; None if K is 1,
                and so is C.

        Returns:
            log-probabilities in nats of beams and ids together, float32, ids, and which of the
            sentence's beams each continues, int64: (B, C), best first.
        """
        assert beam_log_probs is not None or slots.beam_size == count == 1
        slots.make_room()
        so_far = (
            None
            if beam_log_probs is None
            else torch.tensor(beam_log_probs, dtype=torch.float32, device=self.device)
        )
        with threads_worth(ids.size * self._work_per_row):
            best: tuple[Tensor, Tensor, Tensor] = self.decoder(
                torch.tensor(ids.reshape(-1), device=self.device),
                slots.positions,
                self.position_table(slots.longest + 1),
                slots.width,
                slots.caches,
                slots.mask,
                slots.memory.keys_values,
                slots.memory_mask,
                so_far,
                count,
            )
        slots.move_on()
        log_probs, best_ids, beams = (one.contiguous().cpu().numpy() for one in best)
        return log_probs, best_ids, beams


def repeat_last(x: Tensor, length: int) -> Tensor:
    """Return `x` (n,) with its last element repeated until there are `length`."""
    return torch.cat([x, x[-1:].expand(length - x.size(0))])


def portions(lengths: Sequence[int]) -> Iterator[slice]:
    """Yield the places of sentences, in portions of `PORTION` padded ids or one sentence."""
    first = longest = 0
    for place, length in enumerate(lengths):
        longest = max(longest, length)
        if place > first and (place - first + 1) * longest > PORTION:
            yield slice(first, place)
            first, longest = place, length
    yield slice(first, len(lengths))
