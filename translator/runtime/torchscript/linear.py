"""The Transformer arranged for translation: the same weights in fewer, larger operations.

Query, key and value projections lie side by side in one matrix; 1/√K is in the query's weights and
√D in the embeddings; padding is left out of everything but attention; the decoder takes one step
at a time. `transformer.py` is the model to read and to train; what is here, in `encoder.py`
and in `decoder.py` must agree with it.

Everything is written in the part of Python that TorchScript compiles, which runs a step without
the interpreter's cost for each operation: half the time of a small batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.config import ModelConfig
from translator.model.attention import MultiHeadedAttention
from translator.model.choices import chosen
from translator.model.layers import FeedForward, Residual
from translator.model.transformer import Transformer

PLACE = "the engine in float32"

ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "relu": partial(nn.ReLU, inplace=True),
    "gelu": nn.GELU,
    "gelu_tanh": partial(nn.GELU, approximate="tanh"),
    "silu": nn.SiLU,
}
IS_PRE_NORM = {"pre": True, "post": False}


def is_pre_norm(config: ModelConfig) -> bool:
    """Return whether sublayers normalise their input, not the sum that they are added to."""
    return chosen(config, "norm", IS_PRE_NORM, PLACE)


class Norm(nn.Module):
    """Layer normalisation, or nothing."""

    def __init__(self, norm: nn.Module) -> None:
        """Take over the weights of an `nn.LayerNorm`; an `nn.Identity` becomes nothing."""
        super().__init__()
        self.is_identity = not isinstance(norm, nn.LayerNorm)
        some: Tensor = norm.weight.detach() if isinstance(norm, nn.LayerNorm) else torch.empty(0)
        self.weight = some
        self.bias: Tensor = norm.bias.detach() if isinstance(norm, nn.LayerNorm) else some
        self.eps: float = norm.eps if isinstance(norm, nn.LayerNorm) else 0.0

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, D)."""
        if self.is_identity:
            return x
        return torch.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


class Linear(nn.Module):
    """x W^T + b."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        """Keep the weight (F, D) and the bias (F,)."""
        super().__init__()
        self.weight, self.bias = weight, bias

    def forward(self, x: Tensor) -> Tensor:
        """Map (M, D) to (M, F)."""
        return F.linear(x, self.weight, self.bias)


class FusedFeedForward(nn.Module):
    """A feed-forward network with its residual connection and norm."""

    def __init__(self, network: FeedForward, residual: Residual, config: ModelConfig) -> None:
        """Take over the weights of one layer.

        Raises:
            ConfigError: the activation or the placement of norms is unknown here.
        """
        super().__init__()
        self.is_pre, self.norm = is_pre_norm(config), Norm(residual.norm)
        self.activation = chosen(config, "activation", ACTIVATIONS, PLACE)()
        self.inner, self.out = (
            Linear(layer.weight.detach(), layer.bias.detach())
            for layer in (network.inner_proj, network.out_proj)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Map the residual stream x (M, D)."""
        inner: Tensor = self.activation(self.inner(self.norm(x) if self.is_pre else x))
        out: Tensor = self.out(inner).add_(x)
        return out if self.is_pre else self.norm(out)


def scaled_embedding(model: Transformer) -> Tensor:
    """Return the embeddings (V, D) times √D."""
    return model.embedding.weight.detach() * math.sqrt(model.config.d_model)


def joined(heads: MultiHeadedAttention, *names: str, unit: float = 1.0) -> tuple[Tensor, Tensor]:
    """Return weight and bias of projections laid side by side, 1/√K multiplied into the query's.

    Args:
        heads: have the projections.
        names: of them, in order.
        unit: of the scores, in nats.
    """
    weights, biases = [], []
    for name in names:
        projection = getattr(heads, f"{name}_proj")
        scale = heads.d_k**-0.5 / unit if name == "query" else 1.0
        weights.append(projection.weight.detach() * scale)
        biases.append(projection.bias.detach() * scale)
    return torch.cat(weights), torch.cat(biases)
