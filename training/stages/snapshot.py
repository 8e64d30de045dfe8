"""A model from a checkpoint of a run, which may be training or have been interrupted.

The run is only read. What was trained last, the moving average if there is one, becomes the model:
no checkpoints are averaged.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.loop.state import TrainState, chosen_checkpoint
from training.recipe import Recipe
from training.stages.export import cleaning_facts, describe, fresh_model, model_card, run_facts
from training.stages.folder import last_sitting, recipe_of
from training.stages.preparation import Preparation, kept_catalogue
from translator.commands import Commands
from translator.errors import TranslatorError
from translator.store.model_directory import save_model_directory


class SnapshotError(TranslatorError):
    """There is no such run."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A checkpoint of a run, with what its model needs.

    Attributes:
        folder: of the run.
        recipe: of the last sitting.
        text: of the run.
        state: of the checkpoint.
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
        _, state = chosen_checkpoint(folder / "checkpoints", step)
        return cls(folder, recipe, text, state, str(sitting["device"]))

    def card(self) -> dict[str, Any]:
        """Return the card of the model; it has no scores, since the run has none yet."""
        state = self.state
        facts = run_facts(self.folder, self.recipe, state, state.weights, self.device)
        cleaning = cleaning_facts(self.folder / "data" / "report.json")
        catalogue, recipe_path = self.text.catalogue, self.folder / "recipe.toml"
        recipe_text = recipe_path.read_text(encoding="utf-8")
        card = model_card(self.recipe, recipe_text, catalogue, cleaning, facts, {})
        return card | {"checkpoint": state.step}

    def save(self, out: Path) -> None:
        """Write the model directory."""
        tokenizer = self.text.tokenizer
        model = fresh_model(self.recipe, tokenizer).config
        description = describe(self.recipe, model, self.text.familiar_length())
        save_model_directory(out, description, tokenizer, self.state.weights, self.card())


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
