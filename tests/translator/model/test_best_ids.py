from __future__ import annotations

import pytest
import torch

from translator.model.best_ids import NATS_PER_BIT, BestIds


@pytest.mark.parametrize("num_rows", [1, 7])
@pytest.mark.parametrize("vocab_size", [3, 16, 320, 1000, 1607])
@pytest.mark.parametrize("count", [1, 2, 10])
def test_best_ids_are_topk_of_the_log_probabilities(
    num_rows: int, vocab_size: int, count: int
) -> None:
    generator = torch.Generator().manual_seed(vocab_size)
    logits = 5 * torch.randn(num_rows, vocab_size, generator=generator)
    expected = logits.log_softmax(-1).topk(min(count, vocab_size))
    values, ids = BestIds()(logits / NATS_PER_BIT, count)
    assert torch.equal(ids, expected.indices)
    torch.testing.assert_close(values, expected.values)


@pytest.mark.parametrize("count", [1, 3])
def test_neighbours_of_every_stripe_and_the_rest_are_found(count: int) -> None:
    logits = torch.full((3, 1607), -9.0)
    for row, winners in enumerate([[0, 100, 200], [5, 6, 7], [1599, 1600, 1606]]):
        logits[row, winners] = torch.tensor([-3.0, -1.0, -2.0])
    _, ids = BestIds()(logits, count)
    assert ids.tolist() == [row[:count] for row in ([100, 200, 0], [6, 7, 5], [1600, 1606, 1599])]


def test_ids_that_are_never_produced_take_no_share() -> None:
    values, _ = BestIds()(torch.tensor([[3.0, -1e9, 3.0]]), 2)
    assert values.exp().tolist() == [[0.5, 0.5]]


def test_great_logits_do_not_overflow() -> None:
    values, ids = BestIds()(torch.tensor([[900.0, 800.0, -900.0]]), 2)
    assert ids.tolist() == [[0, 1]]
    assert values[0, 0] == 0
    assert torch.isfinite(values).all()
