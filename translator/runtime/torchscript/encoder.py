"""The encoder for translation: no padding outside of attention; see `linear.py`."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.config import ModelConfig
from translator.model.layers import DecoderLayer, EncoderLayer
from translator.model.transformer import Transformer
from translator.runtime.torchscript.linear import (
    FusedFeedForward,
    Linear,
    Norm,
    is_pre_norm,
    joined,
    scaled_embedding,
)


class FusedEncoderLayer(nn.Module):
    """Self-attention and feed-forward network over the real positions of all sentences."""

    def __init__(self, layer: EncoderLayer, config: ModelConfig) -> None:
        """Take over the weights of one layer."""
        super().__init__()
        heads, residual = layer.self_attention, layer.self_attention_residual
        self.is_pre = is_pre_norm(config)
        self.norm = Norm(residual.norm)
        self.qkv = Linear(*joined(heads, "query", "key", "value"))
        self.attention_out = Linear(*joined(heads, "out"))
        self.feed_forward = FusedFeedForward(
            layer.feed_forward, layer.feed_forward_residual, config
        )

    def forward(self, x: Tensor, spread: Tensor, gather: Tensor, mask: Tensor | None) -> Tensor:
        """Map the residual stream x (M, D).

        Args:
            x: real positions only.
            spread: (3, B, H, S) int64, rows of queries, keys and values among all (M · 3H, K).
            gather: (M · H,) int64, rows of the heads of real positions among all (B · H · S, K).
            mask: see `FusedEncoder.forward`.
        """
        _, batch, heads, width = spread.shape
        d_k = x.size(1) // heads
        qkv = self.qkv(self.norm(x) if self.is_pre else x)  # (M, 3D)
        by_head = qkv.view(-1, d_k).index_select(0, spread.view(-1))
        by_head = by_head.view(3, batch * heads, width, d_k)
        scores = torch.bmm(by_head[0], by_head[1].transpose(1, 2))
        if mask is not None:
            scores = scores.view(batch, heads, width, width).add_(mask).view(scores.shape)
        context = torch.bmm(scores.softmax(-1), by_head[2])  # (B·H, S, K)
        context = context.view(-1, d_k).index_select(0, gather).view(x.shape)
        x = self.attention_out(context).add_(x)
        out: Tensor = self.feed_forward(x if self.is_pre else self.norm(x))
        return out


class FusedEncoder(nn.Module):
    """Ids in, keys and values for the decoder's cross-attention out."""

    def __init__(self, model: Transformer) -> None:
        """Take over the weights of the encoder, and of the decoder's memory projections."""
        super().__init__()
        config = model.config
        self.num_heads = config.num_heads
        self.embedding = scaled_embedding(model)
        self.layers = nn.ModuleList(
            FusedEncoderLayer(layer, config)
            for layer in model.encoder_layers
            if isinstance(layer, EncoderLayer)
        )
        self.norm = Norm(model.encoder_norm)
        self.memory_projections = nn.ModuleList(
            Linear(*joined(layer.cross_attention, "key", "value"))
            for layer in model.decoder_layers
            if isinstance(layer, DecoderLayer)
        )

    def forward(
        self, ids: Tensor, positions: Tensor, rows: Tensor, places: Tensor, mask: Tensor | None
    ) -> list[Tensor]:
        """Read B sources.

        Args:
            ids: (M,) int64, the real ids of one source after the other.
            positions: (M, D) float, their position vectors.
            rows: (B, S) int64, which of them stands where in the padded rectangle; any in padding.
            places: (M,) int64, where each stands in the rectangle, b · S + s.
            mask: (B, 1, 1, S) float, 0 or the lowest number; None if nothing is padded.

        Returns:
            for each decoder layer its keys and values (2, B, H, S, K).
        """
        width, heads = rows.size(1), self.num_heads
        spread = head_rows(rows, 3, heads)
        first = places.add(places.div(width, rounding_mode="floor"), alpha=(heads - 1) * width)
        steps = torch.arange(0, heads * width, width, device=ids.device)
        gather = first[:, None].add(steps).view(-1)
        x = F.embedding(ids, self.embedding).add_(positions)
        for layer in self.layers:
            x = layer(x, spread, gather, mask)
        memory = self.norm(x)
        spread, d_k = head_rows(rows, 2, heads), memory.size(1) // heads
        found: list[Tensor] = []
        for projection in self.memory_projections:
            both = projection(memory).view(-1, d_k).index_select(0, spread.view(-1))
            found.append(both.view(2, rows.size(0), heads, width, d_k))
        return found


def head_rows(rows: Tensor, parts: int, heads: int) -> Tensor:
    """Return where the heads of P projections side by side lie: (P, B, H, S) int64.

    Args:
        rows: (B, S) int64 of a matrix (M, P · H · K), which is read as (M · P · H, K).
        parts: P.
        heads: H.
    """
    offsets = torch.arange(parts * heads, device=rows.device).view(parts, 1, heads, 1)
    return offsets + rows[:, None].mul(parts * heads)
