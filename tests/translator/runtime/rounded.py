"""Layers that compute in floats what int8 layers compute: the reference for int8."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.eager import EagerRuntime
from translator.runtime.layers import Layers
from translator.runtime.plan import Linear, Plan
from translator.search.rows import Array


class RoundedLayers(Layers):
    """Rounds weights and each row of inputs to 8 bits, and looks at keys and values in 16."""

    def __init__(self, plan: Plan[Tensor], but_not: str) -> None:
        super().__init__(plan)
        self._but_not, self._weights = but_not, dict[str, Tensor]()

    def linear(self, x: Tensor, layer: Linear[Tensor]) -> Tensor:
        if layer.name == self._but_not:
            return super().linear(x, layer)
        if layer.name not in self._weights:
            units = layer.weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
            self._weights[layer.name] = (layer.weight / units).round() * units
        low = x.amin(dim=-1, keepdim=True).clamp(max=0)
        steps = (x.amax(dim=-1, keepdim=True).clamp(min=0) - low).clamp(min=1e-30) / 255
        levels = ((x - low) / steps + 0.5).floor()
        return F.linear(levels * steps + low, self._weights[layer.name], layer.bias)

    def attend(self, query: Tensor, keys_values: Tensor, mask: Tensor) -> Tensor:
        return super().attend(query, keys_values.half().float(), mask)


class RoundedModel(EagerRuntime):
    """A model of such layers."""

    def __init__(self, plan: Plan[Array], kept_as: torch.dtype, but_not: str = "") -> None:
        super().__init__(plan)
        self.kept_as, self._layers = kept_as, RoundedLayers(self.plan, but_not)


def rounded_model(
    model: Transformer, forbidden_ids: Sequence[int], but_not: str = ""
) -> RoundedModel:
    """Return a model whose layers but one are rounded."""
    return RoundedModel(arrange(model, forbidden_ids), torch.float16, but_not)
