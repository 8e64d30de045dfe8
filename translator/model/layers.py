"""Feed-forward networks, residual connections, and the two kinds of layer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torch import Tensor, nn
from torch.nn import functional as F

from translator.config import ModelConfig
from translator.model.attention import MultiHeadedAttention
from translator.model.choices import chosen, is_pre_norm, is_recurrent
from translator.model.dropout import Dropout
from translator.model.recurrence import SSRU

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),
    "silu": F.silu,
}


class FeedForward(nn.Module):
    """FFN(x) = activation(x W_1 + b_1) W_2 + b_2, at every position alike.

    Source: Vaswani et al. 2017, §3.3, Eq. 2.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.inner_proj = nn.Linear(config.d_model, config.d_ff)
        self.out_proj = nn.Linear(config.d_ff, config.d_model)
        self.activation = chosen(config, "activation", ACTIVATIONS)
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
    """Masked self-attention, cross-attention to the encoder's output, feed-forward (§3.1).

    A recurrent unit may replace self-attention (Kim et al. 2019), within the same residual.
    """

    self_attention: MultiHeadedAttention | None
    recurrence: SSRU | None

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        has_unit = is_recurrent(config)
        self.self_attention = None if has_unit else _self_attention(config)
        self.recurrence = SSRU(config.d_model) if has_unit else None
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
            weights: two lists that receive (B, H, T, T), unless the layer has a recurrent unit, and
                (B, H, T, S); or None.
        """

        def attend(
            sublayer: MultiHeadedAttention, h: Tensor, m: Tensor, mask: Tensor | None, kind: int
        ) -> Tensor:
            out: Tensor
            out, attn_weights = sublayer(h, m, mask, need_weights=weights is not None)
            if weights is not None:
                weights[kind].append(attn_weights)
            return out

        def look_back(h: Tensor) -> Tensor:
            if self.self_attention is not None:
                return attend(self.self_attention, h, h, tgt_mask, 0)
            assert self.recurrence is not None
            out: Tensor = self.recurrence(h)
            return out

        x = self.self_attention_residual(x, look_back)
        x = self.cross_attention_residual(
            x, lambda h: attend(self.cross_attention, h, memory, src_mask, 1)
        )
        out: Tensor = self.feed_forward_residual(x, self.feed_forward)
        return out
