"""Fixtures that many rooms share: a toy language pair, its tokenizer, and a tiny model."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import torch
from hypothesis import settings

from tests.small_models import small_config
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
    return small_config(tokenizer, num_encoder_layers=2, num_decoder_layers=2)


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

# the tests run on all cores at once, so none may be timed; what is dear to draw says how many
settings.register_profile("tests", max_examples=200, deadline=None)
settings.load_profile("tests")
