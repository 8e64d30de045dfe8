"""A trained Transformer made ready to translate, in one of several precisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from translator.batch import pad
from translator.model.fused_decoder import FusedStep
from translator.model.fused_encoder import FusedEncoder
from translator.model.kv_cache import Memory, Slots, padding_mask
from translator.model.layers import sinusoidal_positions
from translator.model.quantization import LinearFactory, float_linear
from translator.model.torchscript import frozen
from translator.model.transformer import Transformer

FORBIDDEN = -1e9
"""Logit of ids that are never produced: 2 to its power is 0."""


WORTH_PACKING = 1.15
"""Padding is left out where it is more than this much of all."""


class InferenceModel:
    """Encodes sources and takes decoder steps; see `fused.py` for how it differs from the model."""

    def __init__(
        self,
        model: Transformer,
        forbidden_ids: Sequence[int] = (),
        make_linear: LinearFactory = float_linear,
        *,
        freeze: bool = True,
    ) -> None:
        """Arrange the weights.

        Args:
            model: in evaluation mode; its weights are copied.
            forbidden_ids: ids that are never produced and take no share of the probability.
            make_linear: `float_linear`, or what `int8_linear` returns (CPU only).
            freeze: compile with TorchScript, which takes a tenth of a second.
        """
        self.config, self.device = model.config, model.embedding.weight.device
        bias = torch.zeros(model.config.vocab_size, device=self.device)
        bias[list(forbidden_ids)] = FORBIDDEN
        self.encoder: Any = FusedEncoder(model, make_linear).eval()
        self.decoder: Any = FusedStep(model, make_linear, bias).eval()
        if freeze:
            self.encoder, self.decoder = frozen(self.encoder), frozen(self.decoder)
        self._positions = model.embedding.position_table

    def positions(self, indices: Tensor, highest: int) -> Tensor:
        """Return the vectors (M, D) of positions (M,), none above `highest`."""
        if highest >= self._positions.size(0):
            steps = torch.arange(2 * highest, device=self.device)
            self._positions = sinusoidal_positions(steps, self.config.d_model)
        return self._positions.index_select(0, indices)

    def encode(self, sources: Sequence[Sequence[int]]) -> Memory:
        """Read sources: B id sequences, best of similar lengths."""
        lengths = tuple(map(len, sources))
        batch, width, places = len(lengths), max(lengths), None
        steps = torch.arange(width)
        if batch * width > WORTH_PACKING * sum(lengths):
            ids = torch.tensor([piece_id for source in sources for piece_id in source])
            indices = torch.cat([steps[:length] for length in lengths])
            firsts = torch.arange(0, batch * width, width)
            places = indices + firsts.repeat_interleave(torch.tensor(lengths))
            places = places.to(self.device)
        else:
            ids = pad(sources, self.config.pad_id).flatten()
            indices = steps.repeat(batch)
        positions = self.positions(indices.to(self.device), width)
        mask = padding_mask(lengths, self.device)
        keys_values = self.encoder(ids.to(self.device), positions, batch, places, mask, width)
        return Memory(lengths, keys_values)

    def step(self, ids: Tensor, slots: Slots, count: int = 1) -> tuple[Tensor, Tensor]:
        """Feed one id to every row.

        Args:
            ids: (N,) int64, what each row produced last.
            slots: where the rows stand; moved on by one position.
            count: C, how many of the best ids are wanted.

        Returns:
            log-probabilities (N, C) in nats and ids (N, C), best first.
        """
        slots.make_room()
        positions = self.positions(slots.row_lengths(), slots.time)
        best: tuple[Tensor, Tensor] = self.decoder(
            ids.to(self.device),
            positions,
            slots.time,
            slots.caches,
            slots.mask(),
            slots.memory.keys_values,
            slots.memory_mask,
            count,
        )
        slots.time += 1
        return best
