"""A search on the device finds the same as one on the CPU, for every kind of model and company."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch

from tests.invariants.test_architectures import (
    ARCHITECTURES,
    FORMS,
    PLAIN,
    SOURCES,
    SPECIAL,
    each_form,
    plan_of,
    tiny_model,
)
from tests.launches import WAITING, Captured, launches, operators
from tests.translator.runtime.stepping import random_sources
from tests.translator.runtime.test_contract import ends_sentences, shortlist_for
from translator.config import DecodingOptions, ModelConfig
from translator.engine.running_batch import RunningBatch, decode_batch
from translator.model.transformer import Transformer, make_model
from translator.runtime.arrange import arrange
from translator.runtime.device.batch import STEPS_AT_ONCE, DeviceBatch
from translator.runtime.device.model import DeviceRuntime
from translator.runtime.eager import EagerRuntime
from translator.runtime.plan import Plan
from translator.search.hypothesis import Hypothesis
from translator.search.rows import Array

OPTIONS = [
    DecodingOptions(beam_size=1),
    DecodingOptions(beam_size=4, num_hypotheses=3),
    DecodingOptions(beam_size=3, length_penalty="gnmt", alpha=0.6, no_repeat_ngram_size=2),
]
each_search = pytest.mark.parametrize("options", OPTIONS, ids=["greedy", "beam", "blocking"])


def assert_same(found: list[list[Hypothesis]], expected: list[list[Hypothesis]]) -> None:
    assert [[(h.ids, h.finish_reason) for h in own] for own in found] == [
        [(h.ids, h.finish_reason) for h in own] for own in expected
    ]
    for own, others in zip(found, expected, strict=True):
        scores = [h.score for h in others]
        assert [h.score for h in own] == pytest.approx(scores, abs=1e-4)


def assert_as_eager(plan: Plan[Array], options: DecodingOptions, starts: Any = None) -> None:
    eager = EagerRuntime(plan, compiles_search=False)
    expected = decode_batch(eager, SOURCES, options, SPECIAL, starts)
    assert_same(decode_batch(DeviceRuntime(plan), SOURCES, options, SPECIAL, starts), expected)


@pytest.mark.parametrize(
    "choices",
    [
        one
        for one in ARCHITECTURES
        if one["norm"] == PLAIN["norm"] or one == PLAIN | {"norm": "post"}
    ],
    ids=lambda choices: "-".join(choices.values()),
)
@torch.inference_mode()
def test_every_choice_of_a_model(choices: dict[str, Any]) -> None:
    """By beam search; how one searches has nothing to do with what one computes."""
    assert_as_eager(plan_of(tiny_model(choices)), OPTIONS[1])


@each_search
@torch.inference_mode()
def test_every_search(options: DecodingOptions) -> None:
    for decoder in ("self_attention", "ssru"):
        assert_as_eager(plan_of(tiny_model(PLAIN | {"decoder": decoder})), options)


@each_form
@torch.inference_mode()
def test_other_projects_models(form: dict[str, Any]) -> None:
    assert_as_eager(plan_of(tiny_model(form)), OPTIONS[1])


@each_search
@torch.inference_mode()
def test_it_starts_as_it_is_told(options: DecodingOptions) -> None:
    """Even with the id that ends a sentence."""
    starts = [[3, 7], [2], [3, 9, 3, 8, *range(10, 30)]]
    assert_as_eager(plan_of(tiny_model(FORMS[2])), options, starts)


def with_shortlist(model: Transformer) -> Plan[Array]:
    return arrange(model, SPECIAL.forbidden_ids, shortlist_for(model))


@torch.inference_mode()
def test_models_with_shortlists() -> None:
    """When repeated n-grams are blocked; otherwise see `runtime/test_contract.py`."""
    assert_as_eager(with_shortlist(tiny_model(PLAIN)), OPTIONS[2])


@pytest.fixture
def decided(model: Transformer) -> Transformer:
    return ends_sentences(model)


@each_search
@pytest.mark.parametrize("cache_bytes", [1, 1 << 30])
@torch.inference_mode()
def test_slots_grow_move_and_are_used_again(
    decided: Transformer, options: DecodingOptions, cache_bytes: int
) -> None:
    """Whether there is memory for more than is needed, or not."""
    plan, generator = arrange(decided, SPECIAL.forbidden_ids), random.Random(1)
    device = DeviceRuntime(plan)
    device.cache_bytes = cache_bytes
    given = [
        source
        for count, longest in ((6, 10), (18, 50), (4, 10))
        for source in random_sources(count, count, longest)
    ]
    waiting, found, dropped = dict(enumerate(given)), dict[int, list[Hypothesis]](), set[int]()
    batch = RunningBatch[int](device, options.beam_size, SPECIAL)
    while waiting or len(batch):
        keys = [*waiting][: generator.choice([0, 1, 3, 12])]
        if keys:
            batch.admit(keys, [waiting.pop(key) for key in keys], [options] * len(keys))
        if generator.random() < 0.1 and batch.keys:
            dropped.add(batch.keys[-1])
            batch.drop(batch.keys[-1])
        found |= dict(batch.step())
    assert dropped
    assert found.keys() == {*range(len(given))} - dropped
    eager = EagerRuntime(plan, compiles_search=False)
    kept = sorted(found)
    expected = decode_batch(eager, [given[key] for key in kept], options, SPECIAL)
    assert_same([found[key] for key in kept], expected)


def step_of(plan: Plan[Array], options: DecodingOptions) -> DeviceBatch:
    """Return a batch that is in the middle of sentences."""
    batch = DeviceRuntime(plan).batch(options.beam_size, 2, 3)
    batch.admit(SOURCES, [40] * 3, [options] * 3, [()] * 3)
    batch.step(1, waits=True)
    return batch


def counted(
    num_layers: int, options: DecodingOptions, decoder: str = "self_attention"
) -> list[str]:
    config = ModelConfig(
        vocab_size=300,
        d_model=64,
        d_ff=128,
        num_heads=4,
        num_encoder_layers=1,
        num_decoder_layers=num_layers,
        dropout=0.0,
        decoder=decoder,  # type: ignore[arg-type]
    )
    batch = step_of(arrange(make_model(config).eval(), (0, 1, 2, 3)), options)
    bucket = batch._bucket(batch._sentences)
    with batch._graphs.at_work():
        return launches(lambda: batch._step(bucket))


@pytest.mark.parametrize(("beam_size", "most_around"), [(1, 56), (4, 74)])
def test_a_step_launches_little(beam_size: int, most_around: int) -> None:
    """Each launch takes a GPU two microseconds, however little there is to do."""
    options = DecodingOptions(beam_size=beam_size)
    two, three = counted(2, options), counted(3, options)
    of_layer = len(three) - len(two)
    assert of_layer <= 14
    assert len(two) - 2 * of_layer <= most_around


@each_search
@torch.inference_mode()
def test_a_turn_waits_for_one_answer(options: DecodingOptions) -> None:
    """Who is done; no step waits for anything."""
    batch = step_of(plan_of(tiny_model(PLAIN)), options)
    most = operators(lambda: torch.ones(9, dtype=torch.bool).tolist())
    waiting = [name for name in operators(lambda: batch.step(1, waits=True)) if name in WAITING]
    assert waiting == [name for name in most if name in WAITING]


@pytest.mark.parametrize("decoder", ["self_attention", "ssru"])
@each_search
@torch.inference_mode()
def test_nothing_of_a_step_lies_on_the_cpu(options: DecodingOptions, decoder: str) -> None:
    """On a device without numbers, all that asks for one fails, and all that mixes in the CPU's."""
    plan = with_shortlist(tiny_model(PLAIN | {"decoder": decoder}))
    batch = DeviceRuntime(plan, "meta", torch.bfloat16).batch(options.beam_size, 2, 3)
    batch.admit(SOURCES, [40] * 3, [options] * 3, [[2, 7], (), ()])
    bucket = batch._bucket(batch._sentences)
    assert bucket.is_forced
    assert bool(bucket.ngram_size) == bool(options.no_repeat_ngram_size)
    with batch._graphs.at_work(), Captured("meta"):
        batch._step(bucket)
        batch._step(bucket._replace(is_forced=False))
    with Captured("meta"), pytest.raises(AssertionError, match="waits for the device"):
        batch._slots.is_live.any().item()  # type: ignore[union-attr]
    elsewhere = torch.zeros(1)
    with Captured("meta"), pytest.raises(AssertionError, match=r"tensors on \['cpu'\]"):
        elsewhere.add(1)


def test_who_is_done_may_be_longer_than_who_is_looked_at() -> None:
    """A slot that no one reads: what it computes must not lie outside of a table either."""
    [options] = [one for one in OPTIONS if one.no_repeat_ngram_size]
    batch = DeviceRuntime(plan_of(tiny_model(PLAIN))).batch(options.beam_size, 2, 299)
    batch.admit([[4, 9, 3]] * 4, [60] * 4, [options] * 4, [()] * 4)
    num_done = 0
    while num_done < 4:
        num_done += len(batch.step(1, waits=True))
    batch.retire_all_but([])
    batch.admit([[4, 9, 3]] * 3, [60] * 3, [options] * 3, [()] * 3)
    bucket = batch._bucket(batch._sentences)
    assert batch._slots is not None
    assert batch._slots.fed[: bucket.sentences].max() >= bucket.target, "the slot that is free"
    assert batch.step(1, waits=True) == []


def test_a_turn_is_a_few_steps(decided: Transformer) -> None:
    plan, options = arrange(decided, SPECIAL.forbidden_ids), DecodingOptions(beam_size=2)
    batch = DeviceRuntime(plan).batch(2, 2, 3)
    batch.admit([[4, 9, 3]], [STEPS_AT_ONCE + 1], [options], [()])
    done = batch.step(1, waits=False)
    assert [one.age for one in batch._sentences] == [STEPS_AT_ONCE]
    done += batch.step(1, waits=False)
    assert done == [0]
    assert batch._sentences[0].age <= STEPS_AT_ONCE + 1
    assert batch.step(1, waits=False) == []


@torch.inference_mode()
def test_in_bfloat16_it_is_nearly_the_same(decided: Transformer) -> None:
    plan, options = arrange(decided, SPECIAL.forbidden_ids), DecodingOptions(beam_size=1)
    given = random_sources(30, 3, 20)
    exact, short = (
        decode_batch(DeviceRuntime(plan, dtype=kind), given, options, SPECIAL)
        for kind in (torch.float32, torch.bfloat16)
    )
    same = [one[0].ids == other[0].ids for one, other in zip(exact, short, strict=True)]
    assert sum(same) >= 15
    scores = [(one[0].score, other[0].score) for one, other in zip(exact, short, strict=True)]
    assert any(one != other for one, other in scores), "it is bfloat16"
    for is_same, (one, other) in zip(same, scores, strict=True):
        assert not is_same or one == pytest.approx(other, abs=0.05)
