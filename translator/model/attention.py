"""Attention, from the bare weighted sum to the multi-head layer.

`attention()` is Eq. 1 of the paper. These calls give each form in which attention is taught:

    attention(x, x, x, scale=1.0)                  simplified: no learned weights
    attention(query, key, value, scale=1.0)        dot-product
    attention(query, key, value)                   scaled dot-product
    attention(query, key, value, causal_mask(T))   masked (decoder self-attention)

`MultiHeadedAttention` adds the projections. With `num_heads=1` it is the single head of textbooks,
with any `d_k` and `d_v`. Called with a `memory` other than `x`, it is cross-attention.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.model.dropout import dropout as drop


def causal_mask(num_targets: int, device: torch.device | str | None = None) -> Tensor:
    """Return the (1, 1, T, T) mask in which query t may attend to keys 0..t (True = attend)."""
    ones = torch.ones(num_targets, num_targets, dtype=torch.bool, device=device)
    return ones.tril()[None, None]


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    *,
    dropout: float = 0.0,
    scale: float | None = None,
    need_weights: bool = True,
) -> tuple[Tensor, Tensor | None]:
    """Weigh the values by how well each key answers each query.

    Computes softmax(Q Kᵀ · scale) V. The mask is applied *before* the softmax, so that the weights
    of the visible keys still sum to one. A query without visible keys gets a zero context, not NaN.

    Args:
        query: (..., T, K) float.
        key: (..., S, K) float.
        value: (..., S, Kv) float.
        mask: bool, broadcastable to (..., T, S); True = attend. None attends everywhere.
        dropout: probability of dropping a weight; those kept are multiplied by 1 / (1 - dropout).
        scale: factor on the dot products; 1/√K if None, 1.0 for plain dot products.
        need_weights: if False, use the fused kernel, which never forms the (T, S) matrix. When a
            gradient is computed on a CPU, it is not used: backward, it takes ten times as long.

    Returns:
        context (..., T, Kv), and the weights (..., T, S) before dropout, or None if not needed.

    Source: Vaswani et al. 2017, §3.2.1, Eq. 1.
    """
    if not need_weights and not (query.requires_grad and query.device.type == "cpu"):
        context = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=dropout, scale=scale
        )
        return context, None
    scores = query @ key.transpose(-2, -1) * (query.size(-1) ** -0.5 if scale is None else scale)
    if mask is not None:
        # the dtype's own minimum: exp() makes it exactly 0 beside any real score, and a row
        # without one stays finite (then zeroed below) where -inf would become NaN
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    attn_weights = scores.softmax(dim=-1)
    if mask is not None:
        attn_weights = attn_weights.masked_fill(~mask, 0.0)
    context = drop(attn_weights, dropout, training=True) @ value
    return context, attn_weights if need_weights else None


class MultiHeadedAttention(nn.Module):
    """Attention in H learned subspaces at once.

    MultiHead(Q, K, V) = Concat(head_1 … head_H) W^O, head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V).
    The projections of all heads lie side by side in one matrix each: concatenating H single heads
    and splitting one wide projection are the same computation.

    Source: Vaswani et al. 2017, §3.2.2.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        d_k: int | None = None,
        d_v: int | None = None,
        dropout: float = 0.0,
    ) -> None:
        """Create the four projections.

        Args:
            d_model: D, width of inputs and outputs.
            num_heads: H.
            d_k: width of one head's queries and keys; D / H if None.
            d_v: width of one head's values; `d_k` if None.
            dropout: on the attention weights, in training only.
        """
        super().__init__()
        self.num_heads = num_heads
        self.d_k = d_model // num_heads if d_k is None else d_k
        self.d_v = self.d_k if d_v is None else d_v
        self.dropout = dropout
        self.query_proj = nn.Linear(d_model, num_heads * self.d_k)
        self.key_proj = nn.Linear(d_model, num_heads * self.d_k)
        self.value_proj = nn.Linear(d_model, num_heads * self.d_v)
        self.out_proj = nn.Linear(num_heads * self.d_v, d_model)
        for projection in (self.query_proj, self.key_proj, self.value_proj, self.out_proj):
            nn.init.xavier_uniform_(projection.weight)
            nn.init.zeros_(projection.bias)

    def split_heads(self, projected: Tensor) -> Tensor:
        """Reshape (B, T, H·K) to (B, H, T, K)."""
        by_head = projected.view(*projected.shape[:2], self.num_heads, -1)  # (B, T, H, K)
        return by_head.transpose(1, 2)

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor | None = None, *, need_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Attend from `x` to `memory`; self-attention when both are the same.

        Args:
            x: (B, T, D) float, gives the queries.
            memory: (B, S, D) float, gives the keys and values.
            mask: bool, broadcastable to (B, H, T, S); True = attend.
            need_weights: also return the weights, which is slower.

        Returns:
            output (B, T, D), and the weights (B, H, T, S) or None.
        """
        context, attn_weights = attention(
            self.split_heads(self.query_proj(x)),
            self.split_heads(self.key_proj(memory)),
            self.split_heads(self.value_proj(memory)),
            mask,
            dropout=self.dropout if self.training else 0.0,
            need_weights=need_weights,
        )
        joined = context.transpose(1, 2).flatten(-2)  # (B, H, T, Kv) -> (B, T, H·Kv)
        return self.out_proj(joined), attn_weights
