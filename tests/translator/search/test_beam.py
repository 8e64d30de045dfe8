from __future__ import annotations

import math

import numpy as np
import pytest

from tests.translator.search.dense import ids_of
from translator.config import DecodingOptions
from translator.search.beam import BeamSearch
from translator.search.ngram_blocking import EXTRA_CANDIDATES

BOS, EOS = 9, 0
PAIR = DecodingOptions(beam_size=2)


def step(beams: BeamSearch, *arrays: list[list[float]]) -> list[int]:
    best, ids, parents = arrays
    return beams.extend(
        np.array(best, np.float32), np.array(ids, np.int64), np.array(parents, np.int64)
    )


def two_sentences() -> BeamSearch:
    """Two sentences; beams 0 and 1 of each have said 1 and 2."""
    beams = BeamSearch(2, BOS, EOS)
    beams.add([5, 1], [PAIR, PAIR])
    assert beams.next_ids.tolist() == [[BOS, BOS]] * 2
    best, ids = [-0.5, -1.0, -2.0, -3.0], [1.0, 2.0, EOS, 3.0]
    assert step(beams, [best, best], [ids, ids], [[0.0] * 4] * 2) == [1]
    return beams


def test_what_the_model_is_fed() -> None:
    beams = two_sentences()
    assert beams.next_ids.tolist() == [[1, 2], [EOS, EOS]]  # the second was at its limit
    assert beams.log_probs.tolist() == [[-0.5, -1.0], [-math.inf] * 2]
    assert beams.parents.tolist() == [[0, 0], [0, 1]]
    assert beams.num_candidates == 4


def test_beams_take_over_the_ids_of_others() -> None:
    beams = two_sentences()
    best, ids = [[-1.0, -2.0, -3.0, -4.0]] * 2, [[3.0, 4.0, 5.0, 6.0]] * 2
    assert step(beams, best, ids, [[0, 1, 0, 1]] * 2) == []
    assert [ids_of(beams, 0, beam) for beam in (0, 1)] == [[1, 3], [2, 4]]
    step(beams, best, ids, [[1, 0, 0, 1]] * 2)
    assert beams.parents.tolist() == [[1, 0], [0, 1]]
    assert [ids_of(beams, 0, beam) for beam in (0, 1)] == [[2, 4, 3], [1, 3, 4]]
    step(beams, best, ids, [[1, 1, 0, 1]] * 2)
    assert [ids_of(beams, 0, beam) for beam in (0, 1)] == [[1, 3, 4, 3], [1, 3, 4, 4]]


def test_sentences_leave_and_join() -> None:
    beams = two_sentences()
    assert [found.ids for found in beams.results(1)] == [(1,)]
    beams.keep([0])
    beams.add([7], [DecodingOptions(beam_size=2, no_repeat_ngram_size=3)])
    assert beams.next_ids.tolist() == [[1, 2], [BOS, BOS]]
    assert beams.log_probs.tolist() == [[-0.5, -1.0], [0.0, -math.inf]]
    assert beams.parents.tolist() == [[0, 0], [0, 1]]
    assert [ids_of(beams, 0, beam) for beam in (0, 1)] == [[1], [2]]
    assert beams.num_candidates == 4 + EXTRA_CANDIDATES
    beams.keep([])
    assert beams.next_ids.tolist() == []


def test_what_has_finished_stays_when_others_come_and_go() -> None:
    beams = BeamSearch(2, BOS, EOS)
    beams.add([3, 9], [PAIR, PAIR])
    best, ids = [[-0.5, -9.0, -9.5, -10.0]] * 2, [[1.0, EOS, 3.0, 4.0]] * 2
    for length in range(3):
        assert step(beams, best, ids, [[0] * 4] * 2) == ([0] if length == 2 else [])
    before = beams.finished(1)
    assert {found.ids for found in before} == {(1,), (1, 1)}
    beams.keep([1])
    beams.add([90], [PAIR])
    assert beams.finished(1) == []
    assert beams.finished(0) == before


def test_greedy_search_sums_what_it_is_given() -> None:
    greedy = BeamSearch(1, BOS, EOS)
    greedy.add([5, 5], [DecodingOptions(beam_size=1, length_penalty="none")] * 2)
    assert greedy.num_candidates == 1
    zeros: list[list[float]] = [[0], [0]]
    assert step(greedy, [[-1.0], [-2.0]], [[4], [EOS]], zeros) == [1]
    assert step(greedy, [[-1.0], [-2.0]], [[EOS], [4]], zeros) == [0]
    assert [greedy.results(place)[0].log_prob for place in (0, 1)] == [-2.0, -2.0]


def test_another_beam_size_is_refused() -> None:
    with pytest.raises(ValueError, match="beam_size must be 2, got 3"):
        BeamSearch(2, BOS, EOS).add([5], [DecodingOptions(beam_size=3)])


def test_a_start_is_fed_before_anything_is_chosen() -> None:
    options = DecodingOptions(beam_size=2)
    beams = BeamSearch(2, bos_id=9, eos_id=EOS)
    beams.add([5, 5], [options, options], [[9], [EOS, 7, 8]])
    assert beams.next_ids.tolist() == [[9, 9], [EOS, EOS]]
    best = [[-1.0, -2.0], [-0.5, -0.6]]
    for following in (7, 8):
        step(beams, best, [[4, 5], [5, 6]], [[0, 0], [0, 0]])
        assert beams.next_ids[1, 0] == following
        assert beams.log_probs[1].tolist() == [0, -np.inf]
    assert ids_of(beams, 1, 0) == []
    step(beams, best, [[4, 5], [5, 6]], [[0, 0], [0, 0]])
    assert [ids_of(beams, 1, beam) for beam in (0, 1)] == [[5], [6]]
    assert beams.log_probs[1].tolist() == pytest.approx(best[1])
    assert len(ids_of(beams, 0, 0)) == 3


def test_no_start_is_bos_and_one_that_is_too_long_is_refused() -> None:
    beams, greedy = BeamSearch(1, 9, EOS), DecodingOptions(beam_size=1)
    beams.add([5], [greedy], [[]])
    assert beams.next_ids.tolist() == [[9]]
    with pytest.raises(ValueError, match="a start has 1 to 257 ids"):
        beams.add([5], [greedy], [[1] * 258])


def test_without_a_compiler_steps_are_the_same() -> None:
    generator = np.random.default_rng(0)
    options = DecodingOptions(beam_size=3, no_repeat_ngram_size=2, num_hypotheses=3)
    searches = [BeamSearch(3, BOS, EOS) for _ in range(2)]
    for beams in searches:
        beams.add([4, 9], [options, options])
    done = set[int]()
    while len(done) < 2:
        best = -np.sort(generator.random((2, 12)).astype(np.float32) + 1).cumsum(axis=1)
        ids, parents = generator.integers(0, 6, (2, 12)), generator.integers(0, 3, (2, 12))
        found = [beams.extend(best, ids, parents, beams is searches[0]) for beams in searches]
        assert found[0] == found[1]
        done |= {*found[0]}
    assert searches[0].results(1) == searches[1].results(1)
