from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from tests.translator.search.dense import Beams, advance, prefixes
from translator.config import DecodingOptions, LengthPenalty
from translator.search.hypothesis import Hypothesis
from translator.search.length_penalty import length_penalty

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
        score=log_prob / length_penalty(length, options),
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
            if_ended = live[0][0] / length_penalty(length + 1, options)
            if options.beam_size == 1 or best_first(finished)[0].score >= if_ended:
                break
    return best_first(finished)[: options.num_hypotheses]


def begin(limit: int, options: DecodingOptions) -> Beams:
    return Beams(options, limit, bos_id=99, eos_id=EOS)


def feed(model: ToyModel, sentence: Beams) -> Tensor:
    """Log-probabilities (K, V) after the ids of each beam."""
    return torch.stack([model.log_probs(prefix) for prefix in prefixes(sentence)])


def decode(
    model: ToyModel, limit: int, options: DecodingOptions, forbidden_ids: Sequence[int] = ()
) -> list[Hypothesis]:
    """Search as an engine would, following `next_ids` and `parents` on its own account."""
    sentence = begin(limit, options)
    fed: list[Prefix] = [()] * options.beam_size
    while not sentence.is_done:
        advance(sentence, torch.stack([model.log_probs(ids) for ids in fed]), forbidden_ids)
        pairs = zip(sentence.parents, sentence.next_ids, strict=True)
        fed = [(*fed[parent], last_id) for parent, last_id in pairs]
    return sentence.results()


def assert_same(found: list[Hypothesis], expected: list[Hypothesis]) -> None:
    assert [h.ids for h in found] == [h.ids for h in expected]
    assert [h.finish_reason for h in found] == [h.finish_reason for h in expected]
    assert [h.score for h in found] == pytest.approx([h.score for h in expected], rel=1e-5)
    assert [h.log_prob for h in found] == pytest.approx([h.log_prob for h in expected], rel=1e-5)


def log(*probabilities: float) -> Tensor:
    return torch.tensor(probabilities).log()


# --- one step, worked by hand: EOS = 0, a = 1, b = 2 ----------------------------------------------


def two_steps_by_hand(options: DecodingOptions) -> Beams:
    sentence = begin(5, options)
    assert (sentence.next_ids, sentence.parents) == ([99, 99], [0, 1])
    advance(sentence, log(0.1, 0.6, 0.3).expand(2, 3))
    # a .6, b .3; EOS .1 ranks third and is dropped
    assert (sentence.next_ids, sentence.parents) == ([1, 2], [0, 0])
    assert [math.exp(sum_) for sum_ in sentence.log_probs] == pytest.approx([0.6, 0.3])
    assert sentence.finished == []
    assert not sentence.is_done
    # after a: EOS .30, aa .18, ab .12; after b: ba .24, EOS .03, bb .03
    advance(sentence, torch.stack((log(0.5, 0.3, 0.2), log(0.1, 0.8, 0.1))))
    return sentence


def test_two_steps_by_hand() -> None:
    sentence = two_steps_by_hand(DecodingOptions(beam_size=2, num_hypotheses=2))
    assert (sentence.next_ids, sentence.parents) == ([1, 1], [1, 0])
    assert prefixes(sentence) == [(2, 1), (1, 1)]
    assert [math.exp(sum_) for sum_ in sentence.log_probs] == pytest.approx([0.24, 0.18])
    assert_same(
        sentence.finished,
        [
            Hypothesis(
                ids=(1,), score=math.log(0.3) / 2, log_prob=math.log(0.3), finish_reason="eos"
            )
        ],
    )


def test_ties_go_to_the_earlier_beam() -> None:
    sentence = Beams(DecodingOptions(beam_size=30), 9, bos_id=98, eos_id=99)
    for _ in range(2):
        advance(sentence, torch.zeros(30, 40))
    assert sentence.parents == [0] * 30
    assert sentence.next_ids == list(range(30))


def test_only_the_best_k_may_finish_and_only_if_possible() -> None:
    sentence = begin(9, DecodingOptions(beam_size=2, num_hypotheses=2))
    sentence.extend([-1.0, -2.0, -2.5, -6e8], [7, EOS, EOS, 5], [0, 0, 1, 1])
    assert [found.log_prob for found in sentence.finished] == [-2.0]  # the second is third best
    assert (sentence.next_ids, sentence.log_probs) == ([7, EOS], [-1.0, -math.inf])
    last = begin(1, DecodingOptions(beam_size=4, num_hypotheses=4))
    last.extend([-1.0, -2.0, -2.5, -math.inf], [7, EOS, 6, 5], [0, 0, 0, 0])
    assert [found.log_prob for found in last.results()] == [-1.0, -2.0, -2.5]


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
    assert two_steps_by_hand(options).is_done == done


@pytest.mark.parametrize("name", PENALTIES)
def test_junk_does_not_end_the_search_of_a_sure_model(name: LengthPenalty) -> None:
    """EOS is second at every step, at 1 %: K junk hypotheses finish long before the sentence."""
    sentence = begin(20, DecodingOptions(beam_size=2, length_penalty=name))
    sure, ending = log(0.01, 0.985, 0.005), log(0.98, 0.01, 0.01)
    for t in range(8):
        advance(sentence, (ending if t == 7 else sure).expand(2, 3))
        assert sentence.is_done == (t == 7)
    assert len(sentence.finished) == 2
    [best] = sentence.results()
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
    for seed in range(12):
        model, limit = ToyModel(seed, vocab_size=6), 1 + seed % 8
        assert_same(decode(model, limit, options), plain_beam_search(model, limit, options))


# --- against enumeration --------------------------------------------------------------------------


@pytest.mark.parametrize("name", PENALTIES)
@pytest.mark.parametrize(("limit", "forbidden"), [(4, []), (5, [3])])
@pytest.mark.parametrize("num_hypotheses", [1, 12])
def test_large_beam_is_exhaustive(
    name: LengthPenalty, limit: int, forbidden: list[int], num_hypotheses: int
) -> None:
    options = DecodingOptions(
        beam_size=64, num_hypotheses=num_hypotheses, length_penalty=name, alpha=0.7
    )
    for seed in range(6):
        model = ToyModel(seed, forbidden=forbidden)
        found = decode(model, limit, options, forbidden)
        assert_same(found, model.everything(limit, options)[:num_hypotheses])


# --- greedy ---------------------------------------------------------------------------------------


# --- hypotheses -----------------------------------------------------------------------------------


def test_finished_hypotheses_are_frozen() -> None:
    """Once finished, a hypothesis stays the same, until K better ones have finished."""
    model, sentence = ToyModel(3, vocab_size=5), begin(6, DecodingOptions(beam_size=3))
    history: list[list[Hypothesis]] = []
    final: list[Hypothesis] = []
    for _ in range(10):  # past the limit
        advance(sentence, feed(model, sentence))
        final = final or (sentence.results() if sentence.is_done else [])
        assert not final or (sentence.is_done and sentence.results() == final)
        history.append(list(sentence.finished))
    assert len(history[-1]) >= 3
    for earlier, later in itertools.pairwise(history):
        fresh = [h for h in later if h not in earlier]
        assert later == best_first([*earlier, *fresh])[:3]
    assert all(len(h.ids) <= 6 for h in history[-1])


@pytest.mark.parametrize("beam_size", [1, 3])
def test_long_tail_of_300_steps(beam_size: int) -> None:
    model = ToyModel(2, eos_bias=-30)
    for h in decode(model, 300, DecodingOptions(beam_size=beam_size, num_hypotheses=beam_size)):
        assert (len(h.ids), h.finish_reason) == (300, "length")
        assert h.log_prob == pytest.approx(model.rescore(h.ids, "length"), rel=1e-4)


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("beam_size", [1, 3])
@pytest.mark.parametrize("bad", [-math.inf, math.nan])
def test_no_possible_sentence_is_an_empty_one(beam_size: int, bad: float) -> None:
    sentence = begin(4, DecodingOptions(beam_size=beam_size))
    advance(sentence, torch.full((beam_size, 4), bad))
    assert sentence.is_done
    assert sentence.next_ids == [EOS] * beam_size
    [hypothesis] = sentence.results()
    assert (hypothesis.ids, hypothesis.score) == ((), -math.inf)


def test_dead_beams_never_win() -> None:
    """With one live id a step, the other beams stay dead and finish nothing."""
    sentence = begin(3, DecodingOptions(beam_size=3, num_hypotheses=3))
    for _ in range(3):
        advance(sentence, log(0.0, 1.0, 0.0).expand(3, 3))
        assert sentence.next_ids[1:] == [EOS, EOS]
    assert [h.ids for h in sentence.results()] == [(1, 1, 1)]


def test_a_limit_without_room_for_eos_is_refused() -> None:
    with pytest.raises(ValueError, match="a limit must be at least 1, to hold EOS; got 0"):
        begin(0, DecodingOptions())
