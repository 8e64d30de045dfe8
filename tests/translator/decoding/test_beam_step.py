from __future__ import annotations

import torch

from tests.translator.decoding.dense import advance
from translator.config import DecodingOptions
from translator.decoding import search
from translator.decoding.beam_step import find_finishing

LENGTHS, LIMITS = torch.tensor([1]), torch.tensor([9])


def test_candidates_are_ranked_across_beams() -> None:
    state = search.start([9], DecodingOptions(beam_size=2), 9)
    probabilities = torch.tensor([[[0.5, 0.3, 0.2, 0], [0.9, 0.05, 0.05, 0]]])
    first = advance(state, probabilities.log())
    assert (first.next_ids.tolist(), first.parent_beams.tolist()) == ([[0, 1]], [[0, 0]])
    second = advance(first.state, probabilities.log())
    torch.testing.assert_close(second.state.log_probs.exp(), torch.tensor([[0.27, 0.25]]))
    assert (second.next_ids.tolist(), second.parent_beams.tolist()) == ([[0, 0]], [[1, 0]])


def test_ties_go_to_the_earlier_beam() -> None:
    state = search.start([9], DecodingOptions(beam_size=30), 99)
    equal = torch.zeros(1, 30, 40)
    step = advance(advance(state, equal).state, equal)
    assert step.parent_beams.tolist() == [[0] * 30]
    assert step.next_ids.tolist() == [list(range(30))]


def test_only_the_best_k_may_finish_and_only_if_possible() -> None:
    log_probs = torch.tensor([[-1.0, -2.0, -2.5, -torch.inf]])
    ids = torch.tensor([[7, 99, 99, 5]])
    _, finishing = find_finishing(log_probs, ids, LENGTHS, LIMITS, 99, 2)
    assert finishing.tolist() == [[False, True]]  # the second EOS is third best
    at_limit, finishing = find_finishing(log_probs, ids, torch.tensor([8]), LIMITS, 99, 4)
    assert at_limit.tolist() == [True]
    assert finishing.tolist() == [[True, True, True, False]]
