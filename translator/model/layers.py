"""What surrounds attention: positions, feed-forward networks, and the two kinds of layer."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.config import ModelConfig
from translator.model.attention import MultiHeadedAttention
from translator.model.choices import chosen
from translator.model.dropout import Dropout

PLACE = "the model"

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "silu": F.silu,
}
IS_PRE_NORM = {"pre": True, "post": False}

FEW_POSITIONS = 512
"""Vectors of positions that are made at first."""


def sinusoidal_positions(positions: Tensor, d_model: int) -> Tensor:
    """Return the fixed position vectors of any positions, in float32.

    PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos(pos / 10000^(2i/D)).

    Args:
        positions: integer tensor of any shape (...).
        d_model: D; an odd D drops the last cosine.

    Returns:
        (..., D) float32: bfloat16 cannot tell neighbouring positions apart.

    Source: Vaswani et al. 2017, §3.5.
    """
    exponents = torch.arange(0, d_model, 2, device=positions.device, dtype=torch.float32)
    angles = positions[..., None].float() * torch.exp(exponents * (-math.log(10000.0) / d_model))
    interleaved = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
    return interleaved[..., :d_model]


POSITIONS: dict[str, Callable[[Tensor, int], Tensor]] = {"sinusoidal": sinusoidal_positions}


def position_vectors(config: ModelConfig, positions: Tensor) -> Tensor:
    """Return what is added to the embeddings at positions (...): (..., D) float32.

    Raises:
        ConfigError: the configuration's scheme adds no vectors.
    """
    return chosen(config, "positions", POSITIONS, PLACE)(positions, config.d_model)


def is_pre_norm(config: ModelConfig) -> bool:
    """Return whether sublayers normalise their input, and the ends of both stacks their output."""
    return chosen(config, "norm", IS_PRE_NORM, PLACE)


class Embedding(nn.Module):
    """Piece embeddings and output projection in one tied matrix, with positions.

    Initialised N(0, D^-½) and multiplied by √D on the way in, so that inputs have unit variance
    while the logits of a fresh model stay near zero; the row of `pad_id` starts at zero and, being
    masked, is never attended to.

    Source: Vaswani et al. 2017, §3.4 and §3.5; Press & Wolf 2017 (tying).
    """

    def __init__(self, config: ModelConfig) -> None:
        """Create the (V, D) matrix and a table of the first positions."""
        super().__init__()
        self.config = config
        self.weight = nn.Parameter(torch.empty(config.vocab_size, config.d_model))
        self.pad_id = config.pad_id
        self.dropout = Dropout(config.dropout)
        self.position_table: Tensor
        self.register_buffer(
            "position_table",
            position_vectors(config, torch.arange(FEW_POSITIONS)),
            persistent=False,
        )
        nn.init.normal_(self.weight, std=config.d_model**-0.5)
        with torch.no_grad():
            self.weight[config.pad_id].zero_()

    def positions(self, length: int) -> Tensor:
        """Return the vectors (length, D) of the first positions, however many."""
        if length > self.position_table.size(0):
            steps = torch.arange(length, device=self.weight.device)
            return position_vectors(self.config, steps)
        return self.position_table[:length]

    def forward(self, ids: Tensor) -> Tensor:
        """Embed `ids` (B, T)."""
        x = F.embedding(ids, self.weight, padding_idx=self.pad_id) * math.sqrt(self.weight.size(1))
        embedded: Tensor = self.dropout(x + self.positions(ids.size(1)))
        return embedded

    def logits(self, x: Tensor) -> Tensor:
        """Project (..., D) onto the vocabulary (..., V) with the same matrix."""
        return F.linear(x, self.weight)


class FeedForward(nn.Module):
    """FFN(x) = activation(x W_1 + b_1) W_2 + b_2, at every position alike.

    Source: Vaswani et al. 2017, §3.3, Eq. 2.
    """

    def __init__(self, config: ModelConfig) -> None:
        """Create the two projections D → F → D."""
        super().__init__()
        self.inner_proj = nn.Linear(config.d_model, config.d_ff)
        self.out_proj = nn.Linear(config.d_ff, config.d_model)
        self.activation = chosen(config, "activation", ACTIVATIONS, PLACE)
        self.dropout = Dropout(config.activation_dropout)
        for projection in (self.inner_proj, self.out_proj):
            nn.init.xavier_uniform_(projection.weight)
            nn.init.zeros_(projection.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Map (..., D) to (..., D)."""
        out: Tensor = self.out_proj(self.dropout(self.activation(self.inner_proj(x))))
        return out


class Residual(nn.Module):
    """One sublayer's residual connection, dropout and layer normalisation.

    `pre`: x + dropout(sublayer(norm(x))) (Wang et al. 2019); `post`: norm(x + dropout(sublayer(x)))
    (Vaswani et al. 2017, §3.1 and §5.4).
    """

    def __init__(self, config: ModelConfig) -> None:
        """Create the normalisation."""
        super().__init__()
        self.norm = nn.LayerNorm(config.d_model)
        self.dropout = Dropout(config.dropout)
        self.is_pre = is_pre_norm(config)

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        """Apply `sublayer` to the residual stream `x` (B, T, D)."""
        out: Tensor
        if self.is_pre:
            out = x + self.dropout(sublayer(self.norm(x)))
        else:
            out = self.norm(x + self.dropout(sublayer(x)))
        return out


def _self_attention(config: ModelConfig) -> MultiHeadedAttention:
    return MultiHeadedAttention(config.d_model, config.num_heads, dropout=config.attention_dropout)


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network (Vaswani et al. 2017, §3.1)."""

    def __init__(self, config: ModelConfig) -> None:
        """Create both sublayers."""
        super().__init__()
        self.self_attention = _self_attention(config)
        self.feed_forward = FeedForward(config)
        self.self_attention_residual = Residual(config)
        self.feed_forward_residual = Residual(config)

    def forward(
        self, x: Tensor, src_mask: Tensor | None, weights: list[Tensor] | None = None
    ) -> Tensor:
        """Map x (B, S, D) to (B, S, D); attention weights (B, H, S, S) go to `weights` if given."""

        def attend(h: Tensor) -> Tensor:
            out: Tensor
            out, attn_weights = self.self_attention(
                h, h, src_mask, need_weights=weights is not None
            )
            if weights is not None and attn_weights is not None:
                weights.append(attn_weights)
            return out

        x = self.self_attention_residual(x, attend)
        out: Tensor = self.feed_forward_residual(x, self.feed_forward)
        return out


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the encoder's output, feed-forward (§3.1)."""

    def __init__(self, config: ModelConfig) -> None:
        """Create the three sublayers."""
        super().__init__()
        self.self_attention = _self_attention(config)
        self.cross_attention = _self_attention(config)
        self.feed_forward = FeedForward(config)
        self.self_attention_residual = Residual(config)
        self.cross_attention_residual = Residual(config)
        self.feed_forward_residual = Residual(config)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        tgt_mask: Tensor,
        src_mask: Tensor | None,
        weights: tuple[list[Tensor], list[Tensor]] | None = None,
    ) -> Tensor:
        """Map x (B, T, D) to (B, T, D), all positions at once.

        Args:
            x: (B, T, D), the target so far.
            memory: (B, S, D), the encoder's output: cross-attention's keys and values.
            tgt_mask: (B or 1, 1, T, T), causal; True = attend.
            src_mask: (B, 1, 1, S); True = attend.
            weights: two lists that receive (B, H, T, T) and (B, H, T, S), or None.
        """

        def attend(
            sublayer: MultiHeadedAttention, h: Tensor, m: Tensor, mask: Tensor | None, kind: int
        ) -> Tensor:
            out: Tensor
            out, attn_weights = sublayer(h, m, mask, need_weights=weights is not None)
            if weights is not None:
                weights[kind].append(attn_weights)
            return out

        x = self.self_attention_residual(
            x, lambda h: attend(self.self_attention, h, h, tgt_mask, 0)
        )
        x = self.cross_attention_residual(
            x, lambda h: attend(self.cross_attention, h, memory, src_mask, 1)
        )
        out: Tensor = self.feed_forward_residual(x, self.feed_forward)
        return out
