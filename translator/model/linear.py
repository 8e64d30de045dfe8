"""Linear layers for translation in floats, plain or observed."""

from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Range = tuple[float, ...]
"""The lowest and the highest input of a layer."""


class LayerFactory(Protocol):
    """Makes the layers of an inference model."""

    def linear(self, name: str, weight: Tensor, bias: Tensor) -> nn.Module:
        """Return what maps (M, D) to (M, F), given a weight (F, D) and a bias (F,)."""
        ...

    def feed_forward(
        self, name: str, inner: tuple[Tensor, Tensor], out: tuple[Tensor, Tensor], activation: str
    ) -> nn.Module:
        """Return what maps (M, D) to (M, D), given weight and bias of both projections."""
        ...


class FloatLinear(nn.Module):
    """x W^T + b in the precision of the weights."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        """Keep the weight (F, D) and the bias (F,)."""
        super().__init__()
        self.weight, self.bias = weight, bias

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F)."""
        return F.linear(x, self.weight, self.bias)


class FeedForwardPair(nn.Module):
    """Two linear layers with an activation between them."""

    def __init__(self, inner: nn.Module, out: nn.Module, activation: str) -> None:
        """Keep the layers."""
        super().__init__()
        self.inner, self.out, self.activation = inner, out, activation

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, D)."""
        inner = self.inner(x)
        if self.activation == "relu":
            inner = inner.relu_()
        elif self.activation == "gelu":
            inner = F.gelu(inner)
        else:
            inner = F.silu(inner)
        out: Tensor = self.out(inner)
        return out


class FloatLayers:
    """Makes plain layers."""

    def linear(self, name: str, weight: Tensor, bias: Tensor) -> nn.Module:
        """See `LayerFactory`."""
        return FloatLinear(weight, bias)

    def feed_forward(
        self, name: str, inner: tuple[Tensor, Tensor], out: tuple[Tensor, Tensor], activation: str
    ) -> nn.Module:
        """See `LayerFactory`."""
        layers = self.linear(f"{name}.inner", *inner), self.linear(f"{name}.out", *out)
        return FeedForwardPair(*layers, activation)


class ObservedLinear(FloatLinear):
    """A plain layer that remembers the range of what it was given."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        """Keep the weight (F, D) and the bias (F,)."""
        super().__init__(weight, bias)
        self.input_range: Range = (0.0, 0.0)

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F)."""
        low, high = torch.aminmax(x)
        self.input_range = (
            min(self.input_range[0], float(low)),
            max(self.input_range[1], float(high)),
        )
        return super().forward(x)


class ObservedLayers(FloatLayers):
    """Makes layers that remember the ranges of their inputs.

    Attributes:
        layers: all that were made, by name.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.layers: dict[str, ObservedLinear] = {}

    def linear(self, name: str, weight: Tensor, bias: Tensor) -> nn.Module:
        """See `LayerFactory`."""
        self.layers[name] = ObservedLinear(weight, bias)
        return self.layers[name]
