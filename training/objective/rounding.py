"""Inputs of linear layers are rounded to 8 bits in training, as the int8 engine will round them.

The engine represents each row of a layer's input (one position of one sentence) by 256 values. A
model that has been trained with such inputs loses less by them when it is served.

Source: Jacob et al. 2018, §3: the forward pass rounds, and the gradient passes unchanged. There are
two differences. The range is that of the row, as in the engine, where they use running averages.
Weights are not rounded, since rounding them costs little accuracy.
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
    """Return `x` (..., D) with each row rounded to 256 equally spaced values.

    They range from the row's lowest value, or 0, to its highest, or 0. The gradient passes
    unchanged.
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
