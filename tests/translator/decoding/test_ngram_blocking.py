from __future__ import annotations

import itertools
import math

import torch

from translator.config import DecodingOptions
from translator.decoding.beam import BeamSearch
from translator.decoding.ngram_blocking import without_repeats
from translator.decoding.search import Beams

EOS = 0
BLOCKING = DecodingOptions(beam_size=2, no_repeat_ngram_size=2)


def decode(options: DecodingOptions, probabilities: list[float], limit: int) -> tuple[int, ...]:
    """Search with a model that always says the same."""
    beams = BeamSearch(2, bos_id=9, eos_id=EOS)
    beams.add([limit], [options])
    row = torch.tensor(probabilities).log()
    for _ in itertools.count():
        assert beams.beam_log_probs is not None
        totals = (torch.tensor(beams.beam_log_probs)[:, :, None] + row).flatten(1)
        values, places = totals.topk(min(beams.num_candidates, totals.numel()))
        ids, parents = places % len(row), places // len(row)
        if beams.extend(values.tolist(), ids.tolist(), parents.tolist()):
            return beams.results(0)[0].ids
    raise AssertionError


def test_a_model_that_runs_in_circles_is_made_to_leave_them() -> None:
    probabilities = [0.01, 0.5, 0.2, 0.1, 0.08, 0.06, 0.05]
    plain = decode(DecodingOptions(beam_size=2), probabilities, 12)
    assert plain[:8] == (1,) * 8
    blocked = decode(BLOCKING, probabilities, 12)
    pairs = list(itertools.pairwise(blocked))
    assert len(pairs) == len(set(pairs))


def test_only_the_sentences_that_want_it_are_changed_and_the_best_stay_first() -> None:
    same = [-1.0, -2.0], [5, 6], [0, 0]
    for options, expected in ((BLOCKING, [6, 5]), (DecodingOptions(beam_size=2), [5, 6])):
        sentence = Beams(options, 9, bos_id=9, eos_id=EOS)
        for _ in range(2):
            sentence.extend(*same)
        assert sentence.ids(0) == [5, 5]
        log_probs, ids, beams = without_repeats(sentence, *same)
        assert list(ids) == expected  # 5 5 was there before
        assert list(log_probs) == ([-2.0, -math.inf] if options is BLOCKING else [-1.0, -2.0])
        assert list(beams) == [0, 0]


def test_a_sentence_that_cannot_go_on_otherwise_may_repeat_itself() -> None:
    found = decode(DecodingOptions(beam_size=2, no_repeat_ngram_size=1), [0.0, 0.6, 0.4], 9)
    assert len(found) == 9
