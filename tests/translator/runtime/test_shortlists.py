"""With a shortlist, a sentence chooses among its own pieces, whoever it is translated with."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.rounded import RoundedModel
from tests.translator.runtime.test_compiled import SPECIAL, random_sources
from tests.translator.runtime.test_contract import shortlist_for
from translator.config import DecodingOptions, ModelConfig
from translator.engine.running_batch import decode_batch
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled.model import CompiledRuntime
from translator.runtime.eager import EagerRuntime
from translator.runtime.plan import Plan
from translator.search.rows import Array

pytestmark = NEEDS_INT8


@pytest.fixture(params=["self_attention", "ssru"])
def model(model_config: ModelConfig, request: pytest.FixtureRequest) -> Transformer:
    torch.manual_seed(0)
    model = make_model(replace(model_config, decoder=request.param)).eval()
    with torch.no_grad():
        model.embedding.weight[3] *= 3  # end sentences at various lengths
    return model


def plan_of(model: Transformer) -> Plan[Array]:
    return arrange(model, SPECIAL.forbidden_ids, shortlist_for(model))


@pytest.mark.parametrize("beam_size", [1, 4])
@torch.inference_mode()
def test_in_floats_it_is_what_eager_does(model: Transformer, beam_size: int) -> None:
    plan, sources = plan_of(model), random_sources(20)
    assert plan.shortlist is not None
    options = DecodingOptions(beam_size=beam_size)
    found, expected = (
        decode_batch(one, sources, options, SPECIAL)
        for one in (CompiledRuntime(plan, "float32"), EagerRuntime(plan))
    )
    assert [one[0].ids for one in found] == [one[0].ids for one in expected]
    for [ours], [theirs], source in zip(found, expected, sources, strict=True):
        assert ours.score == pytest.approx(theirs.score, abs=1e-4)
        assert {*ours.ids} <= {*plan.shortlist.of(source).tolist()}
    without = decode_batch(EagerRuntime(replace(plan, shortlist=None)), sources, options, SPECIAL)
    assert [one[0].ids for one in without] != [one[0].ids for one in expected]


@torch.inference_mode()
def test_in_int8_scores_are_those_of_rounded_layers(model: Transformer) -> None:
    plan, sources = plan_of(model), random_sources(20)
    options = DecodingOptions(beam_size=1)
    found = decode_batch(CompiledRuntime(plan), sources, options, SPECIAL)
    expected = decode_batch(RoundedModel(plan, torch.float16), sources, options, SPECIAL)
    same = [a[0].ids == b[0].ids for a, b in zip(found, expected, strict=True)]
    assert sum(same) >= 16
    for [ours], [theirs], is_same in zip(found, expected, same, strict=True):
        assert not is_same or ours.score == pytest.approx(theirs.score, abs=0.05)
