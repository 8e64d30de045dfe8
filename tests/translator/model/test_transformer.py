"""The whole model against torch's layers, and the one matrix that is used three times."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from training.stages.run import average_weights
from translator.config import Activation, ModelConfig, NormPlacement, PositionScheme, Tying
from translator.model.attention import MultiHeadedAttention, causal_mask
from translator.model.layers import DecoderLayer, EncoderLayer, FeedForward
from translator.model.transformer import AttentionWeights, Transformer, make_empty_model, make_model
from translator.store.model_directory import LoadedModel, load_model_directory, save_model_directory


def copy_heads(ours: MultiHeadedAttention, theirs: nn.MultiheadAttention) -> None:
    projections = (ours.query_proj, ours.key_proj, ours.value_proj)
    theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
    theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())


def copy_layer(ours: EncoderLayer | DecoderLayer, theirs: nn.Module) -> None:
    """Give biases and norms other values than the neutral ones, and copy all but heads."""
    for parameter in ours.parameters():
        parameter.add_(torch.randn_like(parameter) * 0.1)
    norms = [ours.self_attention_residual.norm, ours.feed_forward_residual.norm]
    if isinstance(ours, DecoderLayer):
        norms.insert(1, ours.cross_attention_residual.norm)
    mine = {"linear1": ours.feed_forward.inner_proj, "linear2": ours.feed_forward.out_proj}
    mine |= {f"norm{number}": norm for number, norm in enumerate(norms, 1)}  # type: ignore[misc]
    for name, module in mine.items():
        theirs.get_submodule(name).load_state_dict(module.state_dict())


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("is_decoder", [False, True])
@torch.no_grad()
def test_layers_agree_with_torch(
    norm: NormPlacement, activation: Activation, is_decoder: bool
) -> None:
    torch.manual_seed(0)
    config = ModelConfig(
        vocab_size=10, d_model=16, d_ff=32, num_heads=4, norm=norm, activation=activation
    )
    kind = nn.TransformerDecoderLayer if is_decoder else nn.TransformerEncoderLayer
    theirs: Any = kind(
        16, 4, 32, activation=activation, batch_first=True, norm_first=norm == "pre"
    ).eval()
    ours = (DecoderLayer if is_decoder else EncoderLayer)(config).eval()
    copy_layer(ours, theirs)
    assert ours.self_attention is not None
    copy_heads(ours.self_attention, theirs.self_attn)
    x, memory = torch.randn(2, 5, 16), torch.randn(2, 7, 16)
    if isinstance(ours, DecoderLayer):
        copy_heads(ours.cross_attention, theirs.multihead_attn)
        is_real, mask = torch.tensor([[True] * 7, [True] * 3 + [False] * 4]), causal_mask(5)
        expected = theirs(x, memory, tgt_mask=~mask[0, 0], memory_key_padding_mask=~is_real)
        actual = ours(x, memory, mask, is_real[:, None, None])
    else:
        is_real = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
        actual = ours(x, is_real[:, None, None])[is_real]
        expected = theirs(x, src_key_padding_mask=~is_real)[is_real]
    torch.testing.assert_close(actual, expected, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_silu_feed_forward_follows_its_equation() -> None:
    config = ModelConfig(vocab_size=10, d_model=8, d_ff=12, num_heads=2, activation="silu")
    layer, x = FeedForward(config).eval(), torch.randn(3, 8)
    inner = x @ layer.inner_proj.weight.T + layer.inner_proj.bias
    expected = (inner / (1 + (-inner).exp())) @ layer.out_proj.weight.T + layer.out_proj.bias
    torch.testing.assert_close(layer(x), expected)


@pytest.mark.parametrize("norm", ["pre", "post"])
@torch.no_grad()
def test_every_parameter_has_a_part_in_the_result(
    model_config: ModelConfig, norm: NormPlacement
) -> None:
    model = make_model(replace(model_config, norm=norm))
    with torch.enable_grad():
        logits = model(torch.tensor([[4, 9, 3]]), torch.tensor([[2, 8]]), None)
        logits.square().sum().backward()
    unused = [n for n, p in model.named_parameters() if p.grad is None or not p.grad.any()]
    assert [name for name in unused if not name.endswith("key_proj.bias")] == []


def assert_tied(model: Transformer) -> None:
    """Hold that one change of the matrix is seen on the way in and on the way out."""
    state, ids = torch.randn(1, model.config.d_model), torch.tensor([[7]])
    logit, embedded = model.logits(state)[0, 7], model.embedding(ids)
    with torch.no_grad():
        model.embedding.weight[7] += 1.0
    assert model.logits(state)[0, 7].item() == pytest.approx(
        logit.item() + state.sum().item(), abs=1e-4
    )
    assert not torch.allclose(model.embedding(ids), embedded)
    assert sum("embedding" in name for name in model.state_dict()) == 1


def test_the_tie_survives_averaging_saving_and_loading(tmp_path: Path, loaded: LoadedModel) -> None:
    torch.manual_seed(1)
    others: list[dict[str, Tensor]] = [
        make_model(loaded.model.config).state_dict(),
        loaded.model.state_dict(),
    ]
    mean = average_weights(others)
    averaged = make_model(loaded.model.config).eval()
    averaged.load_state_dict(mean)
    assert_tied(averaged)
    folder = tmp_path / "model"
    save_model_directory(folder, loaded.description, loaded.tokenizer, mean, {}, np.float32)
    again = load_model_directory(folder).model
    assert torch.equal(again.embedding.weight, mean["embedding.weight"])
    assert_tied(again)


def test_reading_padding_teaches_nothing() -> None:
    model = make_model(ModelConfig(vocab_size=20, d_model=8, d_ff=8, num_heads=2))
    model.embedding(torch.tensor([[5, 0, 0]])).square().sum().backward()
    assert model.embedding.weight.grad is not None
    assert not model.embedding.weight.grad[0].any()
    assert model.embedding.weight.grad[5].any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("training", [True, False])
def test_a_source_of_padding_alone_stays_finite(dtype: torch.dtype, training: bool) -> None:
    torch.manual_seed(0)
    config = ModelConfig(
        vocab_size=20, d_model=16, d_ff=16, num_heads=2, dropout=0.2, attention_dropout=0.2
    )
    model = make_model(config).train(training)
    src = torch.tensor([[4, 5, 3], [0, 0, 0]])
    with torch.autocast("cpu", torch.bfloat16, enabled=dtype == torch.bfloat16):
        logits = model(src, torch.tensor([[2, 6], [2, 6]]), (src != 0)[:, None, None])
    assert logits.isfinite().all()
    logits.float().square().sum().backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name


@torch.no_grad()
def test_encoder_weights_are_recorded_too(model: Transformer) -> None:
    weights = AttentionWeights()
    src = torch.tensor([[4, 9, 3], [4, 3, 0]])
    src_mask = (src != 0)[:, None, None]
    recorded = model.encode(src, src_mask, weights)
    torch.testing.assert_close(recorded, model.encode(src, src_mask))
    assert [tuple(w.shape) for w in weights.encoder] == [(2, 4, 3, 3)] * 2
    assert not any(w[1, :, :, 2].any() for w in weights.encoder)


# --- models of other projects: which matrices are one --------------------------------------------


@pytest.mark.parametrize(
    ("tied", "own"),
    [("target", {"decoder_embedding.weight"}), ("none", {"decoder_embedding.weight", "output"})],
)
@torch.inference_mode()
def test_each_side_may_have_its_own_matrix(tied: Tying, own: set[str]) -> None:
    config = ModelConfig(
        vocab_size=20, source_vocab_size=31, d_model=8, d_ff=8, num_heads=2, tied=tied
    )
    model = make_model(config).eval()
    plain = make_model(replace(config, source_vocab_size=0, tied="all"))
    assert set(model.state_dict()) - set(plain.state_dict()) == own
    src, tgt = torch.tensor([[30, 5]]), torch.tensor([[2, 7]])
    assert model(src, tgt, None).shape == (1, 2, 20)
    states = model.decode(tgt, model.encode(src, None), None)
    output = model.output if tied == "none" else model.target_embedding.weight
    torch.testing.assert_close(model.logits(states), states @ output.T)  # type: ignore[union-attr]


@torch.inference_mode()
def test_logits_may_have_a_bias() -> None:
    model = make_model(ModelConfig(vocab_size=20, d_model=8, d_ff=8, num_heads=2, output_bias=True))
    states, before = torch.randn(1, 8), model.state_dict()["output_bias"]
    plain = model.logits(states)
    before[7] = 3.0
    torch.testing.assert_close(model.logits(states) - plain, 3.0 * (torch.arange(20) == 7)[None])


@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
@torch.inference_mode()
def test_an_empty_model_takes_no_memory_until_it_gets_weights(
    model_config: ModelConfig, positions: PositionScheme
) -> None:
    most = 30 if positions == "learned" else 0
    config = replace(model_config, tied="none", positions=positions, max_positions=most)
    full, empty = make_model(config).eval(), make_empty_model(config).eval()
    assert {parameter.device.type for parameter in empty.parameters()} == {"meta"}
    empty.load_state_dict(full.state_dict(), assign=True)
    src, tgt = torch.tensor([[5, 9, 8]]), torch.tensor([[2, 7]])
    assert torch.equal(full(src, tgt, None), empty(src, tgt, None))
    assert all(parameter.requires_grad for parameter in empty.parameters())


WITHOUT_COMPILER = """
import sys
from translator.config import ModelConfig
from translator.model.transformer import make_empty_model
for positions in ("sinusoidal", "learned"):
    most = 30 if positions == "learned" else 0
    make_empty_model(ModelConfig(vocab_size=9, positions=positions, max_positions=most))
print(*{"sympy", "torch._dynamo"} & set(sys.modules))
"""


def test_an_empty_model_is_made_without_the_compiler() -> None:
    """PyTorch imports it for some operations without memory: over a second at each start."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILER], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
