"""A recurrent unit that stands in the place of the decoder's self-attention.

Self-attention looks at every position so far, so that a step costs more the longer the target is,
and keys and values of all positions are kept. A recurrent unit keeps one vector, and every step
costs the same.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def recur(candidates: Tensor, gates: Tensor, state: Tensor) -> Tensor:
    """Return what is remembered behind one more position.

    c_t = σ(g_t) ⊙ c_{t-1} + (1 - σ(g_t)) ⊙ z_t

    Args:
        candidates: z_t (..., D), what the position says.
        gates: g_t (..., D); the larger, the more is kept of what was there.
        state: c_{t-1} (..., D).

    Source: Kim et al. 2019, §3.1.
    """
    kept = gates.sigmoid()
    return kept * state + (1 - kept) * candidates


class SSRU(nn.Module):
    """Simpler Simple Recurrent Unit: what was said so far as one vector a layer.

    z_t = W x_t
    g_t = W_f x_t + b_f
    c_t = σ(g_t) ⊙ c_{t-1} + (1 - σ(g_t)) ⊙ z_t,  c_0 = 0
    o_t = relu(c_t)

    Both products are of the input alone, and can be computed for all positions at once; only the
    sum in the third line goes from position to position. No position sees those behind it.

    Source: Kim et al. 2019, §3.1, who simplify the unit of Lei et al. 2018.
    """

    def __init__(self, d_model: int) -> None:
        """Create both projections D → D."""
        super().__init__()
        self.candidate_proj = nn.Linear(d_model, d_model, bias=False)
        self.gate_proj = nn.Linear(d_model, d_model)
        for projection in (self.candidate_proj, self.gate_proj):
            nn.init.xavier_uniform_(projection.weight)
        nn.init.zeros_(self.gate_proj.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Map x (B, T, D) to (B, T, D), one position after the other."""
        candidates, gates = self.candidate_proj(x), self.gate_proj(x)
        state, states = torch.zeros_like(candidates[:, 0]), []
        for z, g in zip(candidates.unbind(1), gates.unbind(1), strict=True):
            state = recur(z, g, state)
            states.append(state)
        return torch.stack(states, 1).relu()
