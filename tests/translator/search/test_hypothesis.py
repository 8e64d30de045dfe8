"""What a search hands over cannot be changed, and is what was searched for."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from translator.config import DecodingOptions
from translator.search.beam import BeamSearch
from translator.search.hypothesis import Hypothesis


def found(last_id: int, limit: int) -> Hypothesis:
    """Return the only hypothesis after two steps: id 7 at log ½, then `last_id` at log ¼."""
    search = BeamSearch(1, bos_id=2, eos_id=3)
    search.add([limit], [DecodingOptions(beam_size=1)])
    for probability, piece_id in ((0.5, 7), (0.25, last_id)):
        best = np.log(np.array([[probability]], np.float32))
        search.extend(best, np.array([[piece_id]]), np.zeros((1, 1), np.int64))
    [hypothesis] = search.results(0)
    return hypothesis


def test_eos_counts_but_is_no_id() -> None:
    hypothesis = found(last_id=3, limit=9)
    assert hypothesis.ids == (7,)
    assert hypothesis.finish_reason == "eos"
    assert hypothesis.log_prob == pytest.approx(math.log(1 / 8))
    assert hypothesis.score == pytest.approx(math.log(1 / 8) / 2)


def test_a_limit_leaves_the_last_id_in() -> None:
    hypothesis = found(last_id=8, limit=2)
    assert (hypothesis.ids, hypothesis.finish_reason) == ((7, 8), "length")
    assert hypothesis.score == pytest.approx(math.log(1 / 8) / 2)


def test_it_is_a_value() -> None:
    one, other = found(3, 9), found(3, 9)
    assert one == other
    assert hash(one) == hash(other)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.score = 0.0  # type: ignore[misc]
