"""From a finished run to a model directory, with a card that says how it came about."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.data.corpus import TRAIN, Catalogue
from training.loop.state import TrainState
from training.recipe import Recipe
from training.report.record import RunLog
from training.stages.finetune import base_facts, start_from
from training.stages.folder import commit, told_sittings, versions
from training.stages.preparation import Preparation
from translator.config import ModelConfig, ModelDescription
from translator.model.reference import Reference
from translator.model.transformer import Transformer, make_model
from translator.model.weights import weights_of
from translator.store.model_directory import LoadedModel
from translator.tokens.tokenizer import Tokenizer


def fresh_model(recipe: Recipe, tokenizer: Tokenizer) -> Transformer:
    """Return the model of a recipe as it is before training."""
    torch.manual_seed(recipe.seed)
    if recipe.base:
        return start_from(recipe)
    return make_model(recipe.model.with_vocabulary(tokenizer.vocab_size, tokenizer.pad_id))


def loaded_model(
    recipe: Recipe,
    text: Preparation,
    weights: Mapping[str, Tensor],
    device: str,
    in_int8: bool = False,
) -> LoadedModel:
    """Return weights of a run as they will be served.

    Args:
        recipe: of the run.
        text: gives the vocabulary.
        weights: of the model.
        device: it is put there.
        in_int8: round the matrices to 8 bits first.
    """
    tokenizer = text.tokenizer
    model = fresh_model(recipe, tokenizer)
    model.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
    description = describe(recipe, model.config, text.familiar_length())
    if in_int8:
        rounded = weights_of(model).rounded()
        reference = Reference(lambda: rounded, device)
    else:
        reference = Reference.of(model.to(device).eval())
    return LoadedModel(description, tokenizer, reference, {})


def describe(recipe: Recipe, model: ModelConfig, max_source_ids: int) -> ModelDescription:
    """Return what a model directory says of itself.

    Args:
        recipe: gives languages, directions and decoding defaults.
        model: sizes, the vocabulary's included.
        max_source_ids: longest source that training has made familiar.
    """
    return ModelDescription(
        model=model,
        languages=recipe.data.languages,
        directions=recipe.data.directions,
        max_source_ids=max_source_ids,
        decoding=recipe.decoding,
        weights=recipe.export.weights,
        formality=recipe.data.formality_targets,
    )


def unlike_scores(scores: Mapping[str, Any], weights: str) -> str:
    """Return one line for the user if scores are of weights stored otherwise; else nothing."""
    others = {part.get("weights", "floats") for part in scores.values()} - {weights}
    if not others:
        return ""
    return (
        f"the card's scores are of weights in {others.pop()}, and {weights} is stored: `run` with "
        f"--weights {weights} scores again"
    )


def training_facts(
    state: TrainState, metric: str, weights: Mapping[str, Tensor], device: str
) -> dict[str, Any]:
    """Return what a card says of the training; `metric` is that of the learning curve."""
    return {
        "steps": state.step,
        "epochs": state.epoch + 1,
        "target_tokens": state.target_tokens,
        "hours": round(state.train_seconds / 3600, 2),
        "threads": torch.get_num_threads(),
        "device": device,
        "parameters": sum(tensor.numel() for tensor in weights.values()),
        f"dev_{metric}": {str(step): round(of, 2) for step, of in state.dev_scores.items()},
    }


def absurd_loss(log: RunLog, vocab_size: int) -> str:
    """Return one line for whoever uses a model that has learned nothing; else nothing.

    A model that holds all pieces for equally likely has the loss ln V.

    Args:
        log: the course of its training.
        vocab_size: V.
    """
    checkpoints = log.of_kind("dev")
    loss = checkpoints[-1].values.get("loss", math.nan) if checkpoints else 0.0
    if loss < math.log(vocab_size):
        return ""
    return (
        f"warning: this model has learned nothing: its loss on the development set is {loss:,.1f}, "
        f"and guessing has {math.log(vocab_size):.1f}; train longer, or anew with a lower "
        "training.learning_rate"
    )


def run_facts(
    folder: Path, recipe: Recipe, state: TrainState, weights: Mapping[str, Tensor], device: str
) -> dict[str, Any]:
    """Return what a card says of a run: its training, its sittings, and where it came from."""
    facts = training_facts(state, recipe.training.dev_metric, weights, device)
    facts["sittings"] = told_sittings(folder)
    if recipe.base:
        facts["base"] = base_facts(recipe.base)
    return facts


def cleaning_facts(report: Path) -> dict[str, dict[str, Any]]:
    """Return what a card says of the cleaning: pairs read, kept and dropped of each corpus."""
    parts = json.loads(report.read_text(encoding="utf-8"))
    return {
        name: {key: part[key] for key in ("num_read", "num_kept", "dropped")}
        for name, part in parts.items()
        if part["dropped"]
    }


def model_card(
    recipe: Recipe,
    recipe_text: str,
    catalogue: Catalogue,
    cleaning: Mapping[str, Any],
    training: Mapping[str, Any],
    scores: Mapping[str, Any],
    warning: str = "",
) -> dict[str, Any]:
    """Return the contents of `card.json`.

    Args:
        recipe: what was run.
        recipe_text: the recipe file as it was.
        catalogue: gives licences and hashes of the data (plain text, as read).
        cleaning: see `cleaning_facts`.
        training: see `training_facts`.
        scores: by test set and direction, with signatures.
        warning: what users must know first, if anything.
    """
    data = {}
    for name in recipe.data.corpora:
        corpus = catalogue.corpora[name]
        data[name] = {
            "description": corpus.description,
            "licence": corpus.licence,
            "homepage": corpus.homepage,
            "sha256": {
                language: file.sha256
                for language, file in corpus.files[TRAIN].items()
                if language in recipe.data.languages
            },
        }
    return {
        **({"warning": warning} if warning else {}),
        **({"licence": recipe.licence} if recipe.licence else {}),
        "name": recipe.name,
        "languages": recipe.data.languages,
        "directions": recipe.data.directions,
        "data": data,
        "cleaning": dict(cleaning),
        "training": dict(training),
        "scores": dict(scores),
        "recipe": recipe_text,
        "commit": commit(),
        "versions": versions(),
    }
