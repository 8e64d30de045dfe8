from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch

from tests.translator.search.dense import Beams, advance
from translator.config import DecodingOptions
from translator.search.ngram_blocking import rank_repeats_last, repeats

EOS = 0


def decode(options: DecodingOptions, probabilities: list[float], limit: int) -> tuple[int, ...]:
    """Search with a model that always says the same."""
    sentence = Beams(options, limit, bos_id=9, eos_id=EOS)
    while not sentence.is_done:
        advance(sentence, torch.tensor([probabilities] * options.beam_size).log())
    return sentence.results()[0].ids


def test_a_model_that_runs_in_circles_is_made_to_leave_them() -> None:
    probabilities = [0.01, 0.5, 0.2, 0.1, 0.08, 0.06, 0.05]
    plain = decode(DecodingOptions(beam_size=2), probabilities, 12)
    assert plain[:8] == (1,) * 8
    blocked = decode(DecodingOptions(beam_size=2, no_repeat_ngram_size=2), probabilities, 12)
    pairs = list(itertools.pairwise(blocked))
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_repeats_are_those_of_a_set_of_ngrams(size: int) -> None:
    generator = np.random.default_rng(0)
    for length in range(12):
        ids, last_id = generator.integers(0, 3, 20).astype(np.int32), int(generator.integers(0, 3))
        said = ids[:length].tolist()
        before = {tuple(said[i : i + size]) for i in range(length - size + 1)}
        new = tuple([*said, last_id][-size:])
        assert repeats(ids, length, last_id, size) == (length >= size - 1 and new in before)


def test_the_best_stay_first() -> None:
    ids = np.array([[5, 5, 0], [5, 6, 0]], np.int32)
    log_probs = np.array([-1.0, -2.0, -3.0, -4.0], np.float32)
    last_ids, beams = np.array([5, 6, 5, 6]), np.array([0, 0, 1, 1])
    rank_repeats_last(ids, 2, 2, log_probs, last_ids, beams)  # 5 5 was there before
    assert log_probs.tolist() == [-2.0, -3.0, -4.0, -math.inf]
    assert last_ids.tolist() == [6, 5, 6, 5]
    assert beams.tolist() == [0, 1, 1, 0]


def test_a_sentence_that_cannot_go_on_otherwise_may_repeat_itself() -> None:
    found = decode(DecodingOptions(beam_size=2, no_repeat_ngram_size=1), [0.0, 0.6, 0.4], 9)
    assert len(found) == 9
