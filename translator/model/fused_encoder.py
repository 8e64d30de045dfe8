"""The encoder for translation: no padding outside of attention; see `fused.py`."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional as F

from translator.model.fused import FusedFeedForward, Norm, joined, scaled_embedding
from translator.model.layers import DecoderLayer, EncoderLayer
from translator.model.linear import LayerFactory
from translator.model.transformer import Transformer


class FusedEncoderLayer(nn.Module):
    """Self-attention and feed-forward network over the real positions of all sentences."""

    def __init__(self, name: str, layer: EncoderLayer, activation: str, make: LayerFactory) -> None:
        """Take over the weights of one layer."""
        super().__init__()
        heads, residual = layer.self_attention, layer.self_attention_residual
        self.num_heads, self.is_pre = heads.num_heads, residual.is_pre
        self.norm = Norm(residual.norm)
        self.qkv = make.linear(f"{name}.qkv", *joined(heads, "query", "key", "value"))
        self.attention_out = make.linear(f"{name}.attention_out", *joined(heads, "out"))
        self.feed_forward = FusedFeedForward(
            f"{name}.feed_forward",
            layer.feed_forward,
            layer.feed_forward_residual,
            activation,
            make,
        )

    def forward(
        self, x: Tensor, batch: int, width: int, places: Tensor | None, mask: Tensor | None
    ) -> Tensor:
        """Map the residual stream x (M, D); see `FusedEncoder.forward`."""
        d_model, heads = x.size(1), self.num_heads
        qkv = self.qkv(self.norm(x) if self.is_pre else x)  # (M, 3D)
        if places is not None:
            qkv = unpack(qkv, places, batch * width)
        by_head = qkv.view(batch, width, 3, heads, d_model // heads).permute(2, 0, 3, 1, 4)
        query, key, value = by_head[0], by_head[1], by_head[2]  # (B, H, S, K) each
        scores = query @ key.transpose(2, 3)
        if mask is not None:
            scores = scores.add_(mask)
        context = (scores.softmax(-1) @ value).transpose(1, 2).reshape(-1, d_model)  # (B·S, D)
        if places is not None:
            context = context.index_select(0, places)
        x = self.attention_out(context).add_(x)
        out: Tensor = self.feed_forward(x if self.is_pre else self.norm(x))
        return out


class FusedEncoder(nn.Module):
    """Ids in, keys and values for the decoder's cross-attention out."""

    def __init__(self, model: Transformer, make: LayerFactory) -> None:
        """Take over the weights of the encoder, and of the decoder's memory projections."""
        super().__init__()
        config = model.config
        self.num_heads = config.num_heads
        self.embedding = scaled_embedding(model)
        self.layers = nn.ModuleList(
            FusedEncoderLayer(f"encoder.{i}", layer, config.activation, make)
            for i, layer in enumerate(model.encoder_layers)
            if isinstance(layer, EncoderLayer)
        )
        self.norm = Norm(model.encoder_norm)
        self.memory_projections = nn.ModuleList(
            make.linear(f"decoder.{i}.memory", *joined(layer.cross_attention, "key", "value"))
            for i, layer in enumerate(model.decoder_layers)
            if isinstance(layer, DecoderLayer)
        )

    def forward(
        self,
        ids: Tensor,
        positions: Tensor,
        batch: int,
        places: Tensor | None,
        mask: Tensor | None,
        width: int,
    ) -> list[Tensor]:
        """Read B sources.

        Args:
            ids: (M,) int64, one source after the other: only their real ids, or all B · S.
            positions: (M, D) float, their position vectors.
            batch: B.
            places: (M,) int64, where each stands in the padded (B · S); None if M is B · S.
            mask: (B, 1, 1, S) float, 0 or the lowest number; None if nothing is padded.
            width: S.

        Returns:
            for each decoder layer its keys and values (2, B, H, S, K), a view.
        """
        x = F.embedding(ids, self.embedding).add_(positions)
        for layer in self.layers:
            x = layer(x, batch, width, places, mask)
        memory = self.norm(x)
        d_model, heads = memory.size(1), self.num_heads
        found: list[Tensor] = []
        for projection in self.memory_projections:
            both = projection(memory)  # (M, 2D)
            if places is not None:
                both = unpack(both, places, batch * width)
            by_head = both.view(batch, width, 2, heads, d_model // heads)
            found.append(by_head.permute(2, 0, 3, 1, 4))
        return found


def unpack(packed: Tensor, places: Tensor, num_places: int) -> Tensor:
    """Return rows (M, X) at their `places` among `num_places`, zeros elsewhere."""
    return packed.new_zeros(num_places, packed.size(1)).index_copy_(0, places, packed)
