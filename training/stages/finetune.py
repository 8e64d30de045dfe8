"""Fine-tuning: a run that starts from a finished model instead of random weights."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from torch import nn

from training.recipe import Recipe, settings_of
from translator.config import ModelConfig
from translator.errors import ConfigError
from translator.model.transformer import Transformer, make_model
from translator.store.model_directory import load_model_directory
from translator.tokens.port import Vocabulary

DROPOUTS = ("dropout", "attention_dropout", "activation_dropout")


def start_from(recipe: Recipe) -> Transformer:
    """Return the model of `recipe.base`, with the dropouts of the recipe and its extra layers.

    Extra layers change nothing at first: `spread` says how.

    Raises:
        ModelDirectoryError: it cannot be loaded.
        ConfigError: the recipe's `model` section asks for other sizes, or extra layers of a
            post-norm base.
    """
    base = load_model_directory(Path(recipe.base), "cpu")
    model = make_model(_grown(recipe, base.description.model))
    spread(base.model.encoder_layers, model.encoder_layers)
    spread(base.model.decoder_layers, model.decoder_layers)
    for name, part in base.model.named_children():
        if not isinstance(part, nn.ModuleList):
            model.get_submodule(name).load_state_dict(part.state_dict())
    return model


def _grown(recipe: Recipe, config: ModelConfig) -> ModelConfig:
    """Return the base's configuration with the dropouts of the recipe and its extra layers."""
    config = _with_dropouts(recipe, config)
    if config.norm != "pre" and (recipe.extra_encoder_layers or recipe.extra_decoder_layers):
        raise ConfigError(["extra layers: only a pre-norm base can be made deeper"], recipe.name)
    return dataclasses.replace(
        config,
        num_encoder_layers=config.num_encoder_layers + recipe.extra_encoder_layers,
        num_decoder_layers=config.num_decoder_layers + recipe.extra_decoder_layers,
    )


def model_problems(recipe: Recipe) -> list[str]:
    """Return one sentence per model that the recipe names and cannot use, before any work.

    Raises:
        ModelDirectoryError: the base is damaged.
    """
    named = {
        "base": [recipe.base] if recipe.base else [],
        "cleaning.model": [recipe.cleaning.model] if recipe.cleaning.model else [],
        "compare_with": recipe.compare_with,
    }
    found = [
        f"{key}: no such model directory: {path}"
        for key, paths in named.items()
        for path in paths
        if not Path(path).is_dir()
    ]
    if recipe.base and Path(recipe.base).is_dir():
        base = load_model_directory(Path(recipe.base), "cpu")
        found += _vocabulary_problems(recipe, base.tokenizer)
        try:
            _grown(recipe, base.description.model)
        except ConfigError as error:
            found += error.problems
    return found


def _vocabulary_problems(recipe: Recipe, vocabulary: Vocabulary) -> list[str]:
    """Return one sentence per setting of the vocabulary that is not that of the base."""
    own = {"vocab_size": vocabulary.vocab_size, "placeholders": vocabulary.num_placeholders}
    return [
        f"subwords.{name}: the vocabulary is that of {recipe.base}"
        + (f", which has {own[name]}, the recipe {value}; leave it out" if name in own else "")
        for name, value in settings_of(recipe.subwords).items()
        if name != "marked_share" and value != own.get(name)
    ]


def base_facts(base: str) -> dict[str, Any]:
    """Return what the card of a model says of the one it started from: name, commit, training."""
    card = load_model_directory(Path(base), "cpu").card
    return {key: card[key] for key in ("name", "commit", "training") if key in card}


def spread(old: nn.ModuleList, new: nn.ModuleList) -> None:
    """Fill `new` pre-norm layers from `old` ones, of which there are no more, without any effect.

    The new layers are each old layer and copies of it in turn. The last projections of a copy are
    zero, so at first it adds nothing to the residual stream.

    Source: Gong et al. 2019 (stacking); Chen et al. 2016, §2.3 (deeper without a change).
    """
    previous = -1
    for place, layer in enumerate(new):
        origin = place * len(old) // len(new)
        layer.load_state_dict(old[origin].state_dict())
        if origin == previous:
            for name, parameter in layer.named_parameters():
                if "out_proj." in name:
                    nn.init.zeros_(parameter)
        previous = origin


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
