"""Layers that compute in floats what int8 layers compute: the reference for `Int8Model`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.config import DecodingOptions
from translator.decoding.running_batch import decode_batch
from translator.decoding.special_ids import SpecialIds
from translator.model.inference import InferenceModel
from translator.model.linear import FeedForwardPair, ObservedLayers, Range
from translator.model.transformer import Transformer


class RoundedLinear(nn.Module):
    """x W^T + b with inputs and weights that are rounded to 8 bits, and some outputs to 16."""

    def __init__(self, weight: Tensor, bias: Tensor, input_range: Range, halves: slice) -> None:
        super().__init__()
        low, high = min(input_range[0], 0.0), max(input_range[1], 0.0)
        self.scale = (high - low) / 255
        self.zero = round(-low / self.scale)
        units = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
        self.weight, self.bias = (weight / units).round() * units, bias
        self.halves = halves

    def forward(self, x: Tensor) -> Tensor:
        levels = (x / self.scale + self.zero + 0.5).floor().clamp(0, 255) - self.zero
        out = F.linear(levels * self.scale, self.weight, self.bias)
        out[:, self.halves] = out[:, self.halves].half().float()
        return out


class RoundedLayers:
    """Makes them; see `LayerFactory`."""

    def __init__(self, ranges: Mapping[str, Range]) -> None:
        self._ranges = ranges

    def linear(self, name: str, weight: Tensor, bias: Tensor) -> nn.Module:
        keys_values = {"qkv": weight.size(0) // 3, "memory": 0}
        first = keys_values.get(name.rpartition(".")[2], weight.size(0))
        return RoundedLinear(weight, bias, self._ranges[name], slice(first, None))

    def feed_forward(
        self, name: str, inner: tuple[Tensor, Tensor], out: tuple[Tensor, Tensor], activation: str
    ) -> nn.Module:
        layers = self.linear(f"{name}.inner", *inner), self.linear(f"{name}.out", *out)
        return FeedForwardPair(*layers, activation)


@torch.inference_mode()
def ranges_of(model: Transformer, special: SpecialIds) -> dict[str, Range]:
    """Return the ranges of each layer's input when a few random sentences are translated."""
    observed = ObservedLayers()
    inference = InferenceModel(model, special.forbidden_ids, observed, freeze=False)
    generator = np.random.default_rng(0)
    for length in range(2, 12):
        source = generator.integers(4, model.config.vocab_size, length).tolist()
        decode_batch(inference, [source], DecodingOptions(beam_size=1), special)
    return {name: layer.input_range for name, layer in observed.layers.items()}
