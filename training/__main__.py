"""`python -m training`: raw parallel text in, a model directory out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from training.corpus import CleaningReport, read_pairs
from training.evaluate import compare, score
from training.recipe import load_recipe
from training.stages import Run
from translator.errors import InputError, TranslatorError
from translator.pipeline import Translator

STAGES = {
    "prepare": "find or download the corpora and clean them",
    "subwords": "learn the vocabulary and encode the text",
    "train": "train, or continue training",
    "average": "average the last checkpoints",
    "export": "write the model directory",
}


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "evaluate":
            _evaluate(options)
        else:
            _run(options)
    except TranslatorError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="do every stage of a recipe that is not done yet")
    _add_run_arguments(run)
    for name, purpose in STAGES.items():
        _add_run_arguments(commands.add_parser(name, help=purpose))
    evaluate = commands.add_parser("evaluate", help="score a model directory on any text")
    evaluate.add_argument("model", type=Path, help="model directory")
    evaluate.add_argument(
        "--src", type=Path, required=True, help="source text, one sentence a line"
    )
    evaluate.add_argument("--ref", type=Path, required=True, help="reference translations")
    evaluate.add_argument("--source", help="source language; by default the suffix of --src")
    evaluate.add_argument("--target", help="target language; by default the suffix of --ref")
    evaluate.add_argument("--hyp", type=Path, help="write the translations to this file")
    evaluate.add_argument("--compare", type=Path, help="baseline: a model directory or a text file")
    evaluate.add_argument("--device", default=_default_device())
    return parser


def _add_run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("recipe", type=Path, help="a TOML file, as in training/recipes/")
    parser.add_argument("--data", type=Path, help="folder with the corpora; others are downloaded")
    parser.add_argument("--out", type=Path, help="folder of the run; runs/NAME by default")
    parser.add_argument("--device", default=_default_device())
    parser.add_argument(
        "--set", action="append", default=[], metavar="SECTION.KEY=VALUE", help="override a setting"
    )


def _default_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _run(options: argparse.Namespace) -> None:
    recipe = load_recipe(options.recipe, options.set)
    text = options.recipe.read_text(encoding="utf-8")
    if options.set:
        text += "\n# overrides: " + " ".join(options.set) + "\n"
    out = options.out or Path("runs") / recipe.name
    run = Run(recipe, text, out, options.data, options.device)
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
        options.hyp.write_text("".join(text + "\n" for text in hypotheses), encoding="utf-8")
    print(score(hypotheses, references, target))
    if options.compare:
        if options.compare.is_dir():
            baseline = translate(options.compare)
        else:
            baseline = options.compare.read_text(encoding="utf-8").split("\n")[:-1]
        print(compare(baseline, hypotheses, references))


if __name__ == "__main__":
    sys.exit(main())
