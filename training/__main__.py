"""`python -m training`: raw parallel text in, a model directory out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from training import report
from training.data import cleaning
from training.data.corpus import CleaningReport, load_catalogue, read_pairs
from training.recipe import load_recipe, recipe_text
from training.stages import synthetic
from training.stages.evaluation import compare, score, write_lines
from training.stages.run import Run
from translator.commands import run_command
from translator.errors import InputError
from translator.translate.translator import Translator

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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    _add_stage(commands, "run", "do every stage of a recipe that is not done yet")
    for name, purpose in STAGES.items():
        _add_stage(commands, name, purpose)
    _add_evaluate(commands)
    cleaning.add_command(commands)
    synthetic.add_command(commands)
    report.add_command(commands)
    return parser


def _add_stage(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, purpose: str
) -> None:
    parser = commands.add_parser(name, help=purpose)
    parser.add_argument("recipe", type=Path, help="a TOML file, as in training/recipes/")
    parser.add_argument("--data", type=Path, help="folder with the corpora; others are downloaded")
    parser.add_argument("--catalogue", type=Path, help="corpora of your own; see corpora.toml")
    parser.add_argument("--out", type=Path, help="folder of the run; runs/NAME by default")
    parser.add_argument("--device", default=_default_device())
    parser.add_argument(
        "--set", action="append", default=[], metavar="SECTION.KEY=VALUE", help="override a setting"
    )
    parser.add_argument(
        "--time-budget", metavar="25m", help="train for so long: training.time_budget"
    )
    parser.set_defaults(execute=_run)


def _add_evaluate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("evaluate", help="score a model directory on any text")
    parser.add_argument("model", type=Path, help="model directory")
    parser.add_argument("--src", type=Path, required=True, help="source text, one sentence a line")
    parser.add_argument("--ref", type=Path, required=True, help="reference translations")
    parser.add_argument("--source", help="source language; by default the suffix of --src")
    parser.add_argument("--target", help="target language; by default the suffix of --ref")
    parser.add_argument("--hyp", type=Path, help="write the translations to this file")
    parser.add_argument("--compare", type=Path, help="baseline: a model directory or a text file")
    parser.add_argument("--device", default=_default_device())
    parser.set_defaults(execute=_evaluate)


def _default_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _run(options: argparse.Namespace) -> None:
    overrides = list(options.set)
    if options.time_budget:
        overrides.append(f"training.time_budget={options.time_budget}")
    recipe = load_recipe(options.recipe, overrides)
    text = recipe_text(options.recipe)
    if overrides:
        text += "\n# overrides: " + " ".join(overrides) + "\n"
    out = options.out or Path("runs") / recipe.name
    catalogue = load_catalogue(options.catalogue) if options.catalogue else None
    run = Run(recipe, text, out, options.data, options.device, catalogue)
    run.run(only=None if options.command == "run" else options.command)


def _evaluate(options: argparse.Namespace) -> None:
    source = options.source or options.src.suffix[1:]
    target = options.target or options.ref.suffix[1:]
    report = CleaningReport()
    for path in (options.src, options.ref):
        if not path.is_file():
            raise InputError(f"{path}: no such file")
    pairs = list(read_pairs(options.src, options.ref, report))
    if report.dropped:
        raise InputError(f"{options.src}, {options.ref}: contain lines that are not UTF-8")
    sources, references = [p.source for p in pairs], [p.target for p in pairs]

    def translate(directory: Path) -> list[str]:
        with Translator.load(directory, device=options.device) as translator:
            print(f"{directory}: {translator.description.decoding}")
            answers = translator.translate(sources, source=source, target=target)
        return [answer.text for answer in answers]

    hypotheses = translate(options.model)
    if options.hyp:
        write_lines(options.hyp, hypotheses)
    print(score(hypotheses, references, target))
    if options.compare:
        if options.compare.is_dir():
            baseline = translate(options.compare)
        else:
            baseline = options.compare.read_text(encoding="utf-8").split("\n")[:-1]
        print(compare(baseline, hypotheses, references))


if __name__ == "__main__":
    sys.exit(main())
