"""A run that starts from a finished model: its vocabulary and weights, the recipe's dropouts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.toyrun import toy_recipe, toy_run
from training.finetune import start_from
from training.state import load_latest
from translator.checkpoint import LoadedModel, save_model_directory
from translator.errors import ConfigError, TranslatorError

SHORT = ("training.max_steps=2", "training.checkpoint_every=2", "training.dev_sentences=2")
SIZES = ("model.d_model=32", "model.d_ff=64", "model.num_decoder_layers=2", "model.dropout=0.0")


@pytest.fixture
def base(tmp_path: Path, loaded: LoadedModel) -> Path:
    path = tmp_path / "base"
    weights = loaded.model.state_dict()
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, {})
    return path


def test_weights_and_sizes_come_from_the_base(
    tmp_path: Path, base: Path, loaded: LoadedModel
) -> None:
    recipe = toy_recipe(tmp_path, f"base='{base}'", *SIZES, "model.attention_dropout=0.25")
    model = start_from(recipe)
    assert model.config == replace(loaded.model.config, attention_dropout=0.25)
    for name, tensor in loaded.model.state_dict().items():
        torch.testing.assert_close(model.state_dict()[name], tensor, atol=1e-3, rtol=1e-3)


def test_other_sizes_are_refused(tmp_path: Path, base: Path) -> None:
    recipe = toy_recipe(tmp_path, f"base='{base}'", *SIZES, "model.d_ff=128")
    with pytest.raises(ConfigError, match=r"model\.d_ff: .*base has 64, the recipe 128; leave"):
        start_from(recipe)


def test_a_whole_run_keeps_the_vocabulary(tmp_path: Path, base: Path, loaded: LoadedModel) -> None:
    run = toy_run(tmp_path, f"base='{base}'", *SIZES, *SHORT)
    run.run()
    tokenizer = (tmp_path / "run" / "model" / "tokenizer.model").read_bytes()
    assert tokenizer == loaded.tokenizer.serialized
    state, _ = load_latest(tmp_path / "run" / "checkpoints")
    assert state is not None
    moved = state.model["embedding.weight"] - loaded.model.state_dict()["embedding.weight"]
    assert 0 < moved.abs().max() < 0.05, "two steps from the base, not from random weights"


def test_a_missing_base_is_named(tmp_path: Path) -> None:
    run = toy_run(tmp_path, "base='/nowhere'", *SHORT)
    with pytest.raises(TranslatorError, match="/nowhere"):
        run.run()
