"""Encoder and decoder of a plan over tensors of fixed shapes; the same lines as in `model/`.

A beam's past is not copied when another beam continues it. All beams of a sentence attend to the
keys of all of them, and a mask says which of these each one or its forebears wrote. So every key is
read once a step and nothing else is moved.

Letters: B sentences of K beams, S places of a source, T positions of a target, H heads of d
numbers, D width, V pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from translator.model.recurrence import recur
from translator.runtime.device.slots import Slots
from translator.runtime.layers import Layers, normed
from translator.runtime.plan import Embedding, Linear, Network, Plan, Recurrence

ENCODED_AT_ONCE = 32_768
"""Places of sources, padding included, that are read together, or one source."""

ALIKE = 0.75
"""Sources that are read together have at least so much of the longest one's length."""


class DeviceNetwork(Layers):
    """Reads sources, and feeds ids to the decoder."""

    def __init__(self, plan: Plan[Tensor]) -> None:
        """Use a plan that has been `narrowed`; layers are all of one type."""
        super().__init__(plan)
        self.dtype, self.device = plan.output.weight.dtype, plan.output.weight.device

    def _inner(self, layer: Linear[Tensor], h: Tensor) -> Tensor:
        if self.plan.activation != "relu":
            return super()._inner(layer, h)
        rows = h.flatten(0, 1)  # PyTorch's one product with an activation in it takes matrices
        inner = torch._addmm_activation(layer.bias, rows, layer.weight.T)
        return inner.view(*h.shape[:2], -1)

    def _added(self, x: Tensor, h: Tensor, out: Linear[Tensor] | None) -> Tensor:
        return x.add_(h if out is None else self.linear(h, out))

    def _feed_forward(self, x: Tensor, network: Network[Tensor]) -> Tensor:
        """Add to x in place: the last product is the sum, too, since its bias is in its matrix."""
        inner = self._inner(network.inner, normed(x, network.norm) if self.plan.is_pre else x)
        x.view(-1, x.size(2)).addmm_(inner.flatten(0, 1), network.out.weight.T)
        return x if self.plan.is_pre else normed(x, network.norm)

    def _embed(self, embedding: Embedding[Tensor], ids: Tensor, positions: Tensor) -> Tensor:
        """Return (B, N, D) of ids (B, N) and the vectors of positions, which can be added."""
        vectors = F.embedding(ids, embedding.weight)
        return torch.add(positions, vectors, alpha=embedding.scale).to(self.dtype)

    def positions(self, embedding: Embedding[Tensor], length: int) -> Tensor:
        """Return vectors of the first positions, (length, D) float32; 0 where there are none."""
        most = min(length, embedding.num_positions)
        vectors = embedding.positions(most)
        return F.pad(vectors, (0, 0, 0, length - most))

    def encode(self, src: Tensor, mask: Tensor) -> list[Tensor]:
        """Return keys and values for each decoder layer, (B, S, 2, H, d).

        Ids are (B, S) int64; the mask (B, S) is added.
        """
        embedding = self.plan.source
        x = self._embed(embedding, src, self.positions(embedding, src.size(1)))
        return self.encoder(x, mask[:, None, None])

    def decode(self, slots: Slots, target: int, source: int, positions: Tensor) -> Tensor:
        """Return the logits (B · K, V) behind one more id of each beam; keep its key and value.

        T positions of the target and S places of the source are attended to.
        """
        past_mask = slots.past_mask[:, None, :, : target * slots.next_ids.size(1)]
        source_mask = slots.source_mask[:, None, None, :source]

        def look_back(number: int, h: Tensor) -> Tensor:
            weights, past = self.plan.decoder[number].past, slots.past[number]
            if isinstance(weights, Recurrence):
                return self._recur(weights, past, h)
            query, new = self.parts(self.linear(h, weights.qkv))
            past.index_put_((slots.row, slots.fed), new)
            return self.attend(query, past[:, :target].flatten(1, 2), past_mask)

        x = self._embed(self.plan.target, slots.next_ids, positions[slots.fed][:, None])
        memory = [one[:, :source] for one in slots.memory]
        return self.decoder(x, look_back, memory, source_mask).flatten(0, 1)

    def _recur(self, weights: Recurrence[Tensor], state: Tensor, h: Tensor) -> Tensor:
        candidates, gates = self.linear(h, weights.gates).chunk(2, 2)
        state.copy_(recur(candidates, gates, state))
        return state.relu().to(self.dtype)


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
