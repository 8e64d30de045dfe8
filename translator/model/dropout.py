"""Dropout whose random bits cost little on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def dropout(x: Tensor, probability: float, training: bool) -> Tensor:
    """Zero elements of `x` with `probability` and scale the rest by 1 / (1 - probability).

    On a CPU `torch.nn.functional.dropout` draws one random number an element, which takes a
    seventh of a training step; here one draw of 64 bits serves eight elements, each compared as a
    byte. The probability is therefore rounded to a multiple of 1/256, and the scale is exact for
    the rounded value.

    Source: Srivastava et al. 2014.
    """
    if not training or probability == 0.0:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, probability, training=True)
    threshold = min(max(round(probability * 256), 1), 255)
    words = torch.empty(-(-x.numel() // 8), dtype=torch.int64)
    random_bytes = words.random_(-(2**63), None).view(torch.uint8)[: x.numel()]
    keep = (random_bytes >= threshold).view(x.shape)
    return x * (keep.to(x.dtype) * (256 / (256 - threshold)))


class Dropout(nn.Module):
    """`dropout` as a layer."""

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.probability = probability

    def forward(self, x: Tensor) -> Tensor:
        """Apply dropout to a tensor of any shape."""
        return dropout(x, self.probability, self.training)
