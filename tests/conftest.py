"""Fixtures that many rooms share: a toy language pair, its tokenizer, and a tiny model."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import torch

from tests.toy import toy_pairs
from training.config import SubwordsConfig
from training.data.subwords import train_tokenizer
from translator.config import ModelConfig, ModelDescription
from translator.model.reference import Reference
from translator.model.transformer import Transformer, make_model
from translator.store.model_directory import LoadedModel
from translator.tokens.tokenizer import Tokenizer


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    pairs = toy_pairs(300, random.Random(0))
    lines = [line for pair in pairs for line in pair]
    return train_tokenizer(lines, ["de", "en"], SubwordsConfig(vocab_size=330))


@pytest.fixture
def model_config(tokenizer: Tokenizer) -> ModelConfig:
    return ModelConfig(
        vocab_size=tokenizer.vocab_size,
        d_model=32,
        d_ff=64,
        num_heads=4,
        num_encoder_layers=2,
        num_decoder_layers=2,
        dropout=0.0,
        pad_id=tokenizer.pad_id,
    )


@pytest.fixture
def model(model_config: ModelConfig) -> Transformer:
    torch.manual_seed(0)
    return make_model(model_config).eval()


@pytest.fixture
def loaded(model: Transformer, tokenizer: Tokenizer) -> LoadedModel:
    description = ModelDescription(
        model=model.config, languages=("de", "en"), directions=("de-en", "en-de"), max_source_ids=40
    )
    return LoadedModel(description, tokenizer, Reference.of(model), {})


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests, and the processes that they start, from the models of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRANSLATOR_HOME", str(tmp_path_factory.mktemp("home")))
        yield


pytest_plugins = ["tests.running", "tests.trainers"]
