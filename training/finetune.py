"""Fine-tuning: a run that starts from a finished model instead of random weights."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from training.config import ArchitectureConfig
from training.recipe import Recipe
from translator.checkpoint import load_model_directory
from translator.config import ModelConfig
from translator.errors import ConfigError
from translator.model.transformer import Transformer, make_model

DROPOUTS = ("dropout", "attention_dropout", "activation_dropout")


def start_from(recipe: Recipe) -> Transformer:
    """Return the model of `recipe.base`, with the dropouts of the recipe.

    Raises:
        ModelDirectoryError: it cannot be loaded.
        ConfigError: the recipe's `model` section asks for other sizes.
    """
    base = load_model_directory(Path(recipe.base), "cpu")
    config = base.description.model
    if recipe.model != ArchitectureConfig():
        config = _with_dropouts(recipe, config)
    model = make_model(config)
    model.load_state_dict(base.model.state_dict())
    return model


def _with_dropouts(recipe: Recipe, config: ModelConfig) -> ModelConfig:
    wanted = dataclasses.asdict(recipe.model)
    problems = [
        f"model.{name}: {recipe.base} has {getattr(config, name)}, the recipe {value}; leave the "
        "sizes out, they come from the base"
        for name, value in wanted.items()
        if name not in DROPOUTS and value not in (getattr(config, name), _default(name))
    ]
    if problems:
        raise ConfigError(problems, recipe.name)
    return dataclasses.replace(config, **{name: wanted[name] for name in DROPOUTS})


def _default(name: str) -> object:
    return getattr(ArchitectureConfig(), name)
