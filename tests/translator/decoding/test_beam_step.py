from __future__ import annotations

import torch
from torch import Tensor

from translator.decoding.beam_step import choose, staying_order

LENGTHS, LIMITS = torch.tensor([1]), torch.tensor([9])


def best(beam_log_probs: Tensor, log_probs: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    found = log_probs.topk(min(count, log_probs.size(2)))
    chosen = choose(beam_log_probs, found.values, found.indices, LENGTHS, LIMITS, 99, count)
    return chosen[:3]


def test_candidates_are_ranked_across_beams() -> None:
    log_probs = torch.tensor([[[-1.0, -2.0, -3.0], [-0.1, -0.2, -9.0]]])
    totals, ids, parents = best(torch.tensor([[-1.0, -2.5]]), log_probs, 4)
    torch.testing.assert_close(totals, torch.tensor([[-2.0, -2.6, -2.7, -3.0]]))
    assert ids.tolist() == [[0, 0, 1, 1]]
    assert parents.tolist() == [[0, 1, 1, 0]]


def test_ties_go_to_the_earlier_beam() -> None:
    log_probs = torch.tensor([-1.0, -5.0, -9.0]).expand(1, 60, 3)
    _, _, parents = best(torch.zeros(1, 60), log_probs, 60)
    assert parents.tolist() == [list(range(60))]


def test_fewer_continuations_than_candidates() -> None:
    _, ids, _ = best(torch.zeros(1, 1), torch.tensor([[[-1.0, -2.0]]]), 8)
    assert ids.tolist() == [[0, 1]]


def test_only_the_best_k_may_finish_and_only_if_possible() -> None:
    log_probs = torch.tensor([[[-1.0, -3.0], [-2.0, -torch.inf]]])
    ids = torch.tensor([[[7, 99], [99, 5]]])
    zeros = torch.zeros(1, 2)
    finishing = choose(zeros, log_probs, ids, LENGTHS, LIMITS, 99, 4)[4]
    assert finishing.tolist() == [[False, True, False, False]]  # the second EOS is third best
    *_, at_limit, finishing = choose(zeros, log_probs, ids, torch.tensor([8]), LIMITS, 99, 4)
    assert at_limit.tolist() == [True]
    assert finishing.tolist() == [[True, True, False, False]]


def test_beams_stay_in_the_rows_of_those_they_continue() -> None:
    parents = torch.tensor([[0, 1, 2], [2, 1, 0], [1, 1, 1], [2, 2, 0]])
    order = staying_order(parents)
    assert parents.gather(1, order).tolist() == [[0, 1, 2], [0, 1, 2], [1, 1, 1], [0, 2, 2]]
    assert order.tolist() == [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 1, 0]]
