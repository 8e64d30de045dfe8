"""`python -m translator`: translate, draw attention, convert a model, measure the engine."""

from __future__ import annotations

import argparse
from pathlib import Path

from translator.benchmark.report import Measurement, run_benchmark
from translator.benchmark.subject import DEFAULT_FORMS, FORMS, TRAINED
from translator.cli.info import add_info
from translator.cli.models import add_models
from translator.cli.translate import add_model_arguments, add_translate, languages_of, load
from translator.commands import CommandParser, run_command, utf8
from translator.errors import InputError
from translator.runtime.ctranslate2 import convert, require_ctranslate2
from translator.store.model_directory import TOKENIZER, load_model_directory
from translator.translate.attention.pictures import draw
from translator.translate.attention.record import KINDS
from translator.translate.translator import DEFAULT_MODEL


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its exit code."""
    return run_command(_parser(), arguments)


def _parser() -> CommandParser:
    parser = CommandParser(prog="python -m translator", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    add_translate(commands.add_parser("translate", help="translate a text, a file or a pipe"))
    _add_attention(commands.add_parser("attention", help="draw what the model attends to"))
    _add_convert(commands.add_parser("convert", help="write the model for another system"))
    add_models(commands.add_parser("models", help="list, check, add and remove models in a folder"))
    add_info(commands.add_parser("info", help="say how this machine translates, and how fast"))
    _add_benchmark(commands.add_parser("benchmark", help="compare the engine with CTranslate2"))
    return parser


def _add_attention(parser: argparse.ArgumentParser) -> None:
    add_model_arguments(parser)
    parser.add_argument("text", nargs="+", type=utf8, help="one sentence to translate")
    parser.add_argument(
        "--target-text", type=utf8, help="its translation; the model's own by default"
    )
    parser.add_argument("--output", type=Path, required=True, help="a .png, .svg or .pdf file")
    parser.add_argument("--kind", choices=KINDS, action="append", help="default: all three")
    parser.add_argument("--layer", type=int, help="from 1; the last by default")
    parser.add_argument("--head", type=int, help="from 1; the mean of all by default")
    parser.set_defaults(execute=_attention)


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, help="model directory")
    parser.add_argument("--format", choices=["ctranslate2"], required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder to make")
    parser.add_argument(
        "--quantization", help="int8, int16, float16, bfloat16, int8_float32 …; float32 by default"
    )
    parser.set_defaults(execute=_convert)


def _add_benchmark(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, nargs="?", default=DEFAULT_MODEL)
    parser.add_argument("--input", type=Path, required=True, help="sentences, one a line")
    parser.add_argument("--from", dest="source_language", default="de", help="of --input")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument(
        "--form",
        nargs="+",
        default=list(DEFAULT_FORMS),
        help=f"models to measure: {TRAINED}, or random weights of the sizes {', '.join(FORMS)}",
    )
    parser.add_argument("--quick", action="store_true", help="fewer sentences and repeats")
    parser.add_argument("--unit", help="hold both engines to a vector unit, such as avx2")
    parser.set_defaults(execute=_benchmark)


def _convert(options: argparse.Namespace) -> None:
    convert(load_model_directory(options.model), options.out, options.quantization)
    print(f"{options.out}: a CTranslate2 model, with {TOKENIZER} beside it")


def _benchmark(options: argparse.Namespace) -> None:
    require_ctranslate2()
    wanted = Measurement(
        model=options.model,
        source=options.input,
        language=options.source_language,
        forms=tuple(options.form),
        quick=options.quick,
        unit=options.unit,
    )
    run_benchmark(wanted, options.threads)


def _attention(options: argparse.Namespace) -> None:
    text, translation = " ".join(options.text), options.target_text
    if not text.strip():
        raise InputError("the text is empty; give a sentence to translate")
    with load(options) as translator:
        source, target = languages_of(options, translator)
        if translation is None:
            [answer] = translator.translate([text], source=source, target=target)
            translation = answer.text
        draw(
            translator.model,
            translator.tokenizer,
            source=text,
            target=translation,
            target_language=target,
            out=options.output,
            kinds=tuple(options.kind or KINDS),
            layer=options.layer,
            head=options.head,
        )
    print(f"{options.output}: {text} → {translation}")
