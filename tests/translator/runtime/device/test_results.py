"""Hypotheses are read back from the steps, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from translator.config import DecodingOptions
from translator.runtime.device.results import Sentence, hypotheses

EOS, VOCAB = 0, 10


def test_hypotheses_by_hand() -> None:
    """Two beams say 5 and 6; the first goes on with 7 twice; one ends, one reaches the limit."""
    options = DecodingOptions(beam_size=2, num_hypotheses=2)
    steps = np.zeros((1, 3, 3, 2), np.int64)
    steps[0, 0] = [[5, 6], [0, 0], [5, 6]]  # the beams' ids, whom they continued, best ones
    steps[0, 1] = [[8, 7], [1, 0], [8 + VOCAB, EOS]]  # the second best ends the first beam
    steps[0, 2] = [[9, 9], [0, 0], [4 + VOCAB, 3]]  # the best goes on with the second beam: 5 7 4
    scores, ends = np.array([[-0.5, -1.0]]), np.array([[2 * 2 + 0, 1 * 2 + 1]])
    sentence = Sentence(0, 3, options, 0, 3, age=3, is_done=True)
    [[best, other]] = hypotheses([sentence], EOS, VOCAB, scores, ends, steps)
    assert (best.ids, best.finish_reason) == ((5, 7, 4), "length")
    assert (other.ids, other.finish_reason) == ((5,), "eos")
    assert [one.score for one in (best, other)] == [-0.5, -1.0]
    assert [one.log_prob for one in (best, other)] == pytest.approx([-1.5, -2.0])


def test_what_was_fed_before_the_search_is_no_part_of_it() -> None:
    options = DecodingOptions(beam_size=2, num_hypotheses=1, length_penalty="none", alpha=0.0)
    steps = np.zeros((1, 3, 3, 2), np.int64)
    steps[0, :2, 0, 0] = 8, 5  # 8 was forced
    steps[0, 2, 2] = EOS, 1
    sentence = Sentence(0, 3, options, 1, 9, age=3, is_done=True)
    found = hypotheses([sentence], EOS, VOCAB, np.array([[-2.0, -3.0]]), np.array([[4, 5]]), steps)
    assert [[h.ids for h in own] for own in found] == [[(5,)]]


def test_nothing_was_possible() -> None:
    options = DecodingOptions(beam_size=2, num_hypotheses=2)
    sentence = Sentence(0, 3, options, 0, 9, age=1, is_done=True)
    nothing, ends = np.full((1, 2), -math.inf), np.zeros((1, 2), np.int64)
    [[found]] = hypotheses([sentence], EOS, VOCAB, nothing, ends, np.zeros((1, 1, 3, 2), np.int64))
    assert (found.ids, found.score, found.finish_reason) == ((), -math.inf, "length")
