"""Padding is never seen, on either side, in no quantity and under no id."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from training.config import TrainingConfig
from training.data.encoded import EncodedPair, make_batch
from training.objective.criterion import Criterion
from translator.model.transformer import Transformer

CONFIG = TrainingConfig(max_steps=1, bf16=False)
SRC = torch.tensor([[4, 9, 8, 3, 0, 0], [4, 11, 12, 13, 14, 3]])
TGT_IN = torch.tensor([[2, 20, 21, 0, 0], [2, 30, 31, 32, 33]])


@torch.no_grad()
def test_what_stands_at_masked_places_changes_no_bit(model: Transformer) -> None:
    src_mask = (SRC != 0)[:, None, None]
    other = torch.where(SRC == 0, 17, SRC)
    memory, other_memory = model.encode(SRC, src_mask), model.encode(other, src_mask)
    assert torch.equal(memory[0, :4], other_memory[0, :4])
    assert torch.equal(memory[1], other_memory[1])
    junk = torch.where(src_mask[:, 0, 0, :, None], other_memory, 1e4)
    states = model.decode(TGT_IN, memory, src_mask)
    assert torch.equal(states, model.decode(TGT_IN, junk, src_mask))
    other_targets = torch.where(TGT_IN == 0, 19, TGT_IN)
    other_states = model.decode(other_targets, memory, src_mask)
    assert torch.equal(states[0, :3], other_states[0, :3])


@torch.no_grad()
@pytest.mark.parametrize("extra", [1, 7, 40])
def test_more_padding_changes_nothing(model: Transformer, extra: int) -> None:
    wide, longer = (torch.nn.functional.pad(ids, (0, extra)) for ids in (SRC, TGT_IN))
    logits = model(SRC, TGT_IN, (SRC != 0)[:, None, None])
    padded = model(wide, longer, (wide != 0)[:, None, None])
    torch.testing.assert_close(padded[1, :5], logits[1], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(padded[0, :3], logits[0, :3], atol=1e-5, rtol=1e-5)


def test_loss_and_gradient_of_a_batch_are_the_sums_over_its_pairs(model: Transformer) -> None:
    generator = np.random.default_rng(0)
    pairs = [
        EncodedPair(
            [4, *generator.integers(5, 300, n).tolist(), 3],
            [*generator.integers(5, 300, m).tolist(), 3],
        )
        for n, m in ((0, 0), (3, 9), (12, 1), (5, 5))
    ]
    batch = make_batch(pairs, pad_id=0, bos_id=2, multiple_of=8)
    criterion = Criterion(model, CONFIG)
    together = criterion(batch)
    (together.smoothed / batch.num_targets).backward()
    expected = {n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None}
    model.zero_grad()
    singles = [make_batch([pair], 0, 2) for pair in pairs]
    alone = [criterion(single) for single in singles]
    for loss in alone:
        (loss.smoothed / batch.num_targets).backward()
    assert sum(single.num_targets for single in singles) == batch.num_targets == 19
    torch.testing.assert_close(sum(loss.nll for loss in alone), together.nll)
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None
        torch.testing.assert_close(parameter.grad, expected[name], atol=1e-6, rtol=1e-5)
