from __future__ import annotations

import math

import pytest

from translator.config import DecodingOptions
from translator.decoding.beam import BeamSearch
from translator.decoding.ngram_blocking import EXTRA_CANDIDATES

BOS, EOS = 9, 0
PAIR = DecodingOptions(beam_size=2)


def two_sentences() -> BeamSearch:
    """Two sentences; beams 0 and 1 of each have said 1 and 2."""
    beams = BeamSearch(2, BOS, EOS)
    beams.add([5, 1], [PAIR, PAIR])
    assert beams.next_ids == [BOS] * 4
    best, ids = [-0.5, -1.0, -2.0, -3.0], [1, 2, EOS, 3]
    assert beams.extend([best, best], [ids, ids], [[0] * 4] * 2) == [1]
    return beams


def test_what_the_model_is_fed() -> None:
    beams = two_sentences()
    assert beams.next_ids == [1, 2, EOS, EOS]  # the second was at its limit
    assert beams.beam_log_probs == [[-0.5, -1.0], [-math.inf] * 2]
    assert beams.parent_rows() == [0, 0, 2, 3]
    assert beams.num_candidates == 4


def test_rows_that_continue_themselves_need_no_order() -> None:
    beams = two_sentences()
    same = [[-1.0, -2.0, -3.0, -4.0]] * 2, [[1, 1, 2, 2]] * 2
    assert beams.extend(*same, [[0, 1, 0, 1]] * 2) == []
    assert beams.parent_rows() is None
    beams.extend(*same, [[1, 0, 0, 1]] * 2)
    assert beams.parent_rows() == [1, 0, 2, 3]


def test_sentences_leave_and_join() -> None:
    beams = two_sentences()
    assert [found.ids for found in beams.results(1)] == [(1,)]
    beams.keep([0])
    beams.add([7], [DecodingOptions(beam_size=2, no_repeat_ngram_size=3)])
    assert beams.next_ids == [1, 2, BOS, BOS]
    assert beams.num_candidates == 4 + EXTRA_CANDIDATES
    beams.keep([])
    assert beams.next_ids == []


def test_greedy_search_sums_what_it_is_given() -> None:
    greedy = BeamSearch(1, BOS, EOS)
    greedy.add([5, 5], [DecodingOptions(beam_size=1, length_penalty="none")] * 2)
    assert (greedy.beam_log_probs, greedy.num_candidates) == (None, 1)
    zeros = [[0], [0]]
    assert greedy.extend([[-1.0], [-2.0]], [[4], [EOS]], zeros) == [1]
    assert greedy.parent_rows() is None
    assert greedy.extend([[-1.0], [-2.0]], [[EOS], [4]], zeros) == [0]
    assert [greedy.results(place)[0].log_prob for place in (0, 1)] == [-2.0, -2.0]


def test_another_beam_size_is_refused() -> None:
    with pytest.raises(ValueError, match="beam_size must be 2, got 3"):
        BeamSearch(2, BOS, EOS).add([5], [DecodingOptions(beam_size=3)])
