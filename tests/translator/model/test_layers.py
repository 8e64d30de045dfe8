"""Dropout and layers against their equations and against torch."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from translator.config import Activation, ModelConfig, NormPlacement
from translator.model.dropout import dropout
from translator.model.layers import EncoderLayer
from translator.model.transformer import Transformer


def test_one_matrix_serves_source_target_and_output(model: Transformer) -> None:
    matrices = [n for n, p in model.named_parameters() if p.shape[0] == model.config.vocab_size]
    assert matrices == ["embedding.weight"]
    assert [name for name in model.state_dict() if "embedding" in name] == matrices


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_encoder_layer_agrees_with_torch(norm: NormPlacement, activation: Activation) -> None:
    config = ModelConfig(
        vocab_size=10, d_model=16, d_ff=32, num_heads=4, norm=norm, activation=activation
    )
    ours = EncoderLayer(config).eval()
    theirs = nn.TransformerEncoderLayer(
        16, 4, 32, activation=activation, batch_first=True, norm_first=norm == "pre"
    ).eval()
    heads = ours.self_attention
    with torch.no_grad():
        for parameter in ours.parameters():  # biases and norms away from their neutral values
            parameter.add_(torch.randn_like(parameter) * 0.1)
        qkv = (heads.query_proj, heads.key_proj, heads.value_proj)
        theirs.self_attn.in_proj_weight.copy_(torch.cat([p.weight for p in qkv]))
        theirs.self_attn.in_proj_bias.copy_(torch.cat([p.bias for p in qkv]))
        theirs.self_attn.out_proj.load_state_dict(heads.out_proj.state_dict())
        theirs.linear1.load_state_dict(ours.feed_forward.inner_proj.state_dict())
        theirs.linear2.load_state_dict(ours.feed_forward.out_proj.state_dict())
        theirs.norm1.load_state_dict(ours.self_attention_residual.norm.state_dict())
        theirs.norm2.load_state_dict(ours.feed_forward_residual.norm.state_dict())
    x = torch.randn(2, 5, 16)
    is_real = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    expected = theirs(x, src_key_padding_mask=~is_real)
    actual = ours(x, is_real[:, None, None])
    torch.testing.assert_close(actual[is_real], expected[is_real], atol=1e-5, rtol=1e-5)


def test_dropout_keeps_the_mean_and_rescales_exactly() -> None:
    torch.manual_seed(0)
    x = torch.ones(1000, 1000)
    dropped = dropout(x, 0.3, training=True)
    assert dropped.mean().item() == pytest.approx(1.0, abs=0.005)
    assert (dropped == 0).float().mean().item() == pytest.approx(77 / 256, abs=0.003)
    assert sorted(dropped.unique().tolist()) == [0.0, pytest.approx(256 / 179)]


def test_dropout_is_off_in_evaluation_and_repeats_with_the_seed() -> None:
    x = torch.randn(7, 3)
    assert dropout(x, 0.5, training=False) is x
    assert dropout(x, 0.0, training=True) is x
    torch.manual_seed(3)
    first = dropout(x, 0.5, training=True)
    torch.manual_seed(3)
    assert torch.equal(first, dropout(x, 0.5, training=True))


def test_every_element_is_dropped_independently() -> None:
    torch.manual_seed(0)
    kept = (dropout(torch.ones(200_000, 8), 0.5, training=True) != 0).float()
    correlation = torch.corrcoef(kept.T) - torch.eye(8)
    assert correlation.abs().max() < 0.01
    assert (kept.mean(dim=0) - 0.5).abs().max() < 0.01
