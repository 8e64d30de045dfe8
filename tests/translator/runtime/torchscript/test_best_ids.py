from __future__ import annotations

import pytest
import torch

from translator.runtime.torchscript.best_ids import NATS_PER_BIT, BestIds

SIZES = [3, 16, 320, 1000, 1607]  # of the vocabulary; 1607 is a prime, so it is one stripe


def bits(num_rows: int, vocab_size: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(vocab_size)
    return 5 * torch.randn(num_rows, vocab_size, generator=generator) / NATS_PER_BIT


@pytest.mark.parametrize("num_rows", [1, 7, 40])
@pytest.mark.parametrize("vocab_size", SIZES)
def test_best_id_of_each_row(num_rows: int, vocab_size: int) -> None:
    logits = bits(num_rows, vocab_size)
    expected = (logits * NATS_PER_BIT).log_softmax(-1).max(dim=1)
    values, ids, _ = BestIds(vocab_size)(logits, None, 1)
    assert torch.equal(ids[:, 0], expected.indices)
    torch.testing.assert_close(values[:, 0], expected.values)


@pytest.mark.parametrize("shape", [(1, 5), (7, 1), (9, 4)])
@pytest.mark.parametrize("vocab_size", SIZES)
@pytest.mark.parametrize("count", [1, 2, 10])
def test_best_continuations_of_beams(shape: tuple[int, int], vocab_size: int, count: int) -> None:
    batch, beam = shape
    logits = bits(batch * beam, vocab_size)
    beams_so_far = torch.linspace(-3, 0, batch * beam).view(batch, beam)
    log_probs = (logits * NATS_PER_BIT).log_softmax(-1).view(batch, beam, vocab_size)
    totals = (log_probs + beams_so_far[:, :, None]).flatten(1)
    expected = totals.topk(min(count, totals.size(1)))
    values, ids, beams = BestIds(vocab_size)(logits, beams_so_far, count)
    assert torch.equal(beams * vocab_size + ids, expected.indices)
    torch.testing.assert_close(values, expected.values)


def test_dead_beams_are_not_continued() -> None:
    so_far = torch.tensor([[-5.0, -torch.inf]])
    values, _, beams = BestIds(320)(bits(2, 320), so_far, 4)
    assert beams.tolist() == [[0] * 4]
    assert torch.isfinite(values).all()


@pytest.mark.parametrize("count", [1, 3])
def test_neighbours_of_every_stripe_are_found(count: int) -> None:
    logits = torch.full((3, 1600), -9.0)
    for row, winners in enumerate([[0, 100, 200], [5, 6, 7], [1598, 1599, 1499]]):
        logits[row, winners] = torch.tensor([-3.0, -1.0, -2.0])
    _, ids, _ = BestIds(1600)(logits, torch.zeros(3, 1), count)
    assert ids.tolist() == [row[:count] for row in ([100, 200, 0], [6, 7, 5], [1599, 1499, 1598])]


def test_ids_that_are_never_produced_take_no_share() -> None:
    values, _, _ = BestIds(3)(torch.tensor([[3.0, -1e9, 3.0]]), torch.zeros(1, 1), 2)
    assert values.exp().tolist() == [[0.5, 0.5]]


def test_great_logits_do_not_overflow() -> None:
    logits = torch.tensor([[900.0, 800.0, -900.0]])
    values, ids, _ = BestIds(3)(logits, torch.zeros(1, 1), 2)
    assert ids.tolist() == [[0, 1]]
    assert values[0, 0] == 0
    assert torch.isfinite(values).all()
