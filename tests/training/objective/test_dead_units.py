"""Units that never fire are found, and begin anew without any effect on what the model computes."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.streams import write_encoded
from tests.toy import toy_pairs
from training.data.encoded import EncodedCorpus, TrainBatch, make_batch
from training.objective.dead_units import firing_shares, revive
from translator.errors import ConfigError
from translator.model.transformer import Transformer, make_model
from translator.tokens.tokenizer import Tokenizer

FIRST = "encoder_layers.0.feed_forward"
LAST = "decoder_layers.0.feed_forward"


@pytest.fixture
def corpus(tmp_path: Path, tokenizer: Tokenizer) -> EncodedCorpus:
    pairs = toy_pairs(20, random.Random(1))
    sides = {"de": [de for de, _ in pairs], "en": [en for _, en in pairs]}
    return write_encoded(tmp_path, tokenizer, sides, ["de-en"])


@pytest.fixture
def batch(corpus: EncodedCorpus, tokenizer: Tokenizer) -> TrainBatch:
    return make_batch(corpus.pairs(range(8)), tokenizer.pad_id, tokenizer.bos_id)


@pytest.fixture
def ailing(model: Transformer) -> Transformer:
    """A model with five units in one network and all units in another that cannot fire."""
    with torch.no_grad():
        model.get_parameter(f"{FIRST}.inner_proj.bias")[:5] = -1e4
        model.get_parameter(f"{LAST}.inner_proj.bias").fill_(-1e4)
    return model.eval()


def logits(model: Transformer, batch: TrainBatch) -> Tensor:
    found: Tensor = model(batch.src, batch.tgt_in, batch.src_mask)
    return found


def test_units_that_cannot_fire_are_at_zero(
    ailing: Transformer, corpus: EncodedCorpus, tokenizer: Tokenizer
) -> None:
    shares = firing_shares(ailing, corpus, tokenizer.bos_id)
    assert torch.count_nonzero(shares[FIRST][:5]) == 0
    assert torch.count_nonzero(shares[LAST]) == 0
    assert shares[FIRST][5:].mean() > 0.2, "the others fire in about half of all places"
    assert len(shares) == len(ailing.encoder_layers) + len(ailing.decoder_layers)


def test_revived_units_change_nothing_and_can_learn(
    ailing: Transformer, corpus: EncodedCorpus, tokenizer: Tokenizer, batch: TrainBatch
) -> None:
    before = logits(ailing, batch).detach()
    share = revive(ailing, corpus, tokenizer.bos_id)
    assert 0 < share < 0.6
    after = logits(ailing, batch)
    torch.testing.assert_close(after, before, atol=1e-5, rtol=1e-5)
    after.logsumexp(dim=-1).sum().backward()
    gradient = ailing.get_parameter(f"{FIRST}.out_proj.weight").grad
    assert gradient is not None
    assert gradient[:, :5].abs().amax() > 0
    shares = firing_shares(ailing, corpus, tokenizer.bos_id)
    assert shares[FIRST][:5].mean() > 0.1, "they fire now"
    assert shares[LAST].mean() > 0.1


def test_units_of_a_healthy_model_stay(
    model: Transformer, corpus: EncodedCorpus, tokenizer: Tokenizer
) -> None:
    shares = firing_shares(model, corpus, tokenizer.bos_id)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    share = revive(model, corpus, tokenizer.bos_id)
    dead = sum(int((found < 2e-4).sum()) for found in shares.values())
    assert share == pytest.approx(dead / sum(found.numel() for found in shares.values()))
    alive = shares[FIRST] >= 2e-4
    kept = model.get_parameter(f"{FIRST}.inner_proj.weight")[alive]
    assert torch.equal(kept, before[f"{FIRST}.inner_proj.weight"][alive])


def test_other_activations_are_refused(
    model: Transformer, corpus: EncodedCorpus, tokenizer: Tokenizer
) -> None:
    other = make_model(replace(model.config, activation="gelu"))
    with pytest.raises(ConfigError, match="revive_units: is for relu, the base has gelu"):
        revive(other, corpus, tokenizer.bos_id)
