"""A plan has every weight of its model once, and refuses by name what it does not know."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from translator.config import ModelConfig, Tying
from translator.errors import ConfigError
from translator.model.int8 import rounded_model
from translator.model.layers import DecoderLayer
from translator.model.transformer import Transformer, make_model
from translator.runtime import arrange as arranging
from translator.runtime.arrange import arrange
from translator.runtime.plan import FORBIDDEN, Embedding, Linear, Recurrence, SelfAttention


def test_projections_of_one_input_lie_side_by_side(model: Transformer) -> None:
    plan, layer = arrange(model, ()), model.decoder_layers[1]
    assert isinstance(layer, DecoderLayer)
    own, heads, cross = plan.decoder[1], layer.self_attention, layer.cross_attention
    assert isinstance(own.past, SelfAttention)
    assert heads is not None
    query, key, value = own.past.qkv.weight.chunk(3)
    assert query.equal(heads.query_proj.weight)
    assert key.equal(heads.key_proj.weight)
    assert value.equal(heads.value_proj.weight)
    assert own.memory.weight.equal(torch.cat([cross.key_proj.weight, cross.value_proj.weight]))
    assert own.memory.bias.equal(torch.cat([cross.key_proj.bias, cross.value_proj.bias]))
    assert own.cross_norm.weight.equal(layer.cross_attention_residual.norm.weight)
    assert own.past.qkv.name == "decoder.1.qkv"


def test_one_matrix_is_one_in_the_plan(model: Transformer) -> None:
    plan = arrange(model, (0, 5))
    assert plan.source.weight is plan.target.weight is plan.output.weight
    assert plan.output.weight.data_ptr() == model.embedding.weight.data_ptr(), "and not copied"
    assert plan.output.bias.nonzero().flatten().tolist() == [0, 5]
    assert plan.output.bias[5] == FORBIDDEN


def test_positions_are_those_of_the_model(model: Transformer) -> None:
    plan = arrange(model, ())
    assert plan.target.positions(700).equal(model.embedding.positions(700))
    assert plan.max_target_ids > 10**6
    learned = make_model(dataclasses.replace(model.config, positions="learned", max_positions=9))
    assert arrange(learned, ()).source.positions(9).equal(learned.embedding.position_table)
    assert arrange(learned, ()).max_target_ids == 9


def test_each_matrix_may_be_its_own(model: Transformer) -> None:
    config = dataclasses.replace(model.config, tied="none", output_bias=True, source_vocab_size=400)
    own = make_model(config)
    assert own.output is not None
    assert own.output_bias is not None
    assert own.decoder_embedding is not None
    torch.nn.init.normal_(own.output_bias)
    plan = arrange(own, (7,))
    assert plan.source.weight.shape == (400, config.d_model)
    assert plan.target.weight.equal(own.decoder_embedding.weight)
    assert plan.output.weight.equal(own.output)
    assert plan.output.bias[:7].equal(own.output_bias[:7].detach())
    assert plan.output.bias[7] == FORBIDDEN


def test_a_field_that_no_runtime_knows_is_refused_unless_it_says_nothing(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arranging, "KNOWN", arranging.KNOWN - {"norm"})
    arrange(model, ())
    model.config = dataclasses.replace(model.config, norm="post")
    with pytest.raises(ConfigError, match="norm: no runtime computes 'post'"):
        arrange(model, ())


def test_all_fields_are_known() -> None:
    assert {field.name for field in dataclasses.fields(ModelConfig)} == arranging.KNOWN


@pytest.mark.parametrize("tied", ["all", "none"])
def test_matrices_in_int8_take_the_places_of_floats(model: Transformer, tied: Tying) -> None:
    config = dataclasses.replace(model.config, tied=tied, output_bias=True)
    rounded = rounded_model(make_model(config).eval())
    plan, floats = arrange(rounded, (0, 5)), arrange(rounded.floats(), (0, 5))
    assert plan.is_int8
    assert not floats.is_int8
    assert (plan.source.weight is plan.output.weight) == (tied == "all")
    pairs: list[tuple[Linear | Embedding, Linear | Embedding]] = [
        (plan.output, floats.output),
        (plan.source, floats.source),
        (plan.target, floats.target),
        (plan.encoder[0].qkv, floats.encoder[0].qkv),
        (plan.encoder[1].feed_forward.out, floats.encoder[1].feed_forward.out),
        (plan.decoder[0].memory, floats.decoder[0].memory),
        (plan.decoder[1].cross_out, floats.decoder[1].cross_out),
    ]
    for one, other in pairs:
        assert (one.weight.dtype, other.scales) == (torch.int8, None)
        assert one.scales is not None
        assert other.weight.equal(one.weight * one.scales[:, None])
        if isinstance(one, Linear) and isinstance(other, Linear):
            assert one.bias.equal(other.bias)
    assert plan.num_bytes < 0.5 * floats.num_bytes


def test_candidates_and_gates_of_a_recurrent_layer_lie_side_by_side(model: Transformer) -> None:
    own = make_model(dataclasses.replace(model.config, decoder="ssru"))
    layer, past = own.decoder_layers[1], arrange(own, ()).decoder[1].past
    assert isinstance(layer, DecoderLayer)
    assert isinstance(past, Recurrence)
    assert layer.recurrence is not None
    candidates, gates = past.gates.weight.chunk(2)
    assert candidates.equal(layer.recurrence.candidate_proj.weight)
    assert gates.equal(layer.recurrence.gate_proj.weight)
    no_bias, bias = past.gates.bias.chunk(2)
    assert not no_bias.any(), "candidates have none"
    assert bias.equal(layer.recurrence.gate_proj.bias)
