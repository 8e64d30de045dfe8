"""What must hold of the model whatever its weights."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from training.config import TrainingConfig
from training.data.encoded import EncodedPair, make_batch
from training.objective.criterion import Criterion
from training.objective.loss import label_smoothed_loss
from translator.config import ModelConfig, NormPlacement
from translator.model.embedding import pad, padding_mask
from translator.model.transformer import AttentionWeights, Transformer, make_model

SOURCES = [[4, 9, 8, 7, 3], [4, 11, 3], [4, 20, 21, 22, 23, 24, 25, 3]]


def encode(model: Transformer, sources: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    src = pad(sources, model.config.pad_id)
    src_mask = padding_mask(src, model.config.pad_id)
    return model.encode(src, src_mask), src_mask


@torch.no_grad()
def test_the_future_does_not_leak_into_the_past(model: Transformer) -> None:
    memory, src_mask = encode(model, SOURCES)
    tgt_in = torch.randint(4, 60, (3, 12))
    changed = tgt_in.clone()
    changed[:, 7:] = torch.randint(4, 60, (3, 5))
    before = model.decode(tgt_in, memory, src_mask)
    after = model.decode(changed, memory, src_mask)
    assert torch.equal(before[:, :7], after[:, :7])
    assert not torch.allclose(before[:, 7:], after[:, 7:])


@torch.no_grad()
def test_recording_attention_changes_no_result(model: Transformer) -> None:
    memory, src_mask = encode(model, SOURCES)
    tgt_in = torch.randint(4, 60, (3, 6))
    weights = AttentionWeights()
    recorded = model.decode(tgt_in, memory, src_mask, weights)
    torch.testing.assert_close(recorded, model.decode(tgt_in, memory, src_mask))
    assert [tuple(w.shape) for w in weights.cross] == [(3, 4, 6, 8)] * 2
    assert [tuple(w.shape) for w in weights.decoder] == [(3, 4, 6, 6)] * 2
    for attn_weights in (*weights.cross, *weights.decoder):
        torch.testing.assert_close(attn_weights.sum(-1), torch.ones(attn_weights.shape[:-1]))


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("d_model", [64, 256])
def test_a_fresh_model_is_about_as_wise_as_chance(norm: NormPlacement, d_model: int) -> None:
    torch.manual_seed(0)
    vocab_size = 3000
    config = ModelConfig(vocab_size=vocab_size, d_model=d_model, d_ff=2 * d_model, norm=norm)
    model = make_model(config).eval()
    src, tgt = torch.randint(4, vocab_size, (8, 12)), torch.randint(4, vocab_size, (8, 12))
    with torch.no_grad():
        states = model.decode(tgt, model.encode(src, None), None)
        targets = torch.randint(4, vocab_size, (8, 12))
        loss = label_smoothed_loss(states, model.embedding.weight, targets, pad_id=0, smoothing=0.0)
    assert abs(loss.nll.item() / targets.numel() - math.log(vocab_size)) < 0.7


def test_encoder_and_decoder_may_differ_in_depth(model_config: ModelConfig) -> None:
    model = make_model(replace(model_config, num_encoder_layers=3, num_decoder_layers=1))
    assert (len(model.encoder_layers), len(model.decoder_layers)) == (3, 1)
    assert model(torch.tensor([[4, 3]]), torch.tensor([[2]]), None).shape[-1] == (
        model_config.vocab_size
    )


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
