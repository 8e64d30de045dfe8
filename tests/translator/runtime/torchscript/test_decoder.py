"""One step of the decoder: each layer is that of the model, wherever its past lies."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from translator.config import NormPlacement
from translator.model.attention import causal_mask
from translator.model.layers import DecoderLayer
from translator.model.transformer import Transformer, make_model
from translator.runtime.torchscript.best_ids import NATS_PER_BIT
from translator.runtime.torchscript.decoder import FusedDecoderLayer, FusedStep, powers_of_two
from translator.runtime.torchscript.inference import InferenceModel
from translator.runtime.torchscript.kv_cache import LOWEST, hide_the_rest, in_blocks
from translator.runtime.torchscript.linear import joined


def test_powers_of_two_by_hand() -> None:
    powers, totals = powers_of_two(torch.tensor([[3.0, 2.0, 0.0], [-900.0, -900.0, LOWEST]]))
    assert powers.tolist() == [[1, 0.5, 0.125], [1, 1, 0]]
    assert totals.tolist() == [[1.625], [2]]


def test_their_sum_does_not_tell_in_which_order_they_stand() -> None:
    scores = torch.randn(8, 300, generator=torch.Generator().manual_seed(0)) * 8
    order = torch.randperm(300, generator=torch.Generator().manual_seed(1))
    assert torch.equal(powers_of_two(scores)[1], powers_of_two(scores[:, order])[1])


@pytest.mark.parametrize("norm", ["pre", "post"])
@torch.inference_mode()
def test_a_layer_step_by_step_is_the_layer_of_the_model(
    model: Transformer, norm: NormPlacement
) -> None:
    config = replace(model.config, norm=norm)
    torch.manual_seed(0)
    layer = make_model(config).eval().decoder_layers[0]
    assert isinstance(layer, DecoderLayer)
    fused, heads = FusedDecoderLayer(layer, config).eval(), config.num_heads
    x, memory, d_k = torch.randn(2, 7, 32), torch.randn(2, 5, 32), 32 // heads
    expected = layer(x, memory, causal_mask(7), None)
    both = torch.nn.functional.linear(memory, *joined(layer.cross_attention, "key", "value"))
    keys, values = both.view(2, 5, 2, heads, d_k).permute(2, 0, 3, 1, 4)
    cache = torch.zeros(2, 2, heads, in_blocks(7), d_k)
    for place in range(7):
        mask = hide_the_rest(place + 1, in_blocks(7), x.device)
        of_source = keys.transpose(2, 3).contiguous(), values.contiguous()
        found = fused(x[:, place].clone(), cache, place, mask, of_source, None)
        torch.testing.assert_close(found, expected[:, place], atol=1e-5, rtol=1e-5)


@torch.inference_mode()
@pytest.mark.parametrize("beam_size", [1, 2, 4, 5])
def test_where_the_past_lies_changes_no_bit(model: Transformer, beam_size: int) -> None:
    model, past = make_model(replace(model.config, d_model=128)).eval(), 20
    layer = InferenceModel(model, freeze=False).decoder.layers[0]
    heads, d_k = layer.num_heads, 128 // layer.num_heads
    x = torch.randn(beam_size, 128)
    keys_values = torch.randn(2, 1, heads, past, d_k)
    found = []
    for width in (past, 30, 77, 180):
        places = torch.randperm(width)[:past].sort().values
        cache = torch.randn(2, 1, heads, in_blocks(width + beam_size), d_k)
        cache[:, :, :, places] = keys_values
        mask = torch.full((1, 1, beam_size, cache.size(3)), LOWEST)
        mask[..., places] = 0
        mask[0, 0, :, width : width + beam_size].fill_diagonal_(0)
        found.append(layer.attend_to_itself(x, cache, width, mask))
    assert all(torch.equal(found[0], other) for other in found[1:])


@torch.inference_mode()
def test_logits_are_in_bits_and_have_a_bias(model: Transformer) -> None:
    bias = torch.zeros(model.config.vocab_size)
    bias[7] = -5.0
    step = FusedStep(model, bias)
    x = torch.randn(3, 32)
    expected = model.logits(x) + bias
    torch.testing.assert_close(step.logits(x) * NATS_PER_BIT, expected, atol=1e-5, rtol=1e-5)
