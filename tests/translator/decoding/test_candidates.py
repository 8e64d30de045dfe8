from __future__ import annotations

import math

import pytest
import torch

from translator.decoding.candidates import best_candidates, best_ids


@pytest.mark.parametrize("vocab_size", [3, 16, 320, 1000, 1607])
@pytest.mark.parametrize("count", [1, 2, 10])
def test_best_ids_is_topk(vocab_size: int, count: int) -> None:
    log_probs = torch.randn(7, vocab_size, generator=torch.Generator().manual_seed(vocab_size))
    values, ids = best_ids(log_probs, count)
    expected = log_probs.topk(min(count, vocab_size))
    assert torch.equal(values, expected.values)
    assert torch.equal(ids, expected.indices)


def test_best_ids_finds_neighbours_of_every_stripe_and_the_rest() -> None:
    log_probs = torch.full((3, 1607), -9.0)
    for row, winners in enumerate([[0, 100, 200], [5, 6, 7], [1599, 1600, 1606]]):
        log_probs[row, winners] = torch.tensor([-3.0, -1.0, -2.0])
    values, ids = best_ids(log_probs, 3)
    assert ids.tolist() == [[100, 200, 0], [6, 7, 5], [1600, 1606, 1599]]
    assert values.tolist() == [[-1, -2, -3]] * 3


def test_best_ids_of_rows_at_minus_infinity_are_distinct() -> None:
    values, ids = best_ids(torch.full((2, 1000), -math.inf), 4)
    assert values.eq(-math.inf).all()
    assert [len(set(row)) for row in ids.tolist()] == [4, 4]


def test_candidates_are_ranked_across_beams() -> None:
    log_probs = torch.tensor([[[-1.0, -2.0, -3.0], [-0.1, -0.2, -9.0]]])
    found = best_candidates(torch.tensor([[-1.0, -2.5]]), log_probs, 4, None)
    torch.testing.assert_close(found.log_probs, torch.tensor([[-2.0, -2.6, -2.7, -3.0]]))
    assert found.ids.tolist() == [[0, 0, 1, 1]]
    assert found.parents.tolist() == [[0, 1, 1, 0]]


def test_forbidden_ids_leave_as_many_candidates() -> None:
    log_probs = torch.tensor([[[-1.0, -2.0, -3.0, -4.0, -5.0]]])
    found = best_candidates(torch.zeros(1, 1), log_probs, 2, torch.tensor([0, 2]))
    assert found.ids.tolist() == [[1, 3]]
    assert found.log_probs.tolist() == [[-2, -4]]


def test_ties_go_to_the_earlier_beam() -> None:
    log_probs = torch.tensor([-1.0, -5.0, -9.0]).expand(1, 60, 3)
    found = best_candidates(torch.zeros(1, 60), log_probs, 60, None)
    assert found.parents.tolist() == [list(range(60))]


def test_fewer_continuations_than_candidates() -> None:
    found = best_candidates(torch.zeros(1, 1), torch.tensor([[[-1.0, -2.0]]]), 8, None)
    assert found.ids.tolist() == [[0, 1]]
