"""From a run to a model directory, with a card that says how it came about; and from a base."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.data.corpus import TRAIN, Catalogue
from training.loop.state import TrainState, chosen_checkpoint
from training.recipe import Recipe, settings_of
from training.report.record import RunLog
from training.stages.folder import commit, last_sitting, recipe_of, sitting_facts, versions
from training.stages.preparation import Preparation, kept_catalogue
from translator.commands import Commands
from translator.config import ModelConfig, ModelDescription
from translator.errors import ConfigError, TranslatorError
from translator.model.reference import Reference
from translator.model.transformer import Transformer, make_model
from translator.model.weights import weights_of
from translator.store.model_directory import LoadedModel, load_model_directory, save_model_directory
from translator.tokens.port import Vocabulary
from translator.tokens.tokenizer import Tokenizer

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
    """Return weights of a run as they will be served."""
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
    """Return what a model directory says of itself."""
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


def absurd_loss(log: RunLog, vocab_size: int) -> str:
    """Return one line for whoever uses a model that has learned nothing; else nothing.

    A model that holds all pieces for equally likely has the loss ln V.
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
    curve = {str(step): round(score, 2) for step, score in state.dev_scores.items()}
    facts = {
        "steps": state.step,
        "epochs": state.epoch + 1,
        "target_tokens": state.target_tokens,
        "hours": round(state.train_seconds / 3600, 2),
        "threads": torch.get_num_threads(),
        "device": device,
        "parameters": sum(tensor.numel() for tensor in weights.values()),
        f"dev_{recipe.training.dev_metric}": curve,
        "sittings": sitting_facts(folder),
    }
    if recipe.base:
        card = load_model_directory(Path(recipe.base), "cpu").card
        facts["base"] = {key: card[key] for key in ("name", "commit", "training") if key in card}
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
    """Return the contents of `card.json`."""
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


class SnapshotError(TranslatorError):
    """There is no such run."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A checkpoint of a run, which may go on training, with what its model needs.

    The run is only read.

    Attributes:
        recipe: of the last sitting.
        device: that the run was trained on.
    """

    folder: Path
    recipe: Recipe
    text: Preparation
    state: TrainState
    device: str

    @classmethod
    def of(cls, folder: Path, step: int | None = None) -> Snapshot:
        """Read a checkpoint of the run in `folder`: the newest, or that of a step.

        Raises:
            SnapshotError: that is not a run that has been trained.
            StageError: an earlier version prepared the text.
            CheckpointError: there is no such checkpoint, or it is damaged.
        """
        sitting = last_sitting(folder)
        if sitting is None:
            raise SnapshotError(f"{folder}: not the folder of a run that has been trained")
        recipe = recipe_of(sitting, str(folder))
        text = Preparation(recipe, folder / "data", None, kept_catalogue(folder / "data"))
        state = chosen_checkpoint(folder / "checkpoints", step)
        return cls(folder, recipe, text, state, str(sitting["device"]))

    def save(
        self,
        out: Path,
        averaged: Mapping[str, Tensor] | None = None,
        scores: Mapping[str, Any] | None = None,
        warning: str = "",
    ) -> None:
        """Write a model directory.

        The weights are those of a finished run, `averaged`; if None, those of the checkpoint, where
        the moving average comes first, and the card names the step. The card has the scores, by
        test set and direction, and a warning that users must know first, if anything.
        """
        weights = averaged or self.state.weights
        facts = run_facts(self.folder, self.recipe, self.state, weights, self.device)
        cleaning = cleaning_facts(self.folder / "data" / "report.json")
        recipe_text = (self.folder / "recipe.toml").read_text(encoding="utf-8")
        parts = (self.text.catalogue, cleaning, facts, scores or {}, warning)
        card = model_card(self.recipe, recipe_text, *parts)
        if averaged is None:
            card["checkpoint"] = self.state.step
        tokenizer = self.text.tokenizer
        model = fresh_model(self.recipe, tokenizer).config
        description = describe(self.recipe, model, self.text.familiar_length())
        save_model_directory(out, description, tokenizer, weights, card)


def add_command(commands: Commands) -> None:
    """Add `snapshot RUN` to the commands of `python -m training`."""
    parser = commands.add_parser(
        "snapshot", help="write a model directory from a checkpoint of a run, also while it trains"
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of the run")
    parser.add_argument("--out", type=Path, required=True, help="model directory to write")
    parser.add_argument("--step", type=int, help="step of the checkpoint; the newest by default")
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    snapshot = Snapshot.of(options.run, options.step)
    snapshot.save(options.out)
    print(f"wrote {options.out}: the model of {options.run} at step {snapshot.state.step}")
