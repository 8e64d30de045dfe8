"""All runtimes keep the contract: the same translations, alone, in company, coming and going."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.stepping import begun, log_probs, random_sources
from translator.config import DecodingOptions, ModelConfig
from translator.engine.running_batch import RunningBatch, decode_batch
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.contract import Runtime
from translator.runtime.device.model import DeviceRuntime
from translator.runtime.eager import EagerRuntime
from translator.runtime.plan import Plan
from translator.search.rows import Array
from translator.tokens.port import SpecialIds
from translator.tokens.shortlist import Shortlist

OPTIONS = [
    DecodingOptions(beam_size=1),
    DecodingOptions(beam_size=4, num_hypotheses=3),
    DecodingOptions(beam_size=3, length_penalty="gnmt", alpha=0.6),
    DecodingOptions(beam_size=2),
]
SPECIAL = SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2))


def compiled(precision: str) -> Callable[[Plan[Array]], Runtime]:
    def make(plan: Plan[Array]) -> Runtime:
        from translator.runtime.compiled.model import CompiledRuntime

        return CompiledRuntime(plan, precision)

    return make


RUNTIMES: dict[str, Callable[[Plan[Array]], Runtime]] = {
    "eager": EagerRuntime,
    "device": DeviceRuntime,
    "float32": compiled("float32"),
    "int8": compiled("int8"),
}
IS_EXACT = {"float32", "int8"}
"""Runtimes in which company changes no bit of a score."""

EVERY = [
    one if one in {"eager", "device"} else pytest.param(one, marks=NEEDS_INT8) for one in RUNTIMES
]
each_runtime = pytest.mark.parametrize("name", EVERY)


def ends_sentences(model: Transformer) -> Transformer:
    """Let a model end sentences at various lengths."""
    with torch.no_grad():
        model.embedding.weight[3] *= 3
    return model


@pytest.fixture
def decided(model: Transformer) -> Transformer:
    return ends_sentences(model)


def assert_same(found: list[Any], expected: list[Any], name: str) -> None:
    assert [one.ids for one in found] == [one.ids for one in expected]
    scores = [one.score for one in expected]
    is_exact = name in IS_EXACT
    assert [one.score for one in found] == (scores if is_exact else pytest.approx(scores, rel=1e-4))


def shortlist_for(model: Transformer) -> Shortlist:
    """Return lists of 9 random ids for each source piece, and of a few that are always there."""
    count = model.config.vocab_size
    ids = np.random.default_rng(0).integers(4, count, 9 * count).astype(np.int32)
    starts = np.arange(0, 9 * count + 1, 9, dtype=np.int32)
    return Shortlist(np.array([3, 4, 5], np.int32), starts, ids)


@each_runtime
@pytest.mark.parametrize("options", OPTIONS, ids=["greedy", "beam", "gnmt", "shortlist"])
@torch.inference_mode()
def test_neither_company_nor_who_leaves_it_changes_anything(
    decided: Transformer, name: str, options: DecodingOptions
) -> None:
    shortlist = shortlist_for(decided) if options is OPTIONS[-1] else None
    runtime = RUNTIMES[name](arrange(decided, SPECIAL.forbidden_ids, shortlist))
    generator = random.Random(1)
    waiting, answers, dropped = dict(enumerate(random_sources(20))), dict[int, Any](), set[int]()
    everything, batch = dict(waiting), RunningBatch[int](runtime, options.beam_size, SPECIAL)
    while waiting or len(batch):
        keys = list(waiting)[: generator.choice([0, 1, 4])]
        if keys:
            batch.admit(keys, [waiting.pop(key) for key in keys], [options] * len(keys))
        for key in batch.keys[2:3] if generator.random() < 0.2 else []:
            dropped.add(key)
            batch.drop(key)
        answers |= dict(batch.step())
    assert dropped
    assert answers.keys() == everything.keys() - dropped
    if shortlist is None:
        assert len({len(best[0].ids) for best in answers.values()}) > 3
    for key, best in answers.items():
        [alone] = decode_batch(runtime, [everything[key]], options, SPECIAL)
        assert_same(best, alone, name)


@each_runtime
@torch.inference_mode()
def test_sentences_of_one_batch_may_have_different_options(decided: Transformer, name: str) -> None:
    runtime = RUNTIMES[name](arrange(decided, SPECIAL.forbidden_ids))
    wanted = [
        several := DecodingOptions(beam_size=4, num_hypotheses=3, length_penalty="gnmt", alpha=2.0),
        replace(several, num_hypotheses=1, length_penalty="none"),
        replace(several, num_hypotheses=2, length_penalty="average", alpha=0.5),
    ]
    given = random_sources(3)
    batch, answers = RunningBatch[int](runtime, 4, SPECIAL), dict[int, Any]()
    batch.admit(range(3), given, wanted)
    while len(batch):
        answers |= dict(batch.step())
    for key, options in enumerate(wanted):
        [alone] = decode_batch(runtime, [given[key]], options, SPECIAL)
        assert_same(answers[key], alone, name)


@each_runtime
@torch.inference_mode()
def test_replicas_translate_alike_and_share_their_weights(decided: Transformer, name: str) -> None:
    runtime = RUNTIMES[name](arrange(decided, SPECIAL.forbidden_ids))
    runtime.warm_up()
    options, given = DecodingOptions(beam_size=2), random_sources(5)
    answers = [decode_batch(replica, given, options, SPECIAL) for replica in runtime.replicas(3)]
    assert answers[0] == answers[1] == answers[2]
    assert {replica.num_bytes for replica in runtime.replicas(2)} == {runtime.num_bytes}
    assert runtime.num_bytes >= sum(weight.numel() for weight in decided.parameters())


@NEEDS_INT8
@pytest.mark.parametrize("beam_size", [1, 4])
@pytest.mark.parametrize("decoder", ["self_attention", "ssru"])
@pytest.mark.parametrize("has_list", [False, True])
@torch.inference_mode()
def test_floats_translate_alike_compiled_or_not(
    model_config: ModelConfig, decoder: Any, has_list: bool, beam_size: int
) -> None:
    torch.manual_seed(0)
    model = ends_sentences(make_model(replace(model_config, decoder=decoder)).eval())
    plan, options = arrange(model, SPECIAL.forbidden_ids), DecodingOptions(beam_size=beam_size)
    plan = replace(plan, shortlist=shortlist_for(model)) if has_list else plan
    given = random_sources(20)
    answers = [
        decode_batch(RUNTIMES[name](plan), given, options, SPECIAL)
        for name in ("float32", "eager", "device")
    ]
    for source, expected, *others in zip(given, *answers, strict=True):
        for found in others:
            assert_same(found, expected, "eager")
        if plan.shortlist is not None:
            assert {*expected[0].ids} <= {*plan.shortlist.of(source).tolist()}


@pytest.mark.parametrize("name", [one for one in EVERY if one != "device"])
@torch.inference_mode()
def test_forbidden_ids_have_no_probability_and_all_others_all_of_it(
    model: Transformer, name: str
) -> None:
    runtime: Any = RUNTIMES[name](arrange(model, SPECIAL.forbidden_ids))
    probabilities = log_probs(begun(runtime, [[4, 9, 3], [4, 3]]), [2, 2]).exp()
    assert not probabilities[:, list(SPECIAL.forbidden_ids)].any()
    assert probabilities.sum(dim=1).tolist() == pytest.approx([1] * 2, abs=1e-5)
