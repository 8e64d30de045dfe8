"""Weights taken over from the model: the same numbers, laid side by side and scaled."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.nn import functional

from translator.config import Activation, ModelConfig, NormPlacement
from translator.errors import ConfigError
from translator.model.attention import MultiHeadedAttention
from translator.model.layers import FeedForward, Residual
from translator.model.transformer import Transformer
from translator.runtime.torchscript.linear import (
    FusedFeedForward,
    Linear,
    Norm,
    is_pre_norm,
    joined,
    scaled_embedding,
)

CONFIG = ModelConfig(vocab_size=9, d_model=12, d_ff=20, num_heads=3, dropout=0.0)


def test_a_linear_layer_by_hand() -> None:
    layer = Linear(torch.tensor([[1.0, 2.0], [0.0, -1.0], [3.0, 0.0]]), torch.tensor([0.0, 5, 1]))
    assert layer(torch.tensor([[1.0, 10.0]])).tolist() == [[21, -5, 4]]


@torch.inference_mode()
def test_a_norm_or_nothing() -> None:
    torch.manual_seed(0)
    norm, x = nn.LayerNorm(12, eps=1e-3), torch.randn(5, 12)
    nn.init.normal_(norm.weight)
    assert torch.equal(Norm(norm)(x), norm(x))
    assert Norm(nn.Identity())(x) is x


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu", "silu"])
@torch.inference_mode()
def test_a_feed_forward_network_with_its_residual(
    norm: NormPlacement, activation: Activation
) -> None:
    torch.manual_seed(0)
    config = replace(CONFIG, norm=norm, activation=activation)
    network, residual, x = FeedForward(config), Residual(config).eval(), torch.randn(4, 12)
    fused = FusedFeedForward(network, residual, config)
    torch.testing.assert_close(fused(x.clone()), residual(x, network))


def test_choices_that_are_unknown_here_are_refused() -> None:
    parts = FeedForward(CONFIG), Residual(CONFIG)
    unknown = replace(CONFIG, activation="swiglu")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="activation: the engine in float32 has no 'swiglu'"):
        FusedFeedForward(*parts, unknown)
    with pytest.raises(ConfigError, match="norm: the engine in float32 has no 'sandwich'"):
        is_pre_norm(replace(CONFIG, norm="sandwich"))  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", [1.0, math.log(2)])
@torch.inference_mode()
def test_projections_side_by_side_give_scores_in_their_unit(unit: float) -> None:
    torch.manual_seed(0)
    heads, x = MultiHeadedAttention(12, 3), torch.randn(5, 12)
    for projection in (heads.query_proj, heads.key_proj):
        nn.init.normal_(projection.bias)
    query, key, value = functional.linear(
        x, *joined(heads, "query", "key", "value", unit=unit)
    ).chunk(3, dim=1)
    torch.testing.assert_close(query * unit * 2, heads.query_proj(x))  # d_k is 4, its root 2
    torch.testing.assert_close((key, value), (heads.key_proj(x), heads.value_proj(x)))


def test_embeddings_are_scaled_once(model: Transformer) -> None:
    found = scaled_embedding(model)
    torch.testing.assert_close(found, model.embedding.weight * math.sqrt(32))
    assert not found.requires_grad
