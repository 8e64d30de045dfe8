"""A plan has every weight of its model once, and refuses by name what it does not know."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from translator.config import ModelConfig
from translator.errors import ConfigError
from translator.model.transformer import Transformer, make_model
from translator.model.weights import weights_of
from translator.runtime import arrange as arranging
from translator.runtime.arrange import arrange
from translator.runtime.plan import FORBIDDEN, step_work


def test_one_matrix_is_one_in_the_plan(model: Transformer) -> None:
    plan = arrange(model, (0, 5))
    assert plan.source.weight is plan.target.weight is plan.output.weight
    assert np.shares_memory(plan.output.weight, model.embedding.weight.detach().numpy())
    assert plan.output.bias.nonzero()[0].tolist() == [0, 5]
    assert plan.output.bias[5] == FORBIDDEN


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


def test_memory_is_counted_once_however_often_a_matrix_is_used(model: Transformer) -> None:
    plan = arrange(model, ())
    num_weights = sum(weight.numel() for weight in model.parameters())
    assert plan.num_bytes == 4 * (num_weights + len(plan.output.bias))
    assert arrange(weights_of(model).rounded(), ()).num_bytes < 0.5 * plan.num_bytes


def test_work_by_hand() -> None:
    config = ModelConfig(
        vocab_size=100, d_model=10, d_ff=30, num_heads=2, num_encoder_layers=3, num_decoder_layers=2
    )
    plan, network = arrange(make_model(config), ()), 2 * 10 * 30
    assert step_work(plan) == 2 * (6 * 100 + network) + 100 * 10
    assert step_work(arrange(weights_of(make_model(config)).rounded(), ())) == step_work(plan)
