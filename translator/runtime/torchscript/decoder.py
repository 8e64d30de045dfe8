"""The decoder for translation: one position at a time; see `linear.py`."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.config import ModelConfig
from translator.model.layers import DecoderLayer
from translator.model.transformer import Transformer
from translator.runtime.torchscript.best_ids import NATS_PER_BIT, BestIds
from translator.runtime.torchscript.kv_cache import BLOCK, hide_the_rest
from translator.runtime.torchscript.linear import (
    FusedFeedForward,
    Linear,
    Norm,
    is_pre_norm,
    joined,
    scaled_embedding,
)


def powers_of_two(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Return 2^(score - highest) of each row (..., S), and their sums (..., 1).

    It is `softmax` in two steps, summed with so many digits that rounding does not tell in which
    places the numbers stand: where a sentence's past lies depends on who else is being decoded, and
    its translation must not. (The product with the values adds one place after the other.)
    """
    powers = (scores - scores.amax(-1, keepdim=True)).exp2_()
    return powers, powers.sum(-1, keepdim=True, dtype=torch.float64).to(powers.dtype)


class FusedDecoderLayer(nn.Module):
    """Self-attention over the cache, cross-attention and feed-forward network of one position."""

    def __init__(self, layer: DecoderLayer, config: ModelConfig) -> None:
        """Take over the weights of one layer."""
        super().__init__()
        heads, cross = layer.self_attention, layer.cross_attention
        self.num_heads, self.is_pre = heads.num_heads, is_pre_norm(config)
        self.self_norm = Norm(layer.self_attention_residual.norm)
        qkv = joined(heads, "query", "key", "value", unit=NATS_PER_BIT)
        self.qkv = Linear(*qkv)
        self.self_out = Linear(*joined(heads, "out"))
        self.cross_norm = Norm(layer.cross_attention_residual.norm)
        self.query = Linear(*joined(cross, "query"))
        self.cross_out = Linear(*joined(cross, "out"))
        self.feed_forward = FusedFeedForward(
            layer.feed_forward, layer.feed_forward_residual, config
        )

    def attend_to_itself(self, x: Tensor, cache: Tensor, width: int, mask: Tensor | None) -> Tensor:
        """Write the keys and values of this position into the cache, and attend to all so far.

        Args:
            x: (N, D), sentence-major, N = B · beam.
            cache: (2, B, H, capacity, K), keys and values in the places of each sentence.
            width: places written so far; the beams write side by side behind them.
            mask: (B or 1, 1, beam, S) float; None if all rows see all of S = width + beam places.
        """
        _, batch, heads, capacity, d_k = cache.shape
        beam = x.size(0) // batch
        written = width + beam
        seen = mask.size(3) if mask is not None else written
        qkv = self.qkv(x).view(batch, beam, 3, heads, d_k)
        cache[:, :, :, width:written] = qkv[:, :, 1:].permute(2, 0, 3, 1, 4)
        query = qkv[:, :, 0].transpose(1, 2).reshape(batch * heads, beam, d_k)
        places = cache.view(2, batch * heads, capacity, d_k)[:, :, :seen]
        scores = torch.bmm(query, places[0].transpose(1, 2))  # (B·H, beam, seen), in bits
        if mask is not None:
            scores = scores.view(batch, heads, beam, seen).add_(mask).view(scores.shape)
        weights, total = powers_of_two(scores)
        context = torch.bmm(weights, places[1]).div_(total)
        if beam > 1:
            context = context.view(batch, heads, beam, d_k).transpose(1, 2)
        out: Tensor = self.self_out(context.reshape(x.shape))
        return out

    def attend_to_memory(
        self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor | None
    ) -> Tensor:
        """Attend from N = B · beam rows to the sources of B sentences.

        Args:
            x: (N, D), sentence-major.
            memory: keys (B, H, K, S) and values (B, H, S, K).
            mask: (B, 1, 1, S) float; None if nothing is padded.
        """
        num_rows, d_model, heads = x.size(0), x.size(1), self.num_heads
        batch, width = memory[0].size(0), memory[0].size(3)
        d_k, beam = d_model // heads, num_rows // batch
        query = self.query(x)
        if beam == 1:
            query = query.view(batch * heads, 1, d_k)
        else:
            query = query.view(batch, beam, heads, d_k).transpose(1, 2)
            query = query.reshape(batch * heads, beam, d_k)
        scores = torch.bmm(query, memory[0].view(batch * heads, d_k, width))  # (B·H, beam, S)
        if mask is not None:
            scores = scores.view(batch, heads, beam, width).add_(mask).view(scores.shape)
        context = torch.bmm(scores.softmax(-1), memory[1].view(batch * heads, width, d_k))
        if beam > 1:
            context = context.view(batch, heads, beam, d_k).transpose(1, 2)
        out: Tensor = self.cross_out(context.reshape(num_rows, d_model))
        return out

    def forward(
        self,
        x: Tensor,
        cache: Tensor,
        width: int,
        mask: Tensor | None,
        memory: tuple[Tensor, Tensor],
        memory_mask: Tensor | None,
    ) -> Tensor:
        """Map the residual stream x (N, D) of one position a row."""
        if self.is_pre:
            x = self.attend_to_itself(self.self_norm(x), cache, width, mask).add_(x)
            x = self.attend_to_memory(self.cross_norm(x), memory, memory_mask).add_(x)
        else:
            x = self.self_norm(self.attend_to_itself(x, cache, width, mask).add_(x))
            x = self.cross_norm(self.attend_to_memory(x, memory, memory_mask).add_(x))
        out: Tensor = self.feed_forward(x)
        return out


class FusedStep(nn.Module):
    """One step of the decoder: ids in, the most probable next ids out."""

    def __init__(self, model: Transformer, bias: Tensor) -> None:
        """Take over the weights of the decoder.

        Args:
            model: gives them.
            bias: (V,), added to the logits.
        """
        super().__init__()
        self.embedding = scaled_embedding(model)
        self.layers = nn.ModuleList(
            FusedDecoderLayer(layer, model.config)
            for layer in model.decoder_layers
            if isinstance(layer, DecoderLayer)
        )
        self.norm = Norm(model.decoder_norm)
        weight = model.embedding.weight.detach() / NATS_PER_BIT
        self.logits = Linear(weight, bias / NATS_PER_BIT)
        self.block = BLOCK
        self.best_ids = BestIds(model.config.vocab_size)

    def forward(
        self,
        ids: Tensor,
        positions: Tensor,
        position_table: Tensor,
        width: int,
        caches: list[Tensor],
        mask: Tensor | None,
        memories: list[tuple[Tensor, Tensor]],
        memory_mask: Tensor | None,
        beam_log_probs: Tensor | None,
        count: int,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Take one step in each of N = B · beam rows.

        Args:
            ids: (N,) int64, the piece each row produced last.
            positions: (B,) int64, how many pieces each sentence's rows have produced.
            position_table: (positions, D) float.
            width: places of the caches written so far.
            caches: one (2, B, H, capacity, K) a layer, written in place.
            mask: (B, beam, capacity) float, written in place; None if every row sees everything.
            memories: keys (B, H, K, S) and values (B, H, S, K) of each layer.
            memory_mask: (B, 1, 1, S) float; None if nothing is padded.
            beam_log_probs: (B, beam); None for the best id of each row.
            count: C, of the best continuations of a sentence.

        Returns:
            log-probabilities in nats, ids and beams (B, C), best first; see `BestIds`.
        """
        batch = positions.size(0)
        beam = ids.size(0) // batch
        written = width + beam
        blocks = (written + self.block - 1) // self.block
        seen: Tensor | None = None
        if mask is not None:
            mask[:, :, width:written].diagonal(0, 1, 2).zero_()  # each beam sees itself
            seen = mask[:, None, :, : blocks * self.block]
        elif written < blocks * self.block:
            seen = hide_the_rest(written, blocks * self.block, positions.device)
        x = F.embedding(ids, self.embedding).view(batch, beam, -1)
        x = x.add_(position_table.index_select(0, positions)[:, None]).view(batch * beam, -1)
        for i, layer in enumerate(self.layers):
            x = layer(x, caches[i], width, seen, memories[i], memory_mask)
        logits = self.logits(self.norm(x))  # in bits: 2^x takes a quarter of the time of e^x
        best: tuple[Tensor, Tensor, Tensor] = self.best_ids(logits, beam_log_probs, count)
        return best
