"""With a shortlist, a sentence chooses among its own pieces, whoever it is translated with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.compiled.rounded import RoundedModel
from tests.translator.runtime.compiled.test_model import SPECIAL, answers, random_sources
from tests.translator.runtime.memory import floats_of, layer_of
from translator.config import DecodingOptions, ModelConfig
from translator.engine.running_batch import RunningBatch, decode_batch
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.compiled.layout import Layout
from translator.runtime.compiled.memory.listing import OutputLists
from translator.runtime.compiled.memory.pool import Pool
from translator.runtime.compiled.model import PACKINGS
from translator.runtime.compiled.steps import CompiledRuntime
from translator.runtime.eager.model import EagerModel
from translator.runtime.plan import FORBIDDEN, Plan
from translator.tokens.shortlist import Shortlist

pytestmark = NEEDS_INT8


@pytest.fixture(params=["self_attention", "ssru"])
def model(model_config: ModelConfig, request: pytest.FixtureRequest) -> Transformer:
    torch.manual_seed(0)
    model = make_model(replace(model_config, decoder=request.param)).eval()
    with torch.no_grad():
        model.embedding.weight[3] *= 3  # end sentences at various lengths
    return model


def plan_of(model: Transformer) -> Plan:
    """Return a plan with 9 random ids for each source piece, and EOS."""
    count = model.config.vocab_size
    ids = np.random.default_rng(0).integers(4, count, 9 * count).astype(np.int32)
    starts = np.arange(0, 9 * count + 1, 9, dtype=np.int32)
    lists = Shortlist(np.array([3, 4, 5], np.int32), starts, ids)
    return arrange(model, SPECIAL.forbidden_ids, lists)


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_list_has_the_rows_of_the_output_layer(model: Transformer, precision: str) -> None:
    plan = plan_of(model)
    assert plan.shortlist is not None
    layout = Layout(plan, PACKINGS[precision]())
    sources = [7, 9, 8, 30, 31, 32, 33, 34, 35]
    found = OutputLists(layout, plan).of(sources, Pool())
    ids = plan.shortlist.of(sources)
    assert found.num_ids == len(ids) > 64
    read = layer_of if precision == "int8" else floats_of
    weight, bias = read(layout.model[0]["logits"])
    record = np.array([found.linear], layout.weights.linear_type)[0]
    own_weight, own_bias = read(record)
    np.testing.assert_array_equal(own_weight[: len(ids)], weight[ids])
    np.testing.assert_array_equal(own_bias[: len(ids)], bias[ids])
    assert (own_bias[len(ids) :] < FORBIDDEN / 2).all()


@pytest.mark.parametrize("beam_size", [1, 4])
@torch.inference_mode()
def test_in_floats_it_is_what_eager_does(model: Transformer, beam_size: int) -> None:
    plan, sources = plan_of(model), random_sources(20)
    assert plan.shortlist is not None
    options = DecodingOptions(beam_size=beam_size)
    found, expected = (
        decode_batch(one, sources, options, SPECIAL)
        for one in (CompiledRuntime(plan, "float32"), EagerModel(plan))
    )
    assert [one[0].ids for one in found] == [one[0].ids for one in expected]
    for [ours], [theirs], source in zip(found, expected, sources, strict=True):
        assert ours.score == pytest.approx(theirs.score, abs=1e-4)
        assert {*ours.ids} <= {*plan.shortlist.of(source).tolist()}
    without = decode_batch(EagerModel(replace(plan, shortlist=None)), sources, options, SPECIAL)
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


@pytest.mark.parametrize("precision", ["float32", "int8"])
@pytest.mark.parametrize("beam_size", [1, 3])
@torch.inference_mode()
def test_company_changes_nothing(model: Transformer, precision: str, beam_size: int) -> None:
    runtime = CompiledRuntime(plan_of(model), precision)
    options, sources = DecodingOptions(beam_size=beam_size), random_sources(30)
    batch, found = RunningBatch[int](runtime, beam_size, SPECIAL), dict[int, Any]()
    waiting = [*range(30)]
    while waiting or len(batch):
        new, waiting = waiting[:4], waiting[4:]
        if new:
            batch.admit(new, [sources[key] for key in new], [options] * len(new))
        found |= dict(batch.step())
    for key, source in enumerate(sources):
        [lone] = decode_batch(runtime, [source], options, SPECIAL)
        assert answers([found[key]]) == answers([lone])
