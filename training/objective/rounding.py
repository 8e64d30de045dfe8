"""Inputs of linear layers rounded to 8 bits while the model still learns, to bear it afterwards.

The int8 engine reads each row of a layer's input, one position of one sentence, as numbers that are
one of 256. A model that ends its training with it learns to be sure by more than the rounding can
turn over.

Source: Jacob et al. 2018, §3 (the forward pass rounds, the gradient passes as if it did not). There
ranges are running averages and weights are rounded too; here the range is that of the row, as in
the engine, and weights, whose rounding costs little, stay as they are.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

LEVELS = 255  # steps from the lowest input to the highest, as in the engine's int8 layers


class _Rounded(torch.autograd.Function):
    """Rounding whose derivative is taken to be 1."""

    @staticmethod
    def forward(_: Any, x: Tensor) -> Tensor:
        exact = x.float()
        low, high = (one.unsqueeze(-1) for one in torch.aminmax(exact, dim=-1))
        low = low.clamp(max=0)
        step = (high.clamp(min=0) - low).clamp(min=1e-8) / LEVELS
        return exact.sub(low).div_(step).round_().mul_(step).add_(low).to(x.dtype)

    @staticmethod
    def backward(_: Any, *gradients: Tensor) -> Tensor:
        return gradients[0]


def rounded(x: Tensor) -> Tensor:
    """Return `x` (..., D), each row with 256 equally far values, 0 within their range.

    The gradient passes unchanged.
    """
    out: Tensor = _Rounded.apply(x)  # type: ignore[no-untyped-call]
    return out


class InputRounding:
    """Rounds what the linear layers of a module read in training mode, when switched on.

    Attributes:
        is_on: whether it does.
    """

    def __init__(self, module: nn.Module) -> None:
        """Stand before every linear layer within `module`; switched off at first."""
        self.is_on = False
        for part in module.modules():
            if isinstance(part, nn.Linear):
                part.register_forward_pre_hook(self._round)

    def _round(self, layer: nn.Module, inputs: tuple[Tensor]) -> tuple[Tensor] | None:
        return (rounded(inputs[0]),) if self.is_on and layer.training else None
