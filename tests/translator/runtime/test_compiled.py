"""Compiled runtimes: in int8 they compute what rounded layers compute, in steps of any number.

What all runtimes have in common is in `test_contract.py`, choices of models in
`tests/invariants/test_architectures.py`.
"""

from __future__ import annotations

import copy
import math
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.cpu import NEEDS_INT8
from tests.translator.runtime.rounded import RoundedModel, rounded_model
from tests.translator.runtime.stepping import (
    begun,
    log_probs,
    random_sources,
    reorder,
    take_step,
)
from tests.translator.runtime.test_contract import ends_sentences, shortlist_for
from tests.translator.search.dense import ids_of
from translator.config import DecodingOptions, ModelConfig
from translator.engine.running_batch import ALL_ROWS, RunningBatch, decode_batch
from translator.errors import ConfigError
from translator.model.transformer import AttentionWeights, Transformer, make_model
from translator.model.weights import weights_of
from translator.runtime.arrange import arrange
from translator.runtime.compiled import memory as memories
from translator.runtime.compiled.layout import ROWS_TO_LOOK_AT, fits_into_halves
from translator.runtime.compiled.memory import SIZE_STEP, Pool
from translator.runtime.compiled.model import CompiledBatch, CompiledRuntime
from translator.search.beam import BeamSearch
from translator.search.hypothesis import Hypothesis
from translator.tokens.port import SpecialIds

pytestmark = NEEDS_INT8

DEAD = -math.inf
SPECIAL = SpecialIds(bos_id=2, eos_id=3, forbidden_ids=(0, 1, 2))
SOURCES = [[4, 9, 8, 7, 3], [4, 11, 3], [4, 20, 21, 22, 23, 24, 25, 3], list(range(4, 44))]


@pytest.fixture(params=["self_attention", "ssru"])
def model(model_config: ModelConfig, request: pytest.FixtureRequest) -> Transformer:
    torch.manual_seed(0)
    return make_model(replace(model_config, decoder=request.param)).eval()


def both(model: Transformer) -> tuple[CompiledRuntime, RoundedModel]:
    """Return a model in int8 and its reference."""
    reference = rounded_model(model, SPECIAL.forbidden_ids)
    return CompiledRuntime(arrange(model, SPECIAL.forbidden_ids)), reference


def alike(found: Tensor, expected: Tensor) -> bool:
    """Return whether two lists of log-probabilities differ by rounded ties only."""
    difference = (found - expected)[expected > -50].abs()
    return bool(difference.mean() < 0.01 and difference.max() < 0.15)


@pytest.mark.parametrize(
    ("d_model", "d_ff", "heads", "vocab_size"),
    [(20, 36, 2, 50), (21, 37, 3, 51), (48, 100, 1, 200), (128, 64, 2, 64)],
)
@torch.inference_mode()
def test_any_sizes(d_model: int, d_ff: int, heads: int, vocab_size: int) -> None:
    torch.manual_seed(0)
    config = ModelConfig(
        vocab_size=vocab_size,
        d_model=d_model,
        d_ff=d_ff,
        num_heads=heads,
        num_encoder_layers=1,
        num_decoder_layers=3,
    )
    batches = [begun(one, SOURCES, 3) for one in both(make_model(config).eval())]
    for step in range(20):
        ids = [4 + (step + row) % 40 for row in range(12)]
        assert alike(*(log_probs(batch, ids) for batch in batches))
        parents = (np.arange(12).reshape(4, 3) + step) % 3
        for batch in batches:
            reorder(batch, parents)


@torch.inference_mode()
def test_long_sources_and_translations(model: Transformer) -> None:
    sources = [[4 + i % 50 for i in range(600)], [4, 5, 3]]
    batches = [begun(one, sources) for one in both(model)]
    for step in range(530):
        ids = [4 + step % 70, 4 + step % 31]
        for batch in batches:
            take_step(batch, ids)
    assert alike(*(log_probs(batch, [7, 8]) for batch in batches))


@pytest.mark.parametrize("first", [[-1.0, -1.1, DEAD], [-1.0, DEAD, -1.1], [DEAD, DEAD, 0.0]])
@torch.inference_mode()
def test_the_best_continuations_are_those_of_all(model: Transformer, first: list[float]) -> None:
    ours, _ = both(model)
    beam_log_probs = [first, [-0.3, -5.0, -0.2]]
    for count in (1, 6, 40):
        first_two = SOURCES[:2]
        best, ids, beams = take_step(begun(ours, first_two, 3), [2] * 6, count, beam_log_probs)
        totals = log_probs(begun(ours, first_two, 3), [2] * 6).view(2, 3, -1)
        totals += torch.tensor(beam_log_probs)[:, :, None]
        expected = totals.flatten(1).topk(count)
        # the totals are of logits that are rounded, but for those that are asked for
        torch.testing.assert_close(best, expected.values, atol=2e-2, rtol=0)
        for sentence in range(2):
            found = totals[sentence, beams[sentence], ids[sentence]]
            torch.testing.assert_close(found, best[sentence], atol=2e-2, rtol=0)
            assert best[sentence].tolist() == sorted(best[sentence].tolist(), reverse=True)
            pairs = zip(beams[sentence].tolist(), ids[sentence].tolist(), strict=True)
            assert len(set(pairs)) == count


@torch.inference_mode()
def test_the_logits_of_the_best_continuations_are_not_rounded(model: Transformer) -> None:
    ours, rounded = both(model)
    exact = rounded_model(model, SPECIAL.forbidden_ids, but_not="output")

    def first_step(one: Any) -> Tensor:
        return log_probs(begun(one, SOURCES), [2] * 4)

    found, others = first_step(ours), [first_step(rounded), first_step(exact)]
    from_rounded, from_exact = ((found - other)[found > -50].abs().mean() for other in others)
    assert from_exact < from_rounded / 4


@torch.inference_mode()
def test_beams_that_are_dead_have_no_continuations(model: Transformer) -> None:
    ours, _ = both(model)
    so_far = [[0.0, DEAD], [DEAD, DEAD], [-1.0, -2.0]]
    best, _, _ = take_step(begun(ours, SOURCES[:3], 2), [2] * 6, 4, so_far)
    assert best.isfinite().tolist() == [[True] * 4, [False] * 4, [True] * 4]


def answers(found: list[list[Any]]) -> list[Any]:
    return [[(one.ids, one.score, one.finish_reason) for one in best] for best in found]


@pytest.mark.parametrize("beam_size", [1, 4, 64])
@torch.inference_mode()
def test_neither_company_nor_other_threads_change_a_bit(
    decided: Transformer, beam_size: int
) -> None:
    options = DecodingOptions(beam_size=beam_size, num_hypotheses=min(beam_size, 3))
    ours, _ = both(decided)
    sources = random_sources(40 if beam_size < 64 else 5, longest=60)
    lone = [decode_batch(ours, [source], options, SPECIAL)[0] for source in sources]

    def together(replica: CompiledRuntime) -> list[list[Any]]:
        return decode_batch(replica, sources, options, SPECIAL)

    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(together, ours.replicas(3)):
            assert answers(found) == answers(lone)
    if beam_size == 4:
        assert len({len(best[0].ids) for best in lone}) > 5


@torch.inference_mode()
def test_ids_that_do_not_exist_are_refused(model: Transformer) -> None:
    ours, _ = both(model)
    for source in ([], [4, model.config.vocab_size], [-1]):
        with pytest.raises(ValueError, match=r"ids must be 1 or more in 0\.\."):
            ours.encode([[4, 3], source])


def test_weights_that_are_no_numbers_are_refused(model: Transformer) -> None:
    with torch.no_grad():
        model.get_parameter("decoder_layers.0.feed_forward.inner_proj.weight")[1, 2] = math.nan
    with pytest.raises(ConfigError, match=r"decoder\.0\.feed_forward\.inner: has weights"):
        CompiledRuntime(arrange(model, ()))


@pytest.mark.parametrize(("precision", "error"), [("float32", 1e-5), ("int8", 0.01)])
@torch.inference_mode()
def test_a_known_translation_is_read(model: Transformer, precision: str, error: float) -> None:
    runtime = CompiledRuntime(arrange(model, SPECIAL.forbidden_ids), precision)
    generator = random.Random(0)
    pairs = [
        (source, [2, *(generator.randrange(4, 60) for _ in range(length))])
        for source, length in zip(SOURCES, [7, 0, 99, 20], strict=True)
    ]
    score = runtime.forced_scorer()
    found, without = score(pairs, True), score(pairs, False)
    for (src, tgt), (weights, told), (same, nothing) in zip(pairs, found, without, strict=True):
        kept = AttentionWeights()
        states = model.decode(
            torch.tensor([tgt]), model.encode(torch.tensor([src]), None), None, kept
        )
        expected = kept.cross[-1].mean(dim=1)[0].numpy()  # (T, S)
        assert weights.shape == expected.shape
        assert np.abs(weights - expected).max() < error
        logits = model.logits(states)[0]
        logits[:, list(SPECIAL.forbidden_ids)] = -torch.inf
        steps = torch.arange(len(tgt) - 1)
        wanted = logits.log_softmax(dim=1)[steps, torch.tensor(tgt[1:], dtype=torch.long)].numpy()
        assert told is not None
        assert told.shape == wanted.shape
        assert (np.abs(told - wanted) < 10 * error).all()
        [alone] = score([(src, tgt)], True)
        np.testing.assert_array_equal(alone.weights, weights)
        np.testing.assert_array_equal(alone.log_probs, told)
        np.testing.assert_array_equal(same, weights)
        assert nothing is None


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_what_is_never_produced_is_as_good_as_impossible(
    model: Transformer, precision: str
) -> None:
    runtime = CompiledRuntime(arrange(model, SPECIAL.forbidden_ids), precision)
    forbidden = SPECIAL.forbidden_ids[0]
    [scores] = runtime.forced_scorer()([(SOURCES[0], [2, 9, forbidden, 9])], True)
    assert scores.log_probs is not None
    first, second, third = scores.log_probs
    assert second < -1e8
    assert np.isfinite(scores.log_probs).all()
    assert min(first, third) > -100


@pytest.mark.parametrize(("precision", "error"), [("float32", 1e-3), ("int8", 0.5)])
@torch.inference_mode()
def test_a_search_and_forced_scores_agree(model: Transformer, precision: str, error: float) -> None:
    """In int8 a greedy search takes rounded logits, the forced scores are exact."""
    runtime = CompiledRuntime(arrange(model, SPECIAL.forbidden_ids), precision)
    [[best]] = decode_batch(runtime, SOURCES[:1], DecodingOptions(beam_size=1), SPECIAL)
    ids = [2, *best.ids, *([3] if best.finish_reason == "eos" else [])]
    [scores] = runtime.forced_scorer()([(SOURCES[0], ids)], True)
    assert scores.log_probs is not None
    assert float(scores.log_probs.sum()) == pytest.approx(best.log_prob, abs=error)


def test_what_is_no_piece_is_refused(model: Transformer) -> None:
    score = CompiledRuntime(arrange(model, ())).forced_scorer()
    too_much = model.config.vocab_size
    with pytest.raises(ValueError, match="ids must be in"):
        score([([4, 3], [2, too_much])], False)
    with pytest.raises(ValueError, match="source ids"):
        score([([too_much], [2])], False)


# --- several steps at once ------------------------------------------------------------------------


@pytest.fixture
def decided(model: Transformer) -> Transformer:
    return ends_sentences(model)


def one_by_one(
    model: CompiledRuntime, sources: list[list[int]], options: DecodingOptions
) -> list[list[Hypothesis]]:
    """Translate with a call of the model for every step of a sentence, and a search in Python."""
    found = []
    for source in sources:
        search = BeamSearch(options.beam_size, SPECIAL.bos_id, SPECIAL.eos_id)
        search.add([options.max_length(len(source))], [options])
        batch, done = begun(model, [source], options.beam_size), list[int]()
        while not done:
            so_far = None if options.beam_size == 1 else search.log_probs.tolist()
            last_ids = search.next_ids.ravel().tolist()
            best, ids, beams = take_step(batch, last_ids, search.num_candidates, so_far)
            done = search.extend(best.numpy(), ids.numpy(), beams.numpy())
            reorder(batch, search.parents)
        found.append(search.results(0))
    return found


@pytest.mark.parametrize(
    "options",
    [
        {"beam_size": 1},
        {"beam_size": 4, "num_hypotheses": 3},
        {"beam_size": 5, "length_penalty": "gnmt", "no_repeat_ngram_size": 2},
        {"beam_size": 40},
    ],
)
@torch.inference_mode()
def test_several_steps_are_as_many_single_ones(
    decided: Transformer, options: dict[str, Any]
) -> None:
    own = DecodingOptions(**options)
    several = CompiledRuntime(arrange(decided, SPECIAL.forbidden_ids))
    sources = random_sources(12, longest=60)
    expected = answers(one_by_one(several, sources, own))
    for turn_rows, waits in ((0, False), (20, False), (20, True), (ALL_ROWS, True)):
        batch, found = RunningBatch[int](several, own.beam_size, SPECIAL), dict[int, Any]()
        while len(found) < len(sources):
            new = range(len(found) + len(batch), min(len(sources), len(found) + 4))
            if new:
                batch.admit(new, [sources[key] for key in new], [own] * len(new))
            found |= dict(batch.step(turn_rows, waits))
        assert answers([found[key] for key in range(len(sources))]) == expected


def batch_with(model: Transformer, limits: list[int], beam_size: int) -> CompiledBatch:
    """Return a batch of sentences that may have so many ids each, and hardly end before."""
    with torch.no_grad():
        model.embedding.weight[3] = 0
    batch = CompiledRuntime(arrange(model, SPECIAL.forbidden_ids)).batch(beam_size, 2, 3)
    count, options = len(limits), DecodingOptions(beam_size=beam_size)
    batch.admit([[4, 10, 11, 3]] * count, limits, [options] * count, [()] * count)
    return batch


@pytest.mark.parametrize(("count", "beam_size"), [(1, 1), (1, 4), (2, 4), (3, 4), (9, 4), (1, 64)])
@torch.inference_mode()
def test_there_are_as_many_steps_as_have_rows_for_one_turn(
    model: Transformer, count: int, beam_size: int
) -> None:
    batch = batch_with(model, [100] * count, beam_size)
    assert batch.step(32, waits=True) == []
    expected = max(1, 32 // (count * beam_size))
    room = 16  # of a source this short
    assert batch.most_steps == min(expected, room) == len(ids_of(batch.search, 0, 0))


@pytest.mark.parametrize(("waits", "done", "num_steps"), [(False, [1], 3), (True, [1, 0], 5)])
@torch.inference_mode()
def test_who_is_done_waits_or_ends_the_turn(
    model: Transformer, waits: bool, done: list[int], num_steps: int
) -> None:
    batch = batch_with(model, [5, 3], 2)
    assert batch.step(ALL_ROWS, waits) == done
    assert batch.most_steps == num_steps


@torch.inference_mode()
def test_ids_of_a_search_that_do_not_exist_are_refused(model: Transformer) -> None:
    batch = batch_with(model, [9], 2)
    batch.search.next_ids[:] = model.config.vocab_size
    with pytest.raises(ValueError, match=r"ids must be in 0\.\."):
        batch.step(1, waits=False)


@torch.inference_mode()
def test_with_a_shortlist_scores_are_those_of_rounded_layers(decided: Transformer) -> None:
    plan = arrange(decided, SPECIAL.forbidden_ids, shortlist_for(decided))
    sources, options = random_sources(20, longest=60), DecodingOptions(beam_size=1)
    found = decode_batch(CompiledRuntime(plan), sources, options, SPECIAL)
    expected = decode_batch(RoundedModel(plan, torch.float16), sources, options, SPECIAL)
    same = [a[0].ids == b[0].ids for a, b in zip(found, expected, strict=True)]
    assert sum(same) >= 16
    for [ours], [theirs], is_same in zip(found, expected, same, strict=True):
        assert not is_same or ours.score == pytest.approx(theirs.score, abs=0.05)


# --- memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "fits"), [(0.5, True), (1e-3, False), (7e4, False), (2049, False), (2048, True)]
)
def test_only_what_loses_nothing_fits_into_halves(number: float, fits: bool) -> None:
    matrix = np.ones((ROWS_TO_LOOK_AT + 1, 2), np.float32)
    assert fits_into_halves(matrix)
    matrix[-1, -1] = number
    assert fits_into_halves(matrix) == fits


@torch.inference_mode()
def test_embeddings_are_kept_in_the_fewest_bits_that_lose_nothing(model: Transformer) -> None:
    """As halves or as they are stored in int8: the model computes with the same numbers."""
    num_embedded = model.embedding.weight.numel()
    in_floats = CompiledRuntime(arrange(model, SPECIAL.forbidden_ids)).num_bytes
    halved, stored = copy.deepcopy(model).half().float(), weights_of(model).rounded()
    for plan, floats, least_saved in (
        (arrange(halved, SPECIAL.forbidden_ids), halved, 2 * num_embedded),
        (arrange(stored, SPECIAL.forbidden_ids), stored.model(), int(2.5 * num_embedded)),
    ):
        int8, reference = CompiledRuntime(plan), rounded_model(floats, SPECIAL.forbidden_ids)
        assert in_floats - int8.num_bytes >= least_saved
        batches = [begun(one, SOURCES) for one in (int8, reference)]
        for ids in ([2] * 4, [9, 8, 7, 6]):
            assert alike(*(log_probs(batch, ids) for batch in batches))


def test_a_few_large_blocks_do_not_keep_small_ones_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memories, "MOST_FREE", 10 * SIZE_STEP)
    pool = Pool()
    large, small = [pool.take(5 * SIZE_STEP) for _ in range(2)], pool.take(1)
    for block in (*large, small):
        pool.give(block)
    assert pool.take(1) is small
    assert pool.take(5 * SIZE_STEP) is large[0]
    assert pool.take(5 * SIZE_STEP) is not large[1], "there was no room for all of them"
