from __future__ import annotations

import math

import pytest
import torch

from translator.config import DecodingOptions
from translator.decoding.beam import BeamSearch
from translator.decoding.ngram_blocking import EXTRA_CANDIDATES

BOS, EOS = 9, 0
PAIR = DecodingOptions(beam_size=2)


def two_sentences() -> BeamSearch:
    """Two sentences; beams 0 and 1 of each have said 1 and 2."""
    beams = BeamSearch(2, BOS, EOS)
    beams.add([5, 1], [PAIR, PAIR])
    assert beams.next_ids.tolist() == [BOS] * 4
    best = torch.tensor([-0.5, -1.0, -2.0, -3.0]).expand(2, 4)
    ids = torch.tensor([1, 2, EOS, 3]).expand(2, 4)
    assert beams.extend(best, ids, torch.zeros(2, 4, dtype=torch.long)) == [1]
    return beams


def test_what_the_model_is_fed() -> None:
    beams = two_sentences()
    assert beams.next_ids.tolist() == [1, 2, EOS, EOS]  # the second was at its limit
    assert beams.beam_log_probs is not None
    assert beams.beam_log_probs.tolist() == [[-0.5, -1.0], [-math.inf] * 2]
    rows = beams.parent_rows()
    assert rows is not None
    assert rows.tolist() == [0, 0, 2, 3]
    assert beams.num_candidates == 4


def test_rows_that_continue_themselves_need_no_order() -> None:
    beams = two_sentences()
    same = torch.tensor([[-1.0, -2.0, -3.0, -4.0]] * 2), torch.tensor([[1, 1, 2, 2]] * 2)
    assert beams.extend(*same, torch.tensor([[0, 1, 0, 1]] * 2)) == []
    assert beams.parent_rows() is None
    beams.extend(*same, torch.tensor([[1, 0, 0, 1]] * 2))
    rows = beams.parent_rows()
    assert rows is not None
    assert rows.tolist() == [1, 0, 2, 3]


def test_sentences_leave_and_join() -> None:
    beams = two_sentences()
    assert [found.ids for found in beams.results(1)] == [(1,)]
    beams.keep([0])
    beams.add([7], [DecodingOptions(beam_size=2, no_repeat_ngram_size=3)])
    assert beams.next_ids.tolist() == [1, 2, BOS, BOS]
    assert beams.num_candidates == 4 + EXTRA_CANDIDATES
    beams.keep([])
    assert beams.next_ids.tolist() == []


def test_greedy_search_sums_what_it_is_given() -> None:
    greedy = BeamSearch(1, BOS, EOS)
    greedy.add([5, 5], [DecodingOptions(beam_size=1, length_penalty="none")] * 2)
    assert (greedy.beam_log_probs, greedy.num_candidates) == (None, 1)
    zeros = torch.zeros(2, 1, dtype=torch.long)
    assert greedy.extend(torch.tensor([[-1.0], [-2.0]]), torch.tensor([[4], [EOS]]), zeros) == [1]
    assert greedy.parent_rows() is None
    assert greedy.extend(torch.tensor([[-1.0], [-2.0]]), torch.tensor([[EOS], [4]]), zeros) == [0]
    assert [greedy.results(place)[0].log_prob for place in (0, 1)] == [-2.0, -2.0]


def test_another_beam_size_is_refused() -> None:
    with pytest.raises(ValueError, match="beam_size must be 2, got 3"):
        BeamSearch(2, BOS, EOS).add([5], [DecodingOptions(beam_size=3)])
