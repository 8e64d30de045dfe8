"""What the layers of a plan compute, in PyTorch's own operations; `model/` has the same to be read.

`eager.py` and `device/` have it in common. They differ in how the decoder knows the target so far,
which each of them says in its `look_back`.

Letters: B sentences of K beams, Q queries, L places that these attend to, S places of a source, H
heads of d numbers, D width, V pieces.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Self

import torch
from torch import Tensor
from torch.nn import functional as F

from translator.model.choices import chosen
from translator.model.layers import ACTIVATIONS
from translator.runtime.plan import Embedding, Linear, Network, Norm, Plan, PositionTable, mapped
from translator.search.rows import Array

LookBack = Callable[[int, Tensor], Tensor]
"""Given the number of a decoder layer and its normalised input (B, K, D): what it knows of the
target so far, as its `SelfAttention.out` reads it, or (B, K, D) of a recurrent decoder."""


def on_device(plan: Plan[Array], device: str | torch.device) -> Plan[Tensor]:
    """Return a plan of floats on a device; on the CPU it shares its memory."""
    assert not plan.is_int8, "PyTorch computes with floats"

    def moved(array: Array) -> Tensor:
        return torch.from_numpy(array).to(device)

    def positions(embedding: Embedding[Array]) -> Callable[[int], Tensor]:
        table = PositionTable(embedding, moved)
        return lambda length: table.first(length)[:length]

    there = mapped(plan, moved)
    return dataclasses.replace(
        there,
        source=dataclasses.replace(there.source, positions=positions(plan.source)),
        target=dataclasses.replace(there.target, positions=positions(plan.target)),
    )


class TorchRuntime:
    """What runtimes have in common that compute in PyTorch; see `contract.Runtime`."""

    def __init__(self, plan: Plan[Tensor]) -> None:
        self.plan, self.config, self.max_target_ids = plan, plan.config, plan.max_target_ids
        self.device = plan.output.weight.device

    @property
    def num_bytes(self) -> int:
        """Return the memory of the weights."""
        return self.plan.num_bytes

    def replicas(self, count: int) -> list[Self]:
        """Return this so many times: what it remembers is in batches."""
        return [self] * count

    def forced_scorer(self) -> None:
        """Return None: the reference scores pairs as fast."""
        return

    @contextmanager
    def at_work(self, threads: int | None) -> Iterator[None]:
        """Let the calling thread compute without gradients, and with so many threads of the CPU."""
        if threads is not None:
            torch.set_num_threads(threads)
        with torch.inference_mode():
            yield


def normed(x: Tensor, norm: Norm[Tensor] | None) -> Tensor:
    """Return x normalised, or as it is without a norm."""
    if norm is None:
        return x
    return F.layer_norm(x, norm.weight.shape, norm.weight, norm.bias, norm.eps)


class Layers:
    """Encoder and decoder over a residual stream; the plan's weights are used as they are."""

    def __init__(self, plan: Plan[Tensor]) -> None:
        self.plan, self._activation = plan, chosen(plan.config, "activation", ACTIVATIONS)
        self._columns = plan.config.num_heads * plan.d_k

    def linear(self, x: Tensor, layer: Linear[Tensor]) -> Tensor:
        """Return x W^T + b."""
        return F.linear(x, layer.weight, layer.bias)

    def attend(self, query: Tensor, keys_values: Tensor, mask: Tensor) -> Tensor:
        """Return contexts (B, Q, H · d) of queries of the same shape.

        Nothing is copied: heads are looked at where they lie, in (B, L, 2, H, d), of the type in
        which they are kept. The mask (B, 1, 1 or Q, L) is added; or it is bool, True = attend.
        """
        key, value = keys_values.transpose(1, 3).unbind(2)  # (B, H, L, d) each
        by_head = query.view(*query.shape[:2], *keys_values.shape[3:]).transpose(1, 2).to(key.dtype)
        context = F.scaled_dot_product_attention(by_head, key, value, attn_mask=mask)
        return context.transpose(1, 2).flatten(2).to(query.dtype)

    def encoder(self, x: Tensor, mask: Tensor) -> list[Tensor]:
        """Return keys and values for each decoder layer, (B, S, 2, H, d).

        `x` (B, S, D) are embedded sources; for the mask (B, 1, 1, S) see `attend`.
        """

        def look_around(qkv: Linear[Tensor], h: Tensor) -> Tensor:
            return self.attend(*self.parts(self.linear(h, qkv)), mask)

        for layer in self.plan.encoder:
            x = self._residual(x, layer.norm, partial(look_around, layer.qkv), layer.attention_out)
            x = self._feed_forward(x, layer.feed_forward)
        memory = normed(x, self.plan.encoder_norm)
        return [self._by_head(self.linear(memory, layer.memory)) for layer in self.plan.decoder]

    def decoder(
        self, x: Tensor, look_back: LookBack, memory: Sequence[Tensor], mask: Tensor
    ) -> Tensor:
        """Return the logits (B, K, V) behind one more position of each beam.

        `x` (B, K, D) are the ids that are fed, `memory` the keys and values of the source for each
        layer, (B, S, 2, H, d), and the mask (B, 1, 1, S) is that of the source.
        """

        def look_at_source(query: Linear[Tensor], keys_values: Tensor, h: Tensor) -> Tensor:
            return self.attend(self.linear(h, query), keys_values, mask)

        for number, layer in enumerate(self.plan.decoder):
            out = getattr(layer.past, "out", None)  # a recurrent unit projects nothing
            x = self._residual(x, layer.self_norm, partial(look_back, number), out)
            of_source = partial(look_at_source, layer.query, memory[number])
            x = self._residual(x, layer.cross_norm, of_source, layer.cross_out)
            x = self._feed_forward(x, layer.feed_forward)
        return self.linear(normed(x, self.plan.decoder_norm), self.plan.output)

    def parts(self, projected: Tensor) -> tuple[Tensor, Tensor]:
        """Return queries (..., H · d), and keys and values (..., 2, H, d)."""
        rest = self._by_head(projected[..., self._columns :])
        return projected[..., : self._columns], rest

    def _by_head(self, projected: Tensor) -> Tensor:
        heads, d_k = self.plan.config.num_heads, self.plan.d_k
        return projected.view(*projected.shape[:-1], 2, heads, d_k)

    def _residual(
        self,
        x: Tensor,
        norm: Norm[Tensor],
        sublayer: Callable[[Tensor], Tensor],
        out: Linear[Tensor] | None,
    ) -> Tensor:
        """Return x behind a sublayer; `out` is the product that ends it."""
        if self.plan.is_pre:
            return self._added(x, sublayer(normed(x, norm)), out)
        return normed(self._added(x, sublayer(x), out), norm)

    def _added(self, x: Tensor, h: Tensor, out: Linear[Tensor] | None) -> Tensor:
        return x + (h if out is None else self.linear(h, out))

    def _feed_forward(self, x: Tensor, network: Network[Tensor]) -> Tensor:
        return self._residual(x, network.norm, partial(self._inner, network.inner), network.out)

    def _inner(self, layer: Linear[Tensor], h: Tensor) -> Tensor:
        return self._activation(self.linear(h, layer))
