"""`python -m training`: raw parallel text in, a model directory out."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from training.commands import add_device, add_settings, positive
from training.config import DURATION
from training.data import cleaning
from training.data.corpus import load_catalogue
from training.loop.distributed import train_in_processes
from training.recipe import load_recipe, recipe_path, recipe_text
from training.report import document
from training.stages import evaluate_command, export, synthetic
from training.stages.run import Run
from translator.commands import CommandParser, Commands, run_command
from translator.extras import require_extras
from translator.store.model_directory import check_device

STAGES = {
    "prepare": "find or download the corpora and clean them",
    "subwords": "learn the vocabulary and encode the text",
    "train": "train, or continue training",
    "average": "average the last checkpoints",
    "export": "write the model directory",
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its exit code."""
    return run_command(_parser(), arguments)


def _parser() -> CommandParser:
    parser = CommandParser(prog="python -m training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    _add_stage(commands, "run", "do every stage of a recipe that is not done yet")
    for name, purpose in STAGES.items():
        _add_stage(commands, name, purpose)
    for module in (evaluate_command, export, cleaning, synthetic, document):
        module.add_command(commands)
    return parser


def _add_stage(commands: Commands, name: str, purpose: str) -> None:
    parser = commands.add_parser(name, help=purpose)
    parser.add_argument(
        "recipe", type=recipe_path, help="a TOML file, or the name of one in training/recipes/"
    )
    parser.add_argument(
        "--data", type=Path, help="folder with the corpora; missing ones are downloaded"
    )
    parser.add_argument(
        "--catalogue", type=Path, help="list of your own corpora; see training/data/corpora.toml"
    )
    parser.add_argument("--out", type=Path, help="folder of the run; runs/NAME by default")
    add_device(parser)
    add_settings(parser)
    parser.add_argument(
        "--time-budget",
        type=_duration,
        metavar="25m",
        help="how long to train; sets training.time_budget",
    )
    if name in ("run", "export"):
        parser.add_argument(
            "--weights",
            choices=["floats", "int8"],
            help="how the model directory stores its weights; sets export.weights",
        )
    if name in ("run", "train"):
        parser.add_argument(
            "--processes",
            type=positive,
            default=1,
            help="processes that train together, one for each core or GPU",
        )
    parser.set_defaults(execute=_run, processes=1, weights=None)


def _duration(argument: str) -> str:
    if not DURATION.fullmatch(argument):
        raise argparse.ArgumentTypeError(f"must look like 25m or 1h30m, got {argument!r}")
    return argument


def _run(options: argparse.Namespace) -> None:
    require_extras()  # now, and not after hours of training
    check_device(options.device)
    overrides = list(options.set)
    if options.time_budget:
        overrides.append(f"training.time_budget={options.time_budget}")
    if options.weights:
        overrides.append(f"export.weights={options.weights}")
    recipe = load_recipe(options.recipe, overrides)
    text = recipe_text(options.recipe, overrides)
    out = options.out or Path("runs") / recipe.name
    catalogue = load_catalogue(options.catalogue) if options.catalogue else None
    run = Run(recipe, text, out, options.data, options.device, catalogue)
    train = None
    if options.processes > 1:
        train = partial(train_in_processes, options.processes, _train_arguments(options, overrides))
    run.run(only=None if options.command == "run" else options.command, train=train)


def _train_arguments(options: argparse.Namespace, overrides: list[str]) -> list[str]:
    command = ["train", str(options.recipe), "--device", options.device]
    for name in ("data", "catalogue", "out"):
        if (value := getattr(options, name)) is not None:
            command += [f"--{name}", str(value)]
    return command + [f"--set={override}" for override in overrides]
