"""Layers by themselves: what is looked at where it lies; all together: `test_model.py`."""

from __future__ import annotations

import pytest
import torch

from tests.launches import launches
from translator.model.attention import attention
from translator.model.transformer import Transformer
from translator.runtime.arrange import arrange
from translator.runtime.eager.layers import Layers, normed
from translator.runtime.plan import FORBIDDEN


@pytest.fixture
def layers(model: Transformer) -> Layers:
    return Layers(arrange(model, ()))


@torch.inference_mode()
def test_attention_is_that_of_the_model(layers: Layers) -> None:
    torch.manual_seed(0)
    query, keys_values = torch.randn(2, 3, 8), torch.randn(2, 5, 2, 4, 2)  # 4 heads of 2 numbers
    mask = torch.tensor([[True] * 5, [True, True, False, False, False]])[:, None, None]
    key, value = keys_values.permute(2, 0, 3, 1, 4)
    expected, _ = attention(query.view(2, 3, 4, 2).transpose(1, 2), key, value, mask)
    expected = expected.transpose(1, 2).flatten(2)
    torch.testing.assert_close(layers.attend(query, keys_values, mask), expected)
    added = torch.zeros(mask.shape).masked_fill(~mask, FORBIDDEN)
    torch.testing.assert_close(layers.attend(query, keys_values, added), expected)
    short = layers.attend(query, keys_values.bfloat16(), mask)
    assert short.dtype == torch.float32
    torch.testing.assert_close(short, expected, atol=0.05, rtol=0.05)


@torch.inference_mode()
def test_attention_is_one_launch(layers: Layers) -> None:
    """Neither heads nor what is kept of them are copied first."""
    config = layers.plan.config
    projected = torch.randn(2, 7, 3 * config.d_model)
    mask = torch.zeros(2, 1, 1, 7)
    names = launches(lambda: layers.attend(*layers.parts(projected), mask))
    assert names == ["scaled_dot_product_attention"]


@torch.inference_mode()
def test_parts_are_queries_and_keys_beside_values(layers: Layers) -> None:
    width, heads = layers.plan.config.d_model, layers.plan.config.num_heads
    projected = torch.arange(3.0 * width)[None, None]
    query, keys_values = layers.parts(projected)
    assert torch.equal(query, projected[..., :width])
    assert keys_values.shape == (1, 1, 2, heads, width // heads)
    assert torch.equal(keys_values.flatten(), projected[0, 0, width:])


@torch.inference_mode()
def test_products_and_norms_are_those_of_the_model(model: Transformer, layers: Layers) -> None:
    x, layer = torch.randn(2, 3, model.config.d_model), layers.plan.encoder[0]
    network = model.encoder_layers[0].feed_forward
    assert torch.equal(layers.linear(x, layer.feed_forward.inner), network.inner_proj(x))  # type: ignore[operator,union-attr]
    assert torch.equal(normed(x, layers.plan.encoder_norm), model.encoder_norm(x))
    assert normed(x, None) is x
