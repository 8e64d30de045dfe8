"""The loss of a batch under a model: in training, in evaluation, and over a corpus."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.streams import write_encoded
from tests.toy import toy_sides
from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus, EncodedPair, TrainBatch, make_batch
from training.objective import criterion
from training.objective.criterion import COLLAPSED, Criterion, encoder_spread, evaluating
from translator.config import ModelConfig
from translator.model.transformer import Transformer, make_model
from translator.tokens.tokenizer import Tokenizer


@pytest.fixture
def corpus(tmp_path: Path, tokenizer: Tokenizer) -> EncodedCorpus:
    return write_encoded(tmp_path, tokenizer, toy_sides(20, seed=1), ["de-en"])


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
    model: Transformer, tokenizer: Tokenizer, corpus: EncodedCorpus
) -> None:
    """It is the same whatever the batches, and without dropout, smoothing and gradient."""
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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The .grad attribute")  # that the compiler looks at
def test_compiled_layers_of_a_kind_share_one_graph_whatever_the_shape(
    model_config: ModelConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the gradient is that of the model as it is written."""
    compiled: list[torch.fx.GraphModule] = []

    def keep(graph: torch.fx.GraphModule, _: object) -> Any:
        compiled.append(graph)
        return graph.forward

    config = dataclasses.replace(model_config, num_encoder_layers=3, num_decoder_layers=2)
    model = make_model(dataclasses.replace(config, dropout=0.0, attention_dropout=0.0))
    training = TrainingConfig(max_steps=1, bf16=False)
    plain = Criterion(model, training, picks_real=False)
    gradients = [gradient_of(plain, batch) for batch in some_batches()]
    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend=keep))
    torch._dynamo.reset()
    fast = Criterion(model, dataclasses.replace(training, compile=True), picks_real=False)
    for batch, expected in zip(some_batches(), gradients, strict=True):
        torch.testing.assert_close(gradient_of(fast, batch), expected, atol=1e-5, rtol=1e-4)
    assert len(compiled) == 3, "encoder layers, decoder layers, the loss"
    before = len(compiled)
    fast.eval()(some_batches()[0])
    with fast._uncompiled():
        fast(some_batches()[1])
    assert len(compiled) - before <= 3, "only where it is not held off"
    torch._dynamo.reset()


def some_batches() -> list[TrainBatch]:
    batches = []
    for seed, (count, width) in enumerate([(5, 16), (9, 8), (3, 32)]):
        torch.manual_seed(seed)
        src, tgt = (torch.randint(4, 300, (count, width - 1)).tolist() for _ in range(2))
        pairs = [EncodedPair(s, t) for s, t in zip(src, tgt, strict=True)]
        batches.append(make_batch(pairs, pad_id=0, bos_id=2, multiple_of=8))
    return batches


def gradient_of(criterion: Criterion, batch: TrainBatch) -> Tensor:
    criterion.model.zero_grad()
    criterion(batch).smoothed.backward()
    found = [p.grad for p in criterion.model.parameters() if p.grad is not None]
    return torch.cat([gradient.flatten() for gradient in found])


def multiply_queries(layer: nn.Module, factor: float) -> None:
    with torch.no_grad():
        for parameter in layer.get_submodule("self_attention.query_proj").parameters():
            parameter.mul_(factor)


def test_it_is_the_length_if_all_are_looked_at_alike(
    model: Transformer, tokenizer: Tokenizer, corpus: EncodedCorpus
) -> None:
    for layer in model.encoder_layers:
        multiply_queries(layer, 0.0)
    lengths = [len(corpus[number].src) for number in range(len(corpus))]
    expected = sum(length**2 for length in lengths) / sum(lengths)  # each piece has a row
    assert encoder_spread(model, corpus, tokenizer.bos_id) == pytest.approx(expected, rel=1e-5)


def test_it_is_one_if_the_narrowest_layer_looks_at_one_piece(
    model: Transformer, tokenizer: Tokenizer, corpus: EncodedCorpus
) -> None:
    model.train()
    before = encoder_spread(model, corpus, tokenizer.bos_id)
    multiply_queries(model.encoder_layers[0], 1e6)
    assert encoder_spread(model, corpus, tokenizer.bos_id) < COLLAPSED < before
    assert model.training, "it is put back"


@pytest.mark.parametrize("was_training", [True, False])
def test_a_module_is_left_as_it_was_also_by_an_error(was_training: bool) -> None:
    module = nn.Sequential(nn.Dropout()).train(was_training)
    modes = list[bool]()

    def look() -> None:
        with evaluating(module):
            modes.extend(part.training for part in module.modules())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look()
    assert modes == [False, False]
    assert module.training == module[0].training == was_training
