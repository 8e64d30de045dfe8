"""A recurrent unit that replaces the decoder's self-attention.

Self-attention reads every position so far. So a step takes longer the longer the target is, and the
keys and values of all positions are kept. A recurrent unit keeps one vector, and every step takes
the same time.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def recur(candidates: Tensor, gates: Tensor, state: Tensor) -> Tensor:
    """Return the state after one more position.

    c_t = σ(g_t) ⊙ c_{t-1} + (1 - σ(g_t)) ⊙ z_t

    Args:
        candidates: z_t (..., D), the new content of this position.
        gates: g_t (..., D); the larger a gate, the more of the old state is kept.
        state: c_{t-1} (..., D), the state before.

    Source: Kim et al. 2019, §3.1.
    """
    kept = gates.sigmoid()
    return kept * state + (1 - kept) * candidates


class SSRU(nn.Module):
    """Simpler Simple Recurrent Unit: the target so far as one vector in each layer.

    z_t = W x_t
    g_t = W_f x_t + b_f
    c_t = σ(g_t) ⊙ c_{t-1} + (1 - σ(g_t)) ⊙ z_t,  c_0 = 0
    o_t = relu(c_t)

    Both products depend only on the input, and can be computed for all positions at once. Only the
    sum in the third line goes from position to position. No position sees later ones.

    Source: Kim et al. 2019, §3.1, who simplify the unit of Lei et al. 2018.
    """

    def __init__(self, d_model: int) -> None:
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
