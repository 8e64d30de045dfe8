"""A branch: a milestone model from a run of schedule `wsd`, while that run, the trunk, goes on.

    BRANCH/recipe.toml       the trunk's recipe with a rate that falls to zero, complete
    BRANCH/branch.json       which run, step and checkpoint the branch comes from
    BRANCH/data/, downloads/ the trunk's text and vocabulary
    BRANCH/checkpoints/      the trunk's checkpoint, and its log up to there

Large files are hard links, so a branch takes little space. The trunk is only read. It may go on,
make other branches, or be deleted.

Source: Hu et al. 2024, §4 (warm-up, stable, decay); Hägele et al. 2024 (decay from any checkpoint).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.commands import Commands, add_settings
from training.data.source_files import read_record, text_fingerprint
from training.loop.schedule import learning_rate
from training.loop.state import CHECKSUM, STATE, TrainState, checkpoint_path, chosen_checkpoint
from training.recipe import Recipe, as_toml, read_recipe, settings_of
from training.stages.markers import claim, fingerprint_of
from training.stages.provenance import last_sitting
from translator.durable import new_folder, write_durably
from translator.errors import TranslatorError

FACTS = "branch.json"


class BranchError(TranslatorError):
    """A branch cannot be made."""


def add_command(commands: Commands) -> None:
    """Add `branch RUN` to the commands of `python -m training`."""
    parser = commands.add_parser(
        "branch", help="copy a wsd run, and let the learning rate of the copy fall to zero"
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of the run")
    parser.add_argument("--out", type=Path, required=True, metavar="BRANCH", help="folder to make")
    parser.add_argument(
        "--decay-share",
        type=float,
        default=0.2,
        help="last part of the steps, in which the rate falls; 0.2 by default",
    )
    parser.add_argument(
        "--step", type=int, help="step of the checkpoint to begin with; the newest by default"
    )
    add_settings(parser)
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    facts = make_branch(options.run, options.out, options.decay_share, options.step, options.set)
    recipe = options.out / "recipe.toml"
    print(
        f"{options.out}: branch of {facts['of']} at step {facts['step']}; its rate falls to zero "
        f"at step {facts['max_steps']}. To train, score and export it:\n"
        f"python -m training run {recipe} --out {options.out}\n"
        "with --data and --catalogue as for the trunk, if it has them"
    )


def make_branch(
    trunk: Path,
    out: Path,
    decay_share: float = 0.2,
    step: int | None = None,
    overrides: Sequence[str] = (),
) -> dict[str, Any]:
    """Make a run folder that continues `trunk` from a checkpoint, with a rate that falls to zero.

    Args:
        trunk: folder of a run of schedule `wsd`.
        out: folder to make.
        decay_share: of all steps that the branch will have seen, the share with a falling rate.
        step: of the checkpoint; the newest if None.
        overrides: `section.key=value` settings of the branch.

    Returns:
        what `branch.json` says.

    Raises:
        BranchError: `out` exists, `trunk` is no run of schedule `wsd`, or has let its rate fall at
            that step; or `overrides` change what the checkpoint depends on.
        CheckpointError: there is no such checkpoint, or it is damaged.
        ConfigError: `overrides` hold wrong keys or values.
    """
    if out.exists():
        raise BranchError(f"{out}: exists already; name another folder with --out")
    if not 0 < decay_share < 1:
        raise BranchError(f"--decay-share: must be between 0 and 1, got {decay_share}")
    sitting = _sitting(trunk)
    recipe = read_recipe(sitting["recipe"], (), str(trunk))
    checkpoint, state = chosen_checkpoint(trunk / "checkpoints", step)
    _refuse_fallen_rate(trunk, recipe, state)
    max_steps = max(round(state.step / (1 - decay_share)), state.step + 1)
    decay = {"schedule": "wsd", "decay_share": decay_share, "max_steps": max_steps}
    settings = _settings(recipe, {"name": out.name}, decay, overrides)
    facts = {
        "of": recipe.name,
        "folder": str(trunk),
        "step": state.step,
        "checkpoint_sha256": json.loads((checkpoint / CHECKSUM).read_bytes())[STATE],
        "commit": sitting.get("commit"),
        "decay_share": decay_share,
        "max_steps": max_steps,
    }
    with new_folder(out) as made:
        _fill(made, trunk, checkpoint, settings, facts)
    return facts


def _sitting(trunk: Path) -> dict[str, Any]:
    """Return the last sitting of a run of schedule `wsd`."""
    sitting = last_sitting(trunk)
    if sitting is None:
        raise BranchError(f"{trunk}: not the folder of a run that has been trained")
    schedule = sitting["recipe"]["training"]["schedule"]
    if schedule != "wsd":
        raise BranchError(
            f'{trunk}: its schedule is "{schedule}"; only a run of schedule "wsd", whose rate is '
            "constant until it falls, can have branches"
        )
    return sitting


def _refuse_fallen_rate(trunk: Path, recipe: Recipe, state: TrainState) -> None:
    config = recipe.training
    budget = config.time_budget_s
    spent = min(state.run_seconds / budget, 1.0) if budget else None
    if learning_rate(max(state.step, config.warmup_steps), config, spent) < config.learning_rate:
        raise BranchError(
            f"{trunk}: its rate is already falling at step {state.step}; choose an earlier "
            "checkpoint with --step"
        )


def _settings(
    trunk: Recipe, named: dict[str, Any], decay: dict[str, Any], overrides: Sequence[str]
) -> dict[str, Any]:
    """Return the branch's recipe as plain settings, those of its decay always among them."""
    settings = settings_of(trunk) | named
    ending = {"time_budget": "", "patience": 0}  # a branch ends when its rate is zero
    settings["training"] = settings["training"] | ending | decay
    recipe = read_recipe(settings, overrides, "branch")
    changed = [
        name
        for name in trunk.sections["checkpoints"]
        if trunk.fingerprint(name) != recipe.fingerprint(name)
    ]
    if any(getattr(recipe.training, key) != value for key, value in decay.items()):
        raise BranchError(f"--set: {', '.join(decay)} of a branch follow from --decay-share")
    if changed:
        raise BranchError(
            f"--set: changes {', '.join(changed)}, which the trunk's checkpoint depends on; a "
            "branch can have other settings of training, decoding, compare_with and name"
        )
    if problems := problems_of(recipe):
        raise BranchError("; ".join(problems))
    found = settings_of(recipe)
    return found | {"training": found["training"] | decay}


def problems_of(recipe: Recipe) -> list[str]:
    """Return one sentence per setting by which a branch would not end with a rate of zero."""
    config, found = recipe.training, []
    if config.schedule != "wsd" or not config.decay_share:
        found.append('training: the rate of a branch falls: set schedule = "wsd" and decay_share')
    if config.time_budget:
        found.append("training.time_budget: a branch ends by max_steps; leave it out")
    if config.patience:
        found.append("training.patience: a branch ends when its rate is zero; leave it out")
    return found


def _fill(
    out: Path, trunk: Path, checkpoint: Path, settings: dict[str, Any], facts: dict[str, Any]
) -> None:
    """Write everything that a branch begins with."""
    for name in ("data", "downloads"):
        _share(trunk / name, out / name)
    _share(checkpoint, checkpoint_path(out / "checkpoints", facts["step"]))
    recipe = read_recipe(settings, (), "branch")
    files = read_record(out / "data")
    text = text_fingerprint(files) if files else ""  # an earlier version prepared it
    claim(out / "checkpoints", fingerprint_of(recipe, "checkpoints", text))
    _copy_log(trunk / "checkpoints" / "log.jsonl", out / "checkpoints" / "log.jsonl", facts["step"])
    for stage in ("prepare", "subwords"):
        write_durably(out / f".{stage}.done", fingerprint_of(recipe, stage, text).encode())
    head = (
        f"# Branch of {facts['of']} at its step {facts['step']}, made by `python -m training "
        "branch`;\n# branch.json says more. Beyond that step the rate falls to zero.\n"
    )
    write_durably(out / "recipe.toml", (head + as_toml(settings)).encode())
    write_durably(out / FACTS, json.dumps(facts, indent=2).encode())


def _share(source: Path, target: Path) -> None:
    """Give `target` the files of a folder: hard links, or copies on another disk."""
    for path in sorted(source.rglob("*")):
        if not path.is_file() or path.suffix == ".tmp":
            continue
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(path.resolve(), place)
        except OSError:
            shutil.copyfile(path, place)


def _copy_log(source: Path, target: Path, last_step: int) -> None:
    """Copy the lines of a log up to a step; the trunk may be writing the last one."""
    kept = []
    for line in source.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
        try:
            step = json.loads(line)["step"]
        except (ValueError, KeyError, TypeError):
            continue
        if isinstance(step, int) and step <= last_step:
            kept.append(line)
    target.write_text("".join(kept), encoding="utf-8")


def branch_facts(folder: Path) -> dict[str, Any]:
    """Return what `branch.json` says of a run folder; empty if it is not a branch."""
    path = folder / FACTS
    if not path.is_file():
        return {}
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return facts
