"""The loss of a batch under a model: in training, in evaluation, and over a corpus."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch

from tests.streams import write_encoded
from tests.toy import toy_pairs
from training.config import TrainingConfig
from training.data.encoded import EncodedPair, make_batch
from training.objective import criterion
from training.objective.criterion import Criterion
from translator.model.transformer import Transformer
from translator.tokens.tokenizer import Tokenizer


def test_bfloat16_training_keeps_float32_weights_and_close_gradients(
    model: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(criterion, "has_bfloat16", lambda device: True)
    torch.manual_seed(0)
    src, tgt = torch.randint(4, 300, (4, 9)), torch.randint(4, 300, (4, 7))
    pairs = [EncodedPair(s.tolist(), t.tolist()) for s, t in zip(src, tgt, strict=True)]
    batch = make_batch(pairs, pad_id=0, bos_id=2)
    gradients = []
    for bf16 in (False, True):
        model.zero_grad()
        config = TrainingConfig(max_steps=1, bf16=bf16)
        scorer = Criterion(model, config)
        assert scorer.is_bf16 == bf16
        scorer(batch).smoothed.backward()
        found = [p.grad for p in model.parameters() if p.grad is not None]
        assert {gradient.dtype for gradient in found} == {torch.float32}
        gradients.append(torch.cat([gradient.flatten() for gradient in found]))
    exact, low = gradients
    assert torch.cosine_similarity(exact, low, dim=0) > 0.999
    assert low.norm().item() == pytest.approx(exact.norm().item(), rel=0.02)


def test_the_loss_of_a_corpus_is_its_mean_a_piece(
    tmp_path: Path, model: Transformer, tokenizer: Tokenizer
) -> None:
    """It is the same whatever the batches, and without dropout, smoothing and gradient."""
    pairs = toy_pairs(20, random.Random(1))
    sides = {"de": [de for de, _ in pairs], "en": [en for _, en in pairs]}
    corpus = write_encoded(tmp_path, tokenizer, sides, ["de-en"])
    found = []
    for budget in (30, 10_000):
        config = TrainingConfig(max_steps=1, max_batch_tokens=budget, bf16=False)
        scorer = Criterion(model, config).train()
        found.append(scorer.corpus_loss(corpus, tokenizer.bos_id))
        assert scorer.training, "it is put back"
    batch = make_batch([corpus[i] for i in range(20)], tokenizer.pad_id, tokenizer.bos_id)
    with torch.inference_mode():
        expected = float(scorer.eval()(batch).nll) / batch.num_targets
    assert found == pytest.approx([expected, expected], rel=1e-5)
