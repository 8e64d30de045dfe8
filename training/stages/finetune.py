"""Fine-tuning: a run that starts from a finished model instead of random weights."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from training.recipe import Recipe, settings_of
from translator.config import ModelConfig
from translator.errors import ConfigError
from translator.model.transformer import Transformer, make_model
from translator.store.model_directory import load_model_directory
from translator.tokens.port import Vocabulary

DROPOUTS = ("dropout", "attention_dropout", "activation_dropout")


def start_from(recipe: Recipe) -> Transformer:
    """Return the model of `recipe.base`, with the dropouts of the recipe."""
    base = load_model_directory(Path(recipe.base), "cpu")
    model = make_model(_with_dropouts(recipe, base.description.model))
    model.load_state_dict(base.model.state_dict())
    return model


def model_problems(recipe: Recipe) -> list[str]:
    """Return one sentence for each reason why the base cannot be used, before any work.

    Raises:
        ModelDirectoryError: the base is damaged.
    """
    if not recipe.base:
        return []
    if not Path(recipe.base).is_dir():
        return [f"base: no such model directory: {recipe.base}"]
    base = load_model_directory(Path(recipe.base), "cpu")
    problems = _vocabulary_problems(recipe, base.tokenizer)
    try:
        _with_dropouts(recipe, base.description.model)
    except ConfigError as error:
        problems += error.problems
    return problems


def _vocabulary_problems(recipe: Recipe, vocabulary: Vocabulary) -> list[str]:
    """Return one sentence per setting of the vocabulary that is not that of the base."""
    base_settings = {
        "vocab_size": vocabulary.vocab_size,
        "placeholders": vocabulary.num_placeholders,
    }
    return [
        f"subwords.{name}: the vocabulary is that of {recipe.base}"
        + (
            f", which has {base_settings[name]}, the recipe {value}; leave it out"
            if name in base_settings
            else ""
        )
        for name, value in settings_of(recipe.subwords).items()
        if name != "marked_share" and value != base_settings.get(name)
    ]


def base_facts(base: str) -> dict[str, Any]:
    """Return what the card of a model says of the one it started from: name, commit, training."""
    card = load_model_directory(Path(base), "cpu").card
    return {key: card[key] for key in ("name", "commit", "training") if key in card}


def _with_dropouts(recipe: Recipe, config: ModelConfig) -> ModelConfig:
    problems = [
        f"model.{name}: {recipe.base} has {getattr(config, name)}, the recipe {value}; leave the "
        "sizes out, they come from the base"
        for name, value in recipe.model.given.items()
        if name not in DROPOUTS and value != getattr(config, name)
    ]
    if problems:
        raise ConfigError(problems, recipe.name)
    dropouts = {name: value for name, value in recipe.model.given.items() if name in DROPOUTS}
    return dataclasses.replace(config, **dropouts)
