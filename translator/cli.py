"""`python -m translator`: translate, draw attention, convert a model, measure the engine."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections import Counter
from pathlib import Path
from typing import get_args

from translator.benchmark.report import run_benchmark
from translator.commands import CommandParser, run_command, utf8
from translator.config import EngineName, Precision
from translator.errors import InputError, UnsupportedLanguageError
from translator.files import STANDARD, STANDARD_INPUT, count_lines, read_lines
from translator.store.ctranslate2 import convert, require_ctranslate2
from translator.store.model_directory import TOKENIZER, load_model_directory
from translator.translate.attention_maps import KINDS, draw
from translator.translate.degeneration import Flag
from translator.translate.streaming import (
    LINES_AT_ONCE,
    TranslateLines,
    lines_of,
    refuse_own_source,
    translate_file,
    translate_lines,
)
from translator.translate.translation import Translation
from translator.translate.translator import DEFAULT_MODEL, Translator

INTERACTIVE_LINES = 100  # at once, so that whoever writes into a pipe is answered soon


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its exit code."""
    return run_command(_parser(), arguments)


def _parser() -> CommandParser:
    parser = CommandParser(prog="python -m translator", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    _add_translate(commands.add_parser("translate", help="translate a text, a file or a pipe"))
    _add_attention(commands.add_parser("attention", help="draw what the model attends to"))
    _add_convert(commands.add_parser("convert", help="write the model for another system"))
    _add_benchmark(commands.add_parser("benchmark", help="compare the engine with CTranslate2"))
    return parser


def _add_translate(parser: argparse.ArgumentParser) -> None:
    _add_model_arguments(parser)
    parser.add_argument(
        "text", nargs="*", type=utf8, help="to translate; else the lines of --input"
    )
    parser.add_argument(
        "--input", default="-", help="file or pipe to read (.gz, .xz, .zst), - for standard input"
    )
    parser.add_argument(
        "--output", default="-", help="file to write (.gz, .xz, .zst), - for standard output"
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue an interrupted translation to --output"
    )
    parser.add_argument(
        "--beam-size", type=int, help="hypotheses kept at each step; the model's own by default"
    )
    parser.add_argument(
        "--threads", type=int, default=1, help="CPU threads; more translate a file faster"
    )
    parser.set_defaults(execute=_translate)


def _add_attention(parser: argparse.ArgumentParser) -> None:
    _add_model_arguments(parser)
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
    parser.add_argument("--quick", action="store_true", help="fewer sentences and repeats")
    parser.set_defaults(execute=_benchmark)


def _convert(options: argparse.Namespace) -> None:
    convert(load_model_directory(options.model), options.out, options.quantization)
    print(f"{options.out}: a CTranslate2 model, with {TOKENIZER} beside it")


def _benchmark(options: argparse.Namespace) -> None:
    require_ctranslate2()
    run_benchmark(
        options.model, options.input, options.source_language, options.threads, options.quick
    )


def _add_model_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL, help="model directory")
    parser.add_argument("--from", dest="source_language", metavar="LANGUAGE", help="such as de")
    parser.add_argument("--to", dest="target_language", metavar="LANGUAGE", help="such as en")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--engine", choices=get_args(EngineName), default="torch")
    parser.add_argument("--precision", choices=get_args(Precision), default="auto")


def _load(options: argparse.Namespace, threads: int = 1) -> Translator:
    return Translator.load(
        options.model,
        device=options.device,
        threads=threads,
        engine=options.engine,
        precision=options.precision,
    )


def _languages(options: argparse.Namespace, translator: Translator) -> tuple[str, str]:
    """Return source and target language: the first direction of the model that is as asked."""
    source, target = options.source_language, options.target_language
    for direction in translator.description.directions:
        first, second = direction.split("-")
        if source in (None, first) and target in (None, second):
            return first, second
    asked = {"--from": source, "--to": target}
    wrong = " ".join(f"{option} {code}" for option, code in asked.items() if code)
    known = ", ".join(translator.description.directions)
    raise UnsupportedLanguageError(f"{wrong}: this model translates {known}")


def _check_places(options: argparse.Namespace) -> None:
    """Refuse files that would never be read or written, and an output that replaces its input."""
    if options.text and (options.input != STANDARD or options.output != STANDARD):
        raise InputError(
            "a text on the command line goes to standard output: leave out --input and --output, "
            "or put the text into a file"
        )
    if options.resume and options.output == STANDARD:
        raise InputError("--resume: name the --output that is to be continued")
    if options.output == STANDARD and sys.stdout is None:
        raise InputError("standard output is closed; name an --output")
    if options.input != STANDARD and not Path(options.input).exists():
        raise InputError(f"{options.input}: no such file")
    if options.output != STANDARD:
        source = STANDARD_INPUT if options.input == STANDARD else Path(options.input)
        refuse_own_source(source, Path(options.output))
        if not (folder := Path(options.output).absolute().parent).is_dir():
            raise InputError(f"--output: no such folder: {folder}")


def _translate(options: argparse.Namespace) -> None:
    _check_places(options)
    if not options.text and options.input == STANDARD and sys.stdin and sys.stdin.isatty():
        print("type text, a line at a time; Ctrl-D ends it", file=sys.stderr)
    with _load(options, options.threads) as translator:
        source, target = _languages(options, translator)
        decoding = translator.description.decoding
        if options.beam_size is not None:
            decoding = dataclasses.replace(decoding, beam_size=options.beam_size)
        flags = Counter[Flag]()
        translate = _counted(lines_of(translator, source, target, decoding), flags)
        # a pipe can be read only once, so its lines are not counted; they may come one by one
        is_stream = options.input == STANDARD or not Path(options.input).is_file()
        if options.output != STANDARD:
            total = None if is_stream else count_lines(Path(options.input))
            translate_file(
                translate,
                read_lines(options.input),
                Path(options.output),
                total=total,
                resume=options.resume,
            )
        else:
            lines = [" ".join(options.text)] if options.text else read_lines(options.input)
            window = INTERACTIVE_LINES if is_stream else LINES_AT_ONCE
            for answer in translate_lines(translate, lines, window):
                print(answer.text, flush=True)
    if flags:
        print(
            f"{flags['retried']} lines had a sentence that ran in circles, was copied, or lost an "
            "address, a tag or the like; they were translated once more. "
            f"{flags['repetition']} still run in circles, {flags['copied']} are still copied, "
            f"and {flags['placeholders']} have what was lost at their end",
            file=sys.stderr,
        )


def _counted(translate: TranslateLines, flags: Counter[Flag]) -> TranslateLines:
    """Return a function that does the same as `translate` and counts the flags of its answers."""

    def translate_and_count(lines: list[str]) -> list[Translation]:
        answers = translate(lines)
        flags.update(flag for answer in answers for flag in answer.flags)
        return answers

    return translate_and_count


def _attention(options: argparse.Namespace) -> None:
    text, translation = " ".join(options.text), options.target_text
    if not text.strip():
        raise InputError("the text is empty; give a sentence to translate")
    with _load(options) as translator:
        source, target = _languages(options, translator)
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
