"""The decoder for translation: one position at a time; see `fused.py`."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.model.best_ids import NATS_PER_BIT, BestIds
from translator.model.fused import FusedFeedForward, Norm, joined, scaled_embedding
from translator.model.layers import DecoderLayer
from translator.model.linear import LayerFactory
from translator.model.transformer import Transformer


class FusedDecoderLayer(nn.Module):
    """Self-attention over the cache, cross-attention and feed-forward network of one position."""

    def __init__(self, name: str, layer: DecoderLayer, activation: str, make: LayerFactory) -> None:
        """Take over the weights of one layer."""
        super().__init__()
        heads, cross = layer.self_attention, layer.cross_attention
        self.num_heads, self.is_pre = heads.num_heads, layer.self_attention_residual.is_pre
        self.self_norm = Norm(layer.self_attention_residual.norm)
        self.qkv = make.linear(f"{name}.qkv", *joined(heads, "query", "key", "value"))
        self.self_out = make.linear(f"{name}.self_out", *joined(heads, "out"))
        self.cross_norm = Norm(layer.cross_attention_residual.norm)
        self.query = make.linear(f"{name}.query", *joined(cross, "query"))
        self.cross_out = make.linear(f"{name}.cross_out", *joined(cross, "out"))
        self.feed_forward = FusedFeedForward(
            f"{name}.feed_forward",
            layer.feed_forward,
            layer.feed_forward_residual,
            activation,
            make,
        )

    def attend_to_itself(self, x: Tensor, cache: Tensor, time: int, mask: Tensor | None) -> Tensor:
        """Write this position's key and value into the cache, and attend to all so far.

        Args:
            x: (N, D).
            cache: (2, N, H, capacity, K), keys and values.
            time: where to write.
            mask: (N, 1, 1, time + 1) float; None if every row began at 0.
        """
        num_rows, d_model, heads = x.size(0), x.size(1), self.num_heads
        d_k = d_model // heads
        qkv = self.qkv(x).view(num_rows, 3, heads, d_k)
        cache[:, :, :, time] = qkv[:, 1:].transpose(0, 1)
        query = qkv[:, 0].reshape(num_rows * heads, 1, d_k)
        seen = cache.view(2, num_rows * heads, -1, d_k)[:, :, : time + 1]
        scores = torch.bmm(query, seen[0].transpose(1, 2))  # (N·H, 1, time + 1)
        if mask is not None:
            scores = scores.view(num_rows, heads, 1, time + 1).add_(mask).view(scores.shape)
        context = torch.bmm(scores.softmax(-1), seen[1])
        out: Tensor = self.self_out(context.view(num_rows, d_model))
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
        time: int,
        mask: Tensor | None,
        memory: tuple[Tensor, Tensor],
        memory_mask: Tensor | None,
    ) -> Tensor:
        """Map the residual stream x (N, D) of one position a row."""
        if self.is_pre:
            x = self.attend_to_itself(self.self_norm(x), cache, time, mask).add_(x)
            x = self.attend_to_memory(self.cross_norm(x), memory, memory_mask).add_(x)
        else:
            x = self.self_norm(self.attend_to_itself(x, cache, time, mask).add_(x))
            x = self.cross_norm(self.attend_to_memory(x, memory, memory_mask).add_(x))
        out: Tensor = self.feed_forward(x)
        return out


class FusedStep(nn.Module):
    """One step of the decoder: ids in, the most probable next ids out."""

    def __init__(self, model: Transformer, make: LayerFactory, bias: Tensor) -> None:
        """Take over the weights of the decoder.

        Args:
            model: gives them.
            make: makes linear layers.
            bias: (V,), added to the logits.
        """
        super().__init__()
        self.embedding = scaled_embedding(model)
        self.layers = nn.ModuleList(
            FusedDecoderLayer(f"decoder.{i}", layer, model.config.activation, make)
            for i, layer in enumerate(model.decoder_layers)
            if isinstance(layer, DecoderLayer)
        )
        self.norm = Norm(model.decoder_norm)
        weight = model.embedding.weight.detach() / NATS_PER_BIT
        self.logits = make.linear("logits", weight, bias / NATS_PER_BIT)
        self.best_ids = BestIds()

    def forward(
        self,
        ids: Tensor,
        positions: Tensor,
        time: int,
        caches: list[Tensor],
        mask: Tensor | None,
        memories: list[tuple[Tensor, Tensor]],
        memory_mask: Tensor | None,
        count: int,
    ) -> tuple[Tensor, Tensor]:
        """Take one step in each of N rows.

        Args:
            ids: (N,) int64, the piece each row produced last.
            positions: (N, D) float, position vectors.
            time: where in the caches to write.
            caches: one (2, N, H, capacity, K) a layer, written in place.
            mask: (N, 1, 1, time + 1) float; None if every row began at 0.
            memories: keys (B, H, K, S) and values (B, H, S, K) of each layer.
            memory_mask: (B, 1, 1, S) float; None if nothing is padded.
            count: C, of the best ids.

        Returns:
            log-probabilities (N, C) in nats and ids (N, C), best first. On the way, logits are in
            bits: PyTorch computes 2^x four times as fast as e^x on a CPU.
        """
        x = F.embedding(ids, self.embedding).add_(positions)
        for i, layer in enumerate(self.layers):
            x = layer(x, caches[i], time, mask, memories[i], memory_mask)
        best: tuple[Tensor, Tensor] = self.best_ids(self.logits(self.norm(x)), count)
        return best
