"""A run that starts from a finished model: its vocabulary and weights, the recipe's dropouts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.toyrun import run_until, toy_recipe, toy_run
from training.loop.state import load_latest
from training.stages.export import start_from
from training.stages.preparation import StageError
from translator.config import DecodingOptions
from translator.errors import ConfigError
from translator.store.model_directory import LoadedModel, load_model_directory, save_model_directory

SHORT = ("training.max_steps=2", "training.checkpoint_every=2", "training.dev_sentences=2")
SIZES = (
    *("model.d_model=32", "model.d_ff=64", "model.num_decoder_layers=2", "model.dropout=0.0"),
    "subwords.vocab_size=330",
)


@pytest.fixture
def base(tmp_path: Path, loaded: LoadedModel) -> Path:
    path = tmp_path / "base"
    weights = loaded.model.state_dict()
    card = {"name": "first", "training": {"target_tokens": 7}}
    save_model_directory(path, loaded.description, loaded.tokenizer, weights, card)
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


def test_a_value_that_equals_the_default_counts_as_given(tmp_path: Path, base: Path) -> None:
    given = ("model.dropout=0.3", "model.d_model=256")  # what a model has whose recipe is silent
    with pytest.raises(ConfigError, match=r"model\.d_model: .*base has 32, the recipe 256"):
        start_from(toy_recipe(tmp_path, f"base='{base}'", *SIZES, *given))
    model = start_from(toy_recipe(tmp_path, f"base='{base}'", *SIZES, "model.dropout=0.3"))
    assert model.config.dropout == 0.3


def test_a_whole_run_keeps_the_vocabulary(tmp_path: Path, base: Path, loaded: LoadedModel) -> None:
    run_until(toy_run(tmp_path, f"base='{base}'", *SIZES, *SHORT), "export")
    model = load_model_directory(tmp_path / "run" / "model")
    assert model.tokenizer.files == loaded.tokenizer.files
    assert model.card["training"]["base"] == {"name": "first", "training": {"target_tokens": 7}}
    state, _ = load_latest(tmp_path / "run" / "checkpoints")
    assert state is not None
    moved = state.model["embedding.weight"] - loaded.model.state_dict()["embedding.weight"]
    assert 0 < moved.abs().max() < 0.05, "two steps from the base, not from random weights"


def test_other_sizes_are_refused_before_any_work(tmp_path: Path, base: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.d_ff: .*base has 64, the recipe 128"):
        toy_run(tmp_path, f"base='{base}'", *SIZES, "model.d_ff=128")


def test_another_vocabulary_is_refused_before_any_work(tmp_path: Path, base: Path) -> None:
    others = ("subwords.vocab_size=400", "subwords.placeholders=8", "subwords.algorithm=bpe")
    with pytest.raises(ConfigError) as caught:
        toy_run(tmp_path, f"base='{base}'", *SIZES, *others)
    own = f"the vocabulary is that of {base}"
    assert sorted(caught.value.problems) == [
        f"subwords.algorithm: {own}",
        f"subwords.placeholders: {own}, which has 0, the recipe 8; leave it out",
        f"subwords.vocab_size: {own}, which has 330, the recipe 400; leave it out",
    ]


def test_the_search_is_that_of_the_base_but_for_what_the_recipe_says(
    tmp_path: Path, loaded: LoadedModel
) -> None:
    own = DecodingOptions(beam_size=7, alpha=0.3, search_again=False)
    description, weights = replace(loaded.description, decoding=own), loaded.model.state_dict()
    save_model_directory(tmp_path / "base", description, loaded.tokenizer, weights, {})
    recipe = toy_recipe(tmp_path, f"base='{tmp_path / 'base'}'", *SIZES)
    assert recipe.decoding == replace(own, beam_size=2), "the toy recipe has a beam of 2"
    recipe = toy_recipe(tmp_path, f"base='{tmp_path / 'base'}'", *SIZES, "decoding.alpha=1.0")
    assert recipe.decoding == replace(own, beam_size=2, alpha=1.0)


def test_a_base_without_placeholders_cannot_learn_marks(tmp_path: Path, base: Path) -> None:
    run = toy_run(tmp_path, f"base='{base}'", *SIZES, *SHORT, "subwords.marked_share=0.1")
    with pytest.raises(StageError, match=r"marked_share: takes two placeholders, there are 0"):
        run.run()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (("base_share=0.5",), "has a base"),
        (("base='{base}'", "base_share=1.0"), r"in \[0, 1\)"),
    ],
)
def test_changes_that_cannot_be_made(
    tmp_path: Path, base: Path, settings: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        toy_recipe(tmp_path, *(setting.format(base=base) for setting in settings))


def test_the_base_has_its_share_in_what_is_exported(
    tmp_path: Path, base: Path, loaded: LoadedModel
) -> None:
    faster = "training.learning_rate=0.1", "training.warmup_steps=1", "base_share=0.25"
    run_until(toy_run(tmp_path, f"base='{base}'", *SIZES, *SHORT, *faster), "export")
    state, _ = load_latest(tmp_path / "run" / "checkpoints")
    assert state is not None
    name = "encoder_layers.0.feed_forward.inner_proj.weight"
    first = load_model_directory(base).model.state_dict()[name]
    expected = 0.75 * state.weights[name] + 0.25 * first
    found = load_model_directory(tmp_path / "run" / "model").model.state_dict()[name]
    torch.testing.assert_close(found, expected, atol=1e-3, rtol=1e-3)
    assert (found - state.weights[name]).abs().max() > 5 * (found - expected).abs().max()
