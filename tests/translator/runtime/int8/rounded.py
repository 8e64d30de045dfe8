"""Layers that compute in floats what int8 layers compute: the reference for `Int8Model`."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn
from torch.nn import functional as F

from translator.model.transformer import Transformer
from translator.runtime.torchscript.inference import InferenceModel
from translator.runtime.torchscript.linear import Linear


class RoundedLinear(nn.Module):
    """x W^T + b with weights and each row of inputs rounded to 8 bits, and some outputs to 16."""

    def __init__(self, layer: Linear, halves: slice) -> None:
        super().__init__()
        units = layer.weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
        self.weight, self.bias = (layer.weight / units).round() * units, layer.bias
        self.halves = halves

    def forward(self, x: Tensor) -> Tensor:
        low = x.amin(dim=1, keepdim=True).clamp(max=0)
        units = (x.amax(dim=1, keepdim=True).clamp(min=0) - low).clamp(min=1e-30) / 255
        levels = ((x - low) / units + 0.5).floor()
        out = F.linear(levels * units + low, self.weight, self.bias)
        out[:, self.halves] = out[:, self.halves].half().float()
        return out


def rounded_model(
    model: Transformer, forbidden_ids: Sequence[int], but_not: str = ""
) -> InferenceModel:
    """Return a model whose layers but one are rounded; keys and values are those of 16 bits."""
    inference = InferenceModel(model, forbidden_ids, freeze=False)
    for part in (inference.encoder, inference.decoder):
        linear = [(name, one) for name, one in part.named_modules() if isinstance(one, Linear)]
        for name, layer in linear:
            if name == but_not:
                continue
            first = layer.weight.size(0)
            if name.endswith("qkv"):
                first //= 3
            elif name.startswith("memory_projections"):
                first = 0
            parent, _, own = name.rpartition(".")
            part.get_submodule(parent).register_module(
                own, RoundedLinear(layer, slice(first, None))
            )
    return inference
