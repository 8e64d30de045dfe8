"""The spread of attention tells an encoder that looks at one piece from one that looks at all."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.streams import write_encoded
from tests.toy import toy_pairs
from training.data.encoded import EncodedCorpus
from training.objective.spread import COLLAPSED, encoder_spread
from translator.model.transformer import Transformer
from translator.tokens.tokenizer import Tokenizer


@pytest.fixture
def corpus(tmp_path: Path, tokenizer: Tokenizer) -> EncodedCorpus:
    pairs = toy_pairs(20, random.Random(1))
    sides = {"de": [de for de, _ in pairs], "en": [en for _, en in pairs]}
    return write_encoded(tmp_path, tokenizer, sides, ["de-en"])


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
