"""`python -m translator translate`: a text, the lines of a file or a pipe, or a whole file."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from translator.cli.flags import FlagReport
from translator.commands import add_languages, utf8, without_collecting_loaded
from translator.config import MAX_BEAM_SIZE, DecodingOptions, Precision
from translator.documents.kinds import (
    FileOptions,
    check_file_options,
    check_is_read,
    check_output,
    is_whole,
    kind_of,
    read_file,
    whole_endings,
)
from translator.errors import InputError, UnsupportedLanguageError
from translator.files import STANDARD, STANDARD_INPUT, count_lines, read_lines, read_text
from translator.pipeline.documents import translate_document
from translator.pipeline.models.here import choose_pair, hops_here, routes_here
from translator.pipeline.models.model_set import ModelSet
from translator.pipeline.options import TextFormat, TextOptions
from translator.pipeline.streaming import (
    LINES_AT_ONCE,
    TranslateLines,
    in_windows,
    refuse_own_source,
    translate_file,
    translate_whole,
    write_whole,
)
from translator.pipeline.texts import translate_texts
from translator.pipeline.translation import Translation
from translator.pipeline.translator import Translator
from translator.rules.formality import MARKS
from translator.text.glossary import Glossary, read_glossary

INTERACTIVE_LINES = 100  # at once, so that whoever writes into a pipe is answered soon


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say which model translates, and how."""
    parser.add_argument(
        "--model",
        type=Path,
        help="model directory; by default a downloaded one that has the pair, or the shipped one",
    )
    add_languages(parser, type=_language)
    parser.add_argument("--device", default="cpu", help="cpu, the default, or cuda")
    parser.add_argument(
        "--precision",
        choices=get_args(Precision),
        default="auto",
        help="auto, the default, takes int8 on CPUs and bfloat16 on GPUs",
    )


def add_terms(parser: argparse.ArgumentParser) -> None:
    """Add `--glossary` and `--keep`."""
    parser.add_argument(
        "--glossary", type=Path, help="file with a term, a tab and its translation in each line"
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        type=utf8,
        help="a term that is never translated; may be repeated",
    )


def glossary_of(options: argparse.Namespace) -> Glossary:
    """Return the terms of `--glossary` and `--keep`."""
    keep = tuple(options.keep)
    return read_glossary(options.glossary, keep) if options.glossary else Glossary(keep=keep)


class Chosen(NamedTuple):
    """What translates, and from which language to which."""

    translator: Translator | ModelSet  # of one model, or of two with English between them
    source: str  # code of the source language
    target: str  # code of the target language
    decoding: DecodingOptions  # how the model searches by default


def load(options: argparse.Namespace, threads: int = 1, serve_at_once: bool = False) -> Chosen:
    """Load what the flags name; see `Translator.load` for the arguments.

    Raises:
        UnsupportedLanguageError: there is no model for the pair; the message says how to get one.
    """
    settings: dict[str, Any] = {
        "device": options.device,
        "threads": threads,
        "precision": options.precision,
        "serve_at_once": serve_at_once,
    }
    if options.model is not None:
        translator = Translator.load(options.model, **settings)
        try:
            source, target = _languages_of(options, translator)
        except UnsupportedLanguageError:
            translator.close()
            raise
        return Chosen(translator, source, target, translator.description.decoding)
    routes = routes_here()
    source, target = choose_pair(routes, options.source_language, options.target_language)
    has_form = getattr(options, "formality", None) is not None
    models = [hop.model for hop in hops_here(routes, source, target, has_form=has_form)]
    if not models:
        raise UnsupportedLanguageError(f"--from {source} --to {target}: are the same language")
    paths, decoding = [model.path for model in models], models[0].description.decoding
    if len(paths) == 1:
        return Chosen(Translator.load(paths[0], **settings), source, target, decoding)
    return Chosen(ModelSet.load(paths, **settings), source, target, decoding)


def _languages_of(options: argparse.Namespace, translator: Translator) -> tuple[str, str]:
    """Return source and target language: the first direction of the model that is as asked."""
    source, target = options.source_language, options.target_language
    for first, second in translator.description.pairs:
        if source in (None, first) and target in (None, second):
            return first, second
    given = {"--from": source, "--to": target}
    wrong = " ".join(f"{option} {code}" for option, code in given.items() if code)
    directions = ", ".join(translator.description.directions)
    raise UnsupportedLanguageError(f"{wrong}: this model translates only {directions}")


def _language(code: str) -> str:
    """Return a code as models have it: `de` for `DE`."""
    language, hyphen, rest = code.partition("-")
    return f"{language.lower()}{hyphen}{rest}"


def add_translate(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    add_model_arguments(parser)
    parser.add_argument(
        "text", nargs="*", type=utf8, help="text to translate; without it, --input is read"
    )
    parser.add_argument(
        "--input",
        default="-",
        help="file to translate line by line (also .gz, .xz, .zst), or - for standard input; files "
        "with these endings are translated as a whole: " + ", ".join(whole_endings()),
    )
    parser.add_argument(
        "--format",
        choices=get_args(TextFormat),
        default="text",
        help="format of the text or --input; all but text are translated as a whole",
    )
    add_terms(parser)
    parser.add_argument(
        "--formality",
        choices=MARKS,
        help="how to address the reader, where the model has learned a choice: formal (Sie) or "
        "informal (du)",
    )
    parser.add_argument(
        "--prefix",
        type=utf8,
        help="words that the translation of a text on the command line begins with",
    )
    parser.add_argument(
        "--output",
        default="-",
        help="file to write (also .gz, .xz, .zst), or - for standard output",
    )
    _add_file_options(parser)
    parser.add_argument(
        "--resume", action="store_true", help="continue an interrupted translation to --output"
    )
    _add_search(parser)
    parser.set_defaults(execute=_translate)


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--beam-size", type=int, help="hypotheses kept at each step; the model's own by default"
    )
    parser.add_argument(
        "--n-best",
        type=int,
        metavar="N",
        help="print the N best translations of each line with their scores, as a line of JSON",
    )
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        help="CPU threads, 1 by default; more translate a file faster",
    )
    parser.add_argument(
        "--show-steps",
        action="store_true",
        help="print to standard error what each step on the way to the model makes of the text",
    )


def _add_file_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        type=utf8,
        metavar="COLUMN",
        help="column of a table (.csv, .tsv) to translate: its head, or its number from 1; may be "
        "repeated",
    )
    parser.add_argument(
        "--sheet-names",
        action="store_true",
        help="translate names of sheets too (.xlsx, .ods), also in formulas",
    )
    parser.add_argument(
        "--front-matter",
        action="store_true",
        help="translate titles, descriptions and summaries of the front matter too (.md)",
    )
    parser.add_argument(
        "--replace-translations",
        action="store_true",
        help="translate a catalogue (.po, .xliff, .ts) that is for another language: its "
        "translations are lost",
    )


def _check_places(options: argparse.Namespace) -> None:
    """Refuse files that would never be read or written, and an output that replaces its input."""
    if options.text and (options.input != STANDARD or options.output != STANDARD):
        raise InputError(
            "a text on the command line goes to standard output: leave out --input and --output, "
            "or put the text into a file"
        )
    if options.prefix is not None and not options.text:
        raise InputError("--prefix: is for a text on the command line")
    if options.resume and options.output == STANDARD:
        raise InputError("--resume: name the --output that is to be continued")
    if options.resume and options.format != "text":
        raise InputError("--resume: only plain text can be continued; leave out --format")
    if options.output == STANDARD and sys.stdout is None:
        raise InputError("standard output is closed; name an --output")
    if options.input != STANDARD and not Path(options.input).exists():
        raise InputError(f"{options.input}: no such file")
    if options.output != STANDARD:
        source = STANDARD_INPUT if options.input == STANDARD else Path(options.input)
        refuse_own_source(source, Path(options.output))
        if not (folder := Path(options.output).absolute().parent).is_dir():
            raise InputError(f"--output: no such folder: {folder}")
    if options.format == "text":
        check_is_read(options.input)
    check_file_options(options.input, _file_options(options))
    if options.n_best is not None:
        _check_n_best(options)
    kind = kind_of(options.input)
    if kind and is_whole(options.input):
        if options.format not in ("text", kind.name.lower()):
            raise InputError(
                f"--format: {options.input} is read by its ending; leave out --format, or send "
                "the file to standard input"
            )
        if options.resume:
            raise InputError(
                f"--resume: {options.input} is translated as a whole, and cannot be continued; "
                "leave out --resume"
            )
        if options.output != STANDARD:
            check_output(options.input, options.output)


def _check_n_best(options: argparse.Namespace) -> None:
    """Refuse what has no candidates of its own: whole files, formats, and terms."""
    if not 1 <= options.n_best <= MAX_BEAM_SIZE:
        raise InputError(f"--n-best: must be in 1..{MAX_BEAM_SIZE}, got {options.n_best}")
    if is_whole(options.input) or options.format != "text":
        raise InputError("--n-best: is for plain text, line by line")
    if options.glossary or options.keep:
        raise InputError("--n-best: shows what the search finds; leave out --glossary and --keep")


def _translate(options: argparse.Namespace) -> None:
    _check_places(options)
    is_typed = options.input == STANDARD and bool(sys.stdin and sys.stdin.isatty())
    if is_typed and not options.text:
        print("type text, a line at a time; Ctrl-D ends it", file=sys.stderr)
    # all of a file is translated with the same numbers: it waits until they can be computed
    at_once = is_typed or bool(options.text)
    chosen = load(options, options.threads, at_once)
    # of a text or two, the collection that comes first takes longer than it saves
    long_work = contextlib.nullcontext() if at_once else without_collecting_loaded()
    with chosen.translator, long_work:
        if options.beam_size is not None:
            decoding = dataclasses.replace(chosen.decoding, beam_size=options.beam_size)
            chosen = chosen._replace(decoding=decoding)
        if is_whole(options.input):
            _translate_by_ending(options, chosen)
            return
        report = FlagReport()
        translate = report.counted(_texts_of(options, chosen))
        if options.format != "text":
            text = " ".join(options.text) if options.text else read_text(options.input)
            translate_whole(translate, text, options.output)
            return
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
            for answer in in_windows(translate, lines, len, window):
                print(answer.text, flush=True)
    report.print("Lines")


def _translate_by_ending(options: argparse.Namespace, chosen: Chosen) -> None:
    """Translate a file that has a form, and write it when all of it is done."""
    report = FlagReport()
    path = Path(options.input)
    document = read_file(str(path), path.read_bytes(), chosen.target, _file_options(options))
    content = translate_document(
        chosen.translator,
        document,
        _text_options(options, chosen),
        on_unit=lambda answer: report.add([answer]),
    )
    if options.output == STANDARD:
        sys.stdout.buffer.write(content)
    else:
        write_whole(content, Path(options.output))
    report.print("Texts")
    for text in document.left_alone:
        print(f"not translated, and left as it was: {text}", file=sys.stderr)


def _file_options(options: argparse.Namespace) -> FileOptions:
    return FileOptions(
        columns=tuple(options.column),
        sheet_names=options.sheet_names,
        replace_translations=options.replace_translations,
        front_matter=options.front_matter,
    )


def _text_options(options: argparse.Namespace, chosen: Chosen) -> TextOptions:
    """Return how texts are translated, whatever their format."""
    return TextOptions(
        source=chosen.source,
        target=chosen.target,
        glossary=glossary_of(options),
        decoding=chosen.decoding,
        formality=options.formality,
    )


def _texts_of(options: argparse.Namespace, chosen: Chosen) -> TranslateLines:
    """Return what translates texts of the format that was asked for, with its glossary."""
    count = options.n_best
    text_options = dataclasses.replace(
        _text_options(options, chosen),
        text_format=options.format,
        prefixes=() if options.prefix is None else (options.prefix,),
        on_step=_show_step if options.show_steps else None,
        num_alternatives=None if count is None else max(count - 1, 1),
    )

    def translate(texts: list[str]) -> list[Translation]:
        translations = translate_texts(chosen.translator, texts, text_options)
        if count is None:
            return translations
        return [dataclasses.replace(one, text=_n_best_line(one, count)) for one in translations]

    return translate


def _show_step(name: str, texts: Sequence[str]) -> None:
    for text in texts:
        print(f"{name:>14}  {text}", file=sys.stderr, flush=True)


def _n_best_line(translation: Translation, count: int) -> str:
    """Return the best candidates of a translation as JSON; what has no letters has only itself."""
    best, *others = translation.candidates or (None,)
    candidates = [best._replace(text=translation.text), *others] if best else []
    table: list[dict[str, Any]] = [
        {"text": text, "score": round(score, 4), "log_prob": round(log_prob, 4)}
        for text, score, log_prob in candidates[:count]
    ]
    none = {"text": translation.text, "score": None, "log_prob": None}
    return json.dumps(table or [none], ensure_ascii=False)
