"""Encoder and decoder of a plan over tensors of fixed shapes; each line has its twin in `model/`.

A beam's past is not copied when another beam continues it. All beams of a sentence attend to the
keys of all of them, and a mask says which of these each one or its forebears wrote. So every key is
read once a step and nothing else is moved.

Letters: B sentences of K beams, S places of a source, T positions of a target, H heads of d
numbers, D width, V pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional as F

from translator.model.layers import ACTIVATIONS
from translator.model.recurrence import recur
from translator.runtime.device.slots import Slots
from translator.runtime.plan import (
    DecoderWeights,
    Embedding,
    EncoderWeights,
    Linear,
    Network,
    Norm,
    Plan,
    Recurrence,
    SelfAttention,
)

ENCODED_AT_ONCE = 32_768
"""Places of sources, padding included, that are read together, or one source."""

ALIKE = 0.75
"""Sources that are read together have at least so much of the longest one's length."""


def _linear(x: Tensor, layer: Linear) -> Tensor:
    return F.linear(x, layer.weight, layer.bias)


def _norm(x: Tensor, norm: Norm | None) -> Tensor:
    if norm is None:
        return x
    return F.layer_norm(x, norm.weight.shape, norm.weight, norm.bias, norm.eps)


def _attend(query: Tensor, keys_values: Tensor, mask: Tensor) -> Tensor:
    """Return contexts (B, Q, H · d).

    Args:
        query: (B, Q, H · d).
        keys_values: (B, L, 2, H, d).
        mask: (B, 1, 1 or Q, L), what is added.
    """
    heads, d_k = keys_values.shape[3:]
    key, value = keys_values.unbind(2)
    context = F.scaled_dot_product_attention(
        query.view(*query.shape[:2], heads, d_k).transpose(1, 2),
        key.transpose(1, 2),
        value.transpose(1, 2),
        attn_mask=mask,
    )
    return context.transpose(1, 2).flatten(2)


class DeviceNetwork:
    """Reads sources, and feeds ids to the decoder."""

    def __init__(self, plan: Plan) -> None:
        """Use the plan's weights as they are; layers are all of one type."""
        self.plan, self.dtype = plan, plan.output.weight.dtype
        self._activation = ACTIVATIONS[plan.activation]
        self._columns = plan.config.num_heads * plan.d_k

    def _residual(self, x: Tensor, norm: Norm, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        if self.plan.is_pre:
            return x + sublayer(_norm(x, norm))
        return _norm(x + sublayer(x), norm)

    def _feed_forward(self, x: Tensor, network: Network) -> Tensor:
        def both(h: Tensor) -> Tensor:
            return _linear(self._activation(_linear(h, network.inner)), network.out)

        return self._residual(x, network.norm, both)

    def _embed(self, embedding: Embedding, ids: Tensor, positions: Tensor) -> Tensor:
        """Return (B, N, D) of ids (B, N) and the vectors of positions, which can be added."""
        vectors = F.embedding(ids, embedding.weight)
        return torch.add(positions, vectors, alpha=embedding.scale).to(self.dtype)

    def positions(self, embedding: Embedding, length: int) -> Tensor:
        """Return vectors of the first positions, (length, D) float32; 0 where there are none."""
        most = min(length, embedding.num_positions)
        vectors = embedding.positions(most).to(self.plan.device, torch.float32)
        return F.pad(vectors, (0, 0, 0, length - most))

    def encode(self, src: Tensor, mask: Tensor) -> list[Tensor]:
        """Return keys and values for each decoder layer, (B, S, 2, H, d).

        Args:
            src: (B, S) int64.
            mask: (B, S), what is added for each place.
        """
        plan, shape = self.plan, (*src.shape, 2, self.plan.config.num_heads, self.plan.d_k)
        x = self._embed(plan.source, src, self.positions(plan.source, src.size(1)))
        for layer in plan.encoder:
            x = self._residual(x, layer.norm, partial(self._attend_to_all, layer, mask))
            x = self._feed_forward(x, layer.feed_forward)
        memory = _norm(x, plan.encoder_norm)
        return [_linear(memory, layer.memory).view(shape) for layer in plan.decoder]

    def _attend_to_all(self, layer: EncoderWeights, mask: Tensor, h: Tensor) -> Tensor:
        query, keys_values = self._parts(_linear(h, layer.qkv))
        by_head = keys_values.view(*h.shape[:2], 2, self.plan.config.num_heads, self.plan.d_k)
        context = _attend(query, by_head, mask[:, None, None])
        return _linear(context, layer.attention_out)

    def _parts(self, projected: Tensor) -> tuple[Tensor, Tensor]:
        """Return queries, and keys and values together."""
        return projected[..., : self._columns], projected[..., self._columns :]

    def decode(self, slots: Slots, target: int, source: int, positions: Tensor) -> Tensor:
        """Return the logits (B · K, V) behind one more id of each beam.

        Args:
            slots: of B sentences; keys and values of the new position are written to them.
            target: T, positions that are attended to.
            source: S, places that are attended to.
            positions: vectors of the decoder's positions.
        """
        plan, beam_size = self.plan, slots.next_ids.size(1)
        past_mask = slots.past_mask[:, None, :, : target * beam_size]
        source_mask = slots.source_mask[:, None, None, :source]
        place = slots.row, slots.fed
        x = self._embed(plan.target, slots.next_ids, positions[slots.fed][:, None])  # (B, K, D)
        for layer, past, memory in zip(plan.decoder, slots.past, slots.memory, strict=True):
            own = layer.past
            if isinstance(own, Recurrence):
                look_back = partial(self._recur, own, past)
            else:
                look_back = partial(self._attend_to_past, own, past, place, target, past_mask)
            x = self._residual(x, layer.self_norm, look_back)
            of_source = partial(self._attend_to_source, layer, memory[:, :source], source_mask)
            x = self._residual(x, layer.cross_norm, of_source)
            x = self._feed_forward(x, layer.feed_forward)
        return _linear(_norm(x, plan.decoder_norm), plan.output).flatten(0, 1)

    def _attend_to_past(
        self,
        weights: SelfAttention,
        past: Tensor,
        place: tuple[Tensor, Tensor],
        target: int,
        mask: Tensor,
        h: Tensor,
    ) -> Tensor:
        query, new = self._parts(_linear(h, weights.qkv))
        past.index_put_(place, new.view(*new.shape[:2], *past.shape[3:]))
        context = _attend(query, past[:, :target].flatten(1, 2), mask)
        return _linear(context, weights.out)

    def _recur(self, weights: Recurrence, state: Tensor, h: Tensor) -> Tensor:
        candidates, gates = _linear(h, weights.gates).chunk(2, 2)
        state.copy_(recur(candidates, gates, state))
        return state.relu().to(self.dtype)

    def _attend_to_source(
        self, weights: DecoderWeights, memory: Tensor, mask: Tensor, h: Tensor
    ) -> Tensor:
        return _linear(_attend(_linear(h, weights.query), memory, mask), weights.cross_out)


def portions(lengths: Sequence[int]) -> Iterator[slice]:
    """Yield the places of sources that are read together, those of like lengths."""
    first = longest = 0
    for place, length in enumerate(lengths):
        longest = max(longest, length)
        rows = place + 1 - first
        is_unlike = length < ALIKE * longest and longest > 32
        if rows > 1 and (rows * longest > ENCODED_AT_ONCE or is_unlike):
            yield slice(first, place)
            first, longest = place, length
    if lengths:
        yield slice(first, len(lengths))
