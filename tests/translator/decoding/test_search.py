from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import fields

import pytest
import torch
from torch import Tensor

from tests.translator.decoding.dense import advance
from translator.config import DecodingOptions, LengthPenalty
from translator.decoding import search
from translator.decoding.beam_state import BeamState, Step
from translator.decoding.hypothesis import Hypothesis
from translator.decoding.length_penalty import length_penalty

EOS = 0
PENALTIES: tuple[LengthPenalty, ...] = ("none", "average", "gnmt")
Prefix = tuple[int, ...]


class ToyModel:
    """A random table of log P(id | prefix); `eos_bias` is added to the logit of EOS."""

    def __init__(
        self, seed: int, vocab_size: int = 4, eos_bias: float = 0.0, forbidden: Sequence[int] = ()
    ) -> None:
        self.seed, self.vocab_size, self.eos_bias = seed, vocab_size, eos_bias
        self.forbidden = list(forbidden)
        self.table: dict[Prefix, Tensor] = {}

    def log_probs(self, prefix: Prefix) -> Tensor:
        if prefix not in self.table:
            number = self.seed
            for token in prefix:
                number = (number * 31 + token + 1) % (2**61 - 1)
            logits = torch.randn(self.vocab_size, generator=torch.Generator().manual_seed(number))
            logits[EOS] += self.eos_bias
            self.table[prefix] = logits.mul(2).log_softmax(0)
        return self.table[prefix]

    def rescore(self, ids: Prefix, finish_reason: str) -> float:
        forced = (*ids, EOS) if finish_reason == "eos" else ids
        return sum(float(self.log_probs(forced[:i])[token]) for i, token in enumerate(forced))

    def everything(self, max_length: int, options: DecodingOptions) -> list[Hypothesis]:
        """Every possible hypothesis, best first."""
        symbols = [i for i in range(self.vocab_size) if i != EOS and i not in self.forbidden]
        found = []
        for length in range(max_length + 1):
            for ids in itertools.product(symbols, repeat=length):
                reason = "length" if length == max_length else "eos"
                log_prob = self.rescore(ids, reason)
                num_scored = length + (reason == "eos")
                found.append(scored(ids, log_prob, num_scored, reason, options))
        return best_first(found)


def scored(
    ids: Prefix, log_prob: float, length: int, reason: str, options: DecodingOptions
) -> Hypothesis:
    return Hypothesis(
        ids=ids,
        score=log_prob / length_penalty(float(length), options),
        log_prob=log_prob,
        finish_reason="eos" if reason == "eos" else "length",
    )


def best_first(found: list[Hypothesis]) -> list[Hypothesis]:
    return sorted(found, key=lambda hypothesis: hypothesis.score, reverse=True)


def plain_beam_search(
    model: ToyModel, max_length: int, options: DecodingOptions
) -> list[Hypothesis]:
    """The documented search, in plain Python, without the bound that only saves time."""
    live: list[tuple[float, Prefix]] = [(0.0, ())]
    finished: list[Hypothesis] = []
    for length in range(1, max_length + 1):
        continued = [
            (total + float(model.log_probs(prefix)[token]), (*prefix, token))
            for total, prefix in live
            for token in range(model.vocab_size)
        ]
        continued.sort(reverse=True)
        for total, ids in continued[: options.beam_size]:
            if ids[-1] == EOS:
                finished.append(scored(ids[:-1], total, length, "eos", options))
            elif length == max_length:
                finished.append(scored(ids, total, length, "length", options))
        live = [entry for entry in continued if entry[1][-1] != EOS][: options.beam_size]
        if len(finished) >= options.beam_size:
            if_ended = live[0][0] / length_penalty(float(length + 1), options)
            if options.beam_size == 1 or best_first(finished)[0].score >= if_ended:
                break
    return best_first(finished)[: options.num_hypotheses]


def feed(models: Sequence[ToyModel], prefixes: list[list[Prefix]]) -> Tensor:
    """Log-probabilities (B, K, V) after the prefixes of each beam of each sentence."""
    return torch.stack(
        [
            torch.stack([model.log_probs(prefix) for prefix in beams])
            for model, beams in zip(models, prefixes, strict=True)
        ]
    )


def decode(
    models: Sequence[ToyModel],
    max_lengths: Sequence[int],
    options: DecodingOptions,
    *,
    compacting: bool = True,
    forbidden_ids: Tensor | None = None,
) -> list[list[Hypothesis]]:
    """Search as an engine would, following `next_ids` and `parent_beams` on its own account."""
    state = search.start(max_lengths, options, EOS)
    prefixes: list[list[Prefix]] = [[()] * options.beam_size for _ in models]
    found: dict[int, list[Hypothesis]] = {}
    while len(found) < len(models):
        active = [models[index] for index in state.sentence_indices]
        step = advance(state, feed(active, prefixes), forbidden_ids)
        prefixes = [
            [(*beams[parent], token) for parent, token in zip(parents, ids, strict=True)]
            for beams, parents, ids in zip(
                prefixes, step.parent_beams.tolist(), step.next_ids.tolist(), strict=True
            )
        ]
        state = step.state
        for row, index in enumerate(state.sentence_indices):
            if step.done[row] and index not in found:
                found[index] = search.results(state, row)
        if compacting:
            keep = (~step.done).nonzero().flatten()
            state = search.compact(state, keep)
            prefixes = [prefixes[row] for row in keep.tolist()]
    return [found[index] for index in range(len(models))]


def assert_same(found: list[Hypothesis], expected: list[Hypothesis]) -> None:
    assert [h.ids for h in found] == [h.ids for h in expected]
    assert [h.finish_reason for h in found] == [h.finish_reason for h in expected]
    assert [h.score for h in found] == pytest.approx([h.score for h in expected], rel=1e-5)
    assert [h.log_prob for h in found] == pytest.approx([h.log_prob for h in expected], rel=1e-5)


def log(*probabilities: float) -> Tensor:
    return torch.tensor(probabilities).log()


# --- length penalty -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "alpha", "length", "expected"),
    [
        ("gnmt", 0.6, 20, 2.354),
        ("average", 0.6, 20, 6.034),
        ("none", 0.6, 20, 1.0),
        ("average", 1.0, 7, 7.0),
        ("gnmt", 1.0, 1, 1.0),
        ("gnmt", 0.0, 9, 1.0),
    ],
)
def test_length_penalty(name: LengthPenalty, alpha: float, length: float, expected: float) -> None:
    options = DecodingOptions(length_penalty=name, alpha=alpha)
    assert length_penalty(length, options) == pytest.approx(expected, abs=1e-3)
    of_tensor = length_penalty(torch.tensor([length, length]), options)
    assert of_tensor.tolist() == pytest.approx([expected, expected], abs=1e-3)


# --- one step, worked by hand: EOS = 0, a = 1, b = 2 ----------------------------------------------


def two_steps_by_hand(options: DecodingOptions) -> Step:
    state = search.start([5], options, EOS)
    first = advance(state, log(0.1, 0.6, 0.3).expand(1, 2, 3))
    # a .6, b .3; EOS .1 ranks third and is dropped
    assert first.next_ids.tolist() == [[1, 2]]
    assert first.parent_beams.tolist() == [[0, 0]]
    assert first.state.log_probs[0].exp().tolist() == pytest.approx([0.6, 0.3])
    assert first.state.finished == ((),)
    assert first.done.tolist() == [False]
    # after a: EOS .30, aa .18, ab .12; after b: ba .24, EOS .03, bb .03
    log_probs = torch.stack((log(0.5, 0.3, 0.2), log(0.1, 0.8, 0.1)))[None]
    return advance(first.state, log_probs)


def test_two_steps_by_hand() -> None:
    step = two_steps_by_hand(DecodingOptions(beam_size=2, num_hypotheses=2))
    assert step.next_ids.tolist() == [[1, 1]]
    assert step.parent_beams.tolist() == [[1, 0]]
    assert step.parent_rows.tolist() == [1, 0]
    assert step.state.tokens.tolist() == [[[2, 1], [1, 1]]]
    assert step.state.log_probs[0].exp().tolist() == pytest.approx([0.24, 0.18])
    assert_same(
        list(step.state.finished[0]),
        [
            Hypothesis(
                ids=(1,), score=math.log(0.3) / 2, log_prob=math.log(0.3), finish_reason="eos"
            )
        ],
    )


def test_parent_rows_count_through_the_batch() -> None:
    state = search.start([5, 5], DecodingOptions(beam_size=2), EOS)
    state = advance(state, log(0.1, 0.6, 0.3).expand(2, 2, 3)).state
    only_b = torch.stack((log(0.98, 0.01, 0.01), log(0.02, 0.49, 0.49)))
    only_a = torch.stack((log(0.02, 0.49, 0.49), log(0.5, 0.25, 0.25)))
    step = advance(state, torch.stack((only_b, only_a)))
    assert step.parent_beams.tolist() == [[1, 1], [0, 0]]
    assert step.parent_rows.tolist() == [1, 1, 2, 2]


# --- when a sentence is done ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "num_hypotheses", "done"),
    [
        ("none", 1, True),  # log .24, the best live beam, cannot rise above log .30
        ("none", 2, False),  # a second hypothesis is still wanted
        ("average", 1, False),  # log .24 / 5 may still beat log .30 / 2
    ],
)
def test_done_when_no_live_beam_can_win(
    name: LengthPenalty, num_hypotheses: int, done: bool
) -> None:
    options = DecodingOptions(beam_size=2, length_penalty=name, num_hypotheses=num_hypotheses)
    assert two_steps_by_hand(options).done.tolist() == [done]


def test_done_when_as_many_as_beams_have_finished() -> None:
    step = two_steps_by_hand(DecodingOptions(beam_size=2, num_hypotheses=1))
    step = advance(step.state, log(0.9, 0.05, 0.05).expand(1, 2, 3))
    assert step.done.tolist() == [True]
    assert [h.ids for h in step.state.finished[0]] == [(1,), (2, 1), (1, 1)]
    assert [h.ids for h in search.results(step.state, 0)] == [(2, 1)]


@pytest.mark.parametrize("name", PENALTIES)
def test_junk_does_not_end_the_search_of_a_sure_model(name: LengthPenalty) -> None:
    """EOS is second at every step, at 1 %: K junk hypotheses finish long before the sentence."""
    options = DecodingOptions(beam_size=2, length_penalty=name)
    state = search.start([20], options, EOS)
    sure, ending = log(0.01, 0.985, 0.005), log(0.98, 0.01, 0.01)
    for t in range(8):
        step = advance(state, (ending if t == 7 else sure).expand(1, 2, 3))
        state = step.state
        assert step.done.tolist() == [t == 7]
    assert len(state.finished[0]) > 2
    [best] = search.results(state, 0)
    assert len(best.ids) == 7
    assert len(set(best.ids)) == 1


@pytest.mark.parametrize("name", PENALTIES)
@pytest.mark.parametrize("beam_size", [1, 2, 3, 5])
@pytest.mark.parametrize("all_hypotheses", [False, True])
def test_equals_plain_beam_search(
    name: LengthPenalty, beam_size: int, all_hypotheses: bool
) -> None:
    options = DecodingOptions(
        beam_size=beam_size,
        num_hypotheses=beam_size if all_hypotheses else 1,
        length_penalty=name,
        alpha=0.8,
    )
    models = [ToyModel(seed, vocab_size=6) for seed in range(12)]
    max_lengths = [2 + seed % 7 for seed in range(12)]
    found = decode(models, max_lengths, options)
    for model, max_length, hypotheses in zip(models, max_lengths, found, strict=True):
        assert_same(hypotheses, plain_beam_search(model, max_length, options))


# --- against enumeration --------------------------------------------------------------------------


@pytest.mark.parametrize("name", PENALTIES)
@pytest.mark.parametrize(("max_length", "forbidden"), [(4, []), (5, [3])])
@pytest.mark.parametrize("num_hypotheses", [1, 12])
def test_large_beam_is_exhaustive(
    name: LengthPenalty, max_length: int, forbidden: list[int], num_hypotheses: int
) -> None:
    options = DecodingOptions(
        beam_size=64, num_hypotheses=num_hypotheses, length_penalty=name, alpha=0.7
    )
    models = [ToyModel(seed, forbidden=forbidden) for seed in range(6)]
    found = decode(models, [max_length] * 6, options, forbidden_ids=torch.tensor(forbidden).long())
    for model, hypotheses in zip(models, found, strict=True):
        assert_same(hypotheses, model.everything(max_length, options)[:num_hypotheses])


# --- greedy ---------------------------------------------------------------------------------------


def test_beam_of_one_follows_the_argmax() -> None:
    models = [ToyModel(seed, vocab_size=9, eos_bias=-0.5) for seed in range(20)]
    found = decode(models, [12] * 20, DecodingOptions(beam_size=1))
    for model, [hypothesis] in zip(models, found, strict=True):
        ids: Prefix = ()
        while len(ids) < 12 and EOS not in ids:
            ids = (*ids, int(model.log_probs(ids).argmax()))
        assert hypothesis.ids == tuple(token for token in ids if token != EOS)
        assert hypothesis.finish_reason == ("eos" if EOS in ids else "length")
    assert {h.finish_reason for [h] in found} == {"eos", "length"}


# --- hypotheses -----------------------------------------------------------------------------------


def test_scores_equal_forced_rescoring() -> None:
    options = DecodingOptions(beam_size=4, num_hypotheses=4, length_penalty="gnmt", alpha=0.6)
    models = [ToyModel(seed, vocab_size=7, eos_bias=-1) for seed in range(8)]
    for model, hypotheses in zip(models, decode(models, [9] * 8, options), strict=True):
        assert len({h.ids for h in hypotheses}) == len(hypotheses) == 4
        for h in hypotheses:
            assert h.log_prob == pytest.approx(model.rescore(h.ids, h.finish_reason), rel=1e-5)
            length = len(h.ids) + (h.finish_reason == "eos")
            assert h.score == pytest.approx(h.log_prob / ((5 + length) / 6) ** 0.6, rel=1e-6)


def test_eos_at_once_gives_no_ids() -> None:
    for beam_size in (1, 3):
        step = advance(
            search.start([5], DecodingOptions(beam_size=beam_size, length_penalty="none"), EOS),
            log(0.9, 0.06, 0.04).expand(1, beam_size, 3),
        )
        assert step.done.tolist() == [True]
        [hypothesis] = search.results(step.state, 0)
        assert hypothesis.ids == ()
        assert hypothesis.finish_reason == "eos"
        assert hypothesis.log_prob == pytest.approx(math.log(0.9))


def test_last_step_finishes_all_for_their_own_reasons() -> None:
    options = DecodingOptions(beam_size=3, num_hypotheses=3, length_penalty="average", alpha=1)
    step = advance(search.start([1], options, EOS), log(0.3, 0.5, 0.2).expand(1, 3, 3))
    assert step.done.tolist() == [True]
    hypotheses = search.results(step.state, 0)
    assert [h.ids for h in hypotheses] == [(1,), (), (2,)]
    assert [h.finish_reason for h in hypotheses] == ["length", "eos", "length"]
    assert [h.score for h in hypotheses] == pytest.approx([math.log(p) for p in (0.5, 0.3, 0.2)])


def test_finished_hypotheses_are_frozen() -> None:
    """Once finished, a hypothesis is the same after every later step, done or not."""
    model = ToyModel(3, vocab_size=5)
    options = DecodingOptions(beam_size=3, num_hypotheses=3)
    state = search.start([6], options, EOS)
    prefixes: list[list[Prefix]] = [[()] * 3]
    history: list[tuple[Hypothesis, ...]] = []
    final: list[Hypothesis] = []
    for _ in range(10):  # past the limit
        step = advance(state, feed([model], prefixes))
        state = step.state
        prefixes = [
            [
                (*prefixes[0][parent], token)
                for parent, token in zip(
                    step.parent_beams[0].tolist(), step.next_ids[0].tolist(), strict=True
                )
            ]
        ]
        if final:
            assert step.done.tolist() == [True]
            assert search.results(state, 0) == final
        elif step.done[0]:
            final = search.results(state, 0)
        history.append(state.finished[0])
    assert len(history[-1]) >= 3
    for earlier, later in itertools.pairwise(history):
        assert later[: len(earlier)] == earlier
    assert all(len(h.ids) <= 6 for h in history[-1])


# --- the batch ------------------------------------------------------------------------------------


@pytest.mark.parametrize("beam_size", [1, 4])
def test_companions_order_and_compaction_change_nothing(beam_size: int) -> None:
    options = DecodingOptions(beam_size=beam_size, num_hypotheses=beam_size)
    models = [ToyModel(seed, vocab_size=8, eos_bias=seed % 3 - 1.5) for seed in range(9)]
    max_lengths = [1, 3, 14, 2, 30, 7, 5, 11, 4]
    together = decode(models, max_lengths, options)
    alone = [
        decode([model], [limit], options)[0]
        for model, limit in zip(models, max_lengths, strict=True)
    ]
    assert together == alone
    assert decode(models, max_lengths, options, compacting=False) == alone
    assert decode(models[::-1], max_lengths[::-1], options)[::-1] == alone


def test_limits_are_each_sentences_own() -> None:
    models = [ToyModel(1, eos_bias=-30)] * 3
    found = decode(models, [2, 9, 5], DecodingOptions(beam_size=3, num_hypotheses=3))
    assert [{len(h.ids) for h in hypotheses} for hypotheses in found] == [{2}, {9}, {5}]
    assert all(h.finish_reason == "length" for hypotheses in found for h in hypotheses)


@pytest.mark.parametrize("beam_size", [1, 3])
def test_long_tail_of_300_steps(beam_size: int) -> None:
    models = [ToyModel(seed, eos_bias=-30 if seed == 2 else 1) for seed in range(5)]
    options = DecodingOptions(beam_size=beam_size, num_hypotheses=beam_size)
    found = decode(models, [300] * 5, options, compacting=False)
    assert all(len(h.ids) == 300 and h.finish_reason == "length" for h in found[2])
    for short in (0, 1, 3, 4):
        assert found[short] == decode([models[short]], [300], options)[0]
        assert {h.finish_reason for h in found[short]} == {"eos"}
        assert max(len(h.ids) for h in found[short]) < 100
    for h in found[2]:
        assert h.log_prob == pytest.approx(models[2].rescore(h.ids, "length"), rel=1e-4)


def test_newcomers_join_a_running_search() -> None:
    models = [ToyModel(seed, vocab_size=6, eos_bias=-2) for seed in range(4)]
    first_options = DecodingOptions(beam_size=3, num_hypotheses=3)
    second_options = DecodingOptions(beam_size=3, num_hypotheses=1, length_penalty="none")
    state = search.start([8, 9], first_options, EOS)
    for _ in range(3):
        state = advance(state, feed(models[:2], beams_of(state))).state
    newcomers = search.start([7, 4], second_options, EOS, sentence_indices=[2, 3])
    state = search.join(state, newcomers)
    assert state.sentence_indices == (0, 1, 2, 3)
    found: dict[int, list[Hypothesis]] = {}
    while state.sentence_indices:
        active = [models[index] for index in state.sentence_indices]
        step = advance(state, feed(active, beams_of(state)))
        for row in step.done.nonzero().flatten().tolist():
            found[state.sentence_indices[row]] = search.results(step.state, row)
        state = search.compact(step.state, (~step.done).nonzero().flatten())
    assert [found[0], found[1]] == decode(models[:2], [8, 9], first_options)
    assert [found[2], found[3]] == decode(models[2:], [7, 4], second_options)


def beams_of(state: BeamState) -> list[list[Prefix]]:
    return [
        [tuple(beam[len(beam) - length :]) for beam in beams]
        for beams, length in zip(state.tokens.tolist(), state.lengths.tolist(), strict=True)
    ]


def test_compact_drops_columns_that_nobody_needs() -> None:
    options = DecodingOptions(beam_size=2)
    old = search.start([9], options, EOS)
    for _ in range(4):
        old = advance(old, log(0.1, 0.5, 0.4).expand(1, 2, 3)).state
    both = search.join(old, search.start([9], options, EOS, sentence_indices=[7]))
    assert both.tokens.shape == (2, 2, 4)
    assert search.compact(both, torch.tensor([1, 0])).sentence_indices == (7, 0)
    assert search.compact(both, torch.tensor([1])).tokens.shape == (1, 2, 0)
    assert search.compact(both, torch.tensor([0])).tokens.tolist() == old.tokens.tolist()
    empty = search.compact(both, torch.tensor([], dtype=torch.long))
    assert empty.log_probs.shape == (0, 2)
    assert empty.finished == ()


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("beam_size", [1, 3])
def test_nothing_is_changed_in_place(beam_size: int) -> None:
    model = ToyModel(5)
    state = search.start([6], DecodingOptions(beam_size=beam_size), EOS)
    for _ in range(3):
        log_probs = feed([model], beams_of(state))
        tensors = [getattr(state, field.name) for field in fields(state)]
        tensors = [value for value in (*tensors, log_probs) if isinstance(value, Tensor)]
        before = [tensor.clone() for tensor in tensors]
        finished = state.finished
        following = advance(state, log_probs, torch.tensor([3])).state
        assert all(torch.equal(a, b) for a, b in zip(before, tensors, strict=True))
        assert state.finished is finished
        state = following


@pytest.mark.parametrize("beam_size", [1, 2, 6])
def test_forbidden_ids_are_never_produced(beam_size: int) -> None:
    models = [ToyModel(seed, vocab_size=5, eos_bias=-1) for seed in range(6)]
    state = search.start([6] * 6, DecodingOptions(beam_size=beam_size), EOS)
    forbidden_ids = torch.tensor([1, 3])
    for _ in range(6):
        step = advance(state, feed(models, beams_of(state)), forbidden_ids)
        assert not torch.isin(step.next_ids, forbidden_ids).any()
        state = step.state
    for row in range(6):
        assert not {1, 3} & {token for h in search.results(state, row) for token in h.ids}


@pytest.mark.parametrize("beam_size", [1, 3])
@pytest.mark.parametrize("bad", [-math.inf, math.nan])
def test_no_possible_sentence_is_an_empty_one(beam_size: int, bad: float) -> None:
    models = [ToyModel(0), ToyModel(1)]
    options = DecodingOptions(beam_size=beam_size)
    state = search.start([4, 4], options, EOS)
    for _ in range(4):
        log_probs = feed(models, beams_of(state))
        log_probs[0] = bad
        step = advance(state, log_probs)
        state = step.state
    assert step.done.tolist() == [True, True]
    [hypothesis] = search.results(state, 0)
    assert (hypothesis.ids, hypothesis.score) == ((), -math.inf)
    assert search.results(state, 1) == decode(models[1:], [4], options)[0]


def test_dead_beams_never_win() -> None:
    """With one live id a step, the other beams stay dead and finish nothing."""
    state = search.start([3], DecodingOptions(beam_size=3, num_hypotheses=3), EOS)
    for _ in range(3):
        step = advance(state, log(0.0, 1.0, 0.0).expand(1, 3, 3))
        assert not step.state.log_probs.isnan().any()
        assert step.next_ids[0, 1:].tolist() == [EOS, EOS]
        state = step.state
    assert [h.ids for h in search.results(state, 0)] == [(1, 1, 1)]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_sums_are_float32_whatever_comes_in(dtype: torch.dtype) -> None:
    options = DecodingOptions(beam_size=2, length_penalty="none")
    state = search.start([400], options, EOS)
    log_probs = torch.tensor([-30.0, -0.5, -2.0], dtype=dtype).expand(1, 2, 3)
    for _ in range(301):
        state = advance(state, log_probs).state
    assert state.log_probs.dtype == torch.float32
    assert state.log_probs[0].tolist() == [-150.5, -152.0]  # bfloat16 would stop at -128


# --- errors ---------------------------------------------------------------------------------------


def test_a_limit_without_room_for_eos_is_refused() -> None:
    with pytest.raises(ValueError, match="max_lengths must be at least 1, to hold EOS; got 0"):
        search.start([3, 0], DecodingOptions(), EOS)


def test_log_probs_of_another_shape_are_refused() -> None:
    state = search.start([3, 3], DecodingOptions(beam_size=4), EOS)
    with pytest.raises(ValueError, match=r"with B, K = \(2, 4\), got \(4, 2, 9\)"):
        advance(state, torch.zeros(4, 2, 9))


def test_joining_different_beam_sizes_is_refused() -> None:
    one, two = (search.start([3], DecodingOptions(beam_size=size), EOS) for size in (1, 2))
    with pytest.raises(ValueError, match="states of one beam_size can be joined, got 1 and 2"):
        search.join(one, two)
