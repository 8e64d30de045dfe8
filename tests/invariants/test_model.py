"""What must hold of the model whatever its weights."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

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
def test_companions_and_padding_change_nothing(model: Transformer) -> None:
    memory, src_mask = encode(model, SOURCES)
    tgt_in = torch.tensor([[2, 30, 31, 32]])
    for row, source in enumerate(SOURCES):
        alone, alone_mask = encode(model, [source])
        width = len(source)
        torch.testing.assert_close(memory[row, :width], alone[0], atol=1e-5, rtol=1e-5)
        batched = model.decode(tgt_in, memory[row : row + 1], src_mask[row : row + 1])
        torch.testing.assert_close(
            batched, model.decode(tgt_in, alone, alone_mask), atol=1e-5, rtol=1e-5
        )


@torch.no_grad()
def test_the_embedding_of_padding_is_never_seen(model: Transformer) -> None:
    before = encode(model, SOURCES)[0]
    model.embedding.weight[model.config.pad_id] = 100.0
    after = encode(model, SOURCES)[0]
    for row, source in enumerate(SOURCES):
        assert torch.equal(before[row, : len(source)], after[row, : len(source)])


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


@torch.no_grad()
def test_two_runs_are_bit_equal(model: Transformer) -> None:
    assert torch.equal(encode(model, SOURCES)[0], encode(model, SOURCES)[0])


def test_encoder_and_decoder_may_differ_in_depth(model_config: ModelConfig) -> None:
    model = make_model(replace(model_config, num_encoder_layers=3, num_decoder_layers=1))
    assert (len(model.encoder_layers), len(model.decoder_layers)) == (3, 1)
    assert model(torch.tensor([[4, 3]]), torch.tensor([[2]]), None).shape[-1] == (
        model_config.vocab_size
    )
