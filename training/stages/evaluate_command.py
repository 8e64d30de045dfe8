"""`python -m training evaluate`: score a model directory or a run, or sweep over searches."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import torch

from training.commands import BY_ENDING, add_device, languages_of, require_files
from training.data.corpus import CleaningReport, read_pairs
from training.report.document import table
from training.stages.evaluation import SAMPLES, compare, score, write_lines
from training.stages.export import Snapshot, loaded_model
from translator.commands import Commands, add_languages
from translator.config import DecodingOptions
from translator.errors import InputError
from translator.files import read_lines
from translator.pipeline.translator import Translator
from translator.store.model_directory import check_device


@dataclass(frozen=True, slots=True)
class ParallelText:
    """A text to be scored on, one sentence a line; the references are translations by people."""

    name: str
    source: str
    target: str
    sources: list[str]
    references: list[str]


def add_command(commands: Commands) -> None:
    """Add `evaluate MODEL` to the commands of `python -m training`."""
    parser = commands.add_parser(
        "evaluate", help="score a model or any checkpoint of a run, or compare searches"
    )
    parser.add_argument("model", type=Path, help="model directory, or folder of a run")
    parser.add_argument(
        "--step", type=int, help="of a run: step of the checkpoint; the newest by default"
    )
    parser.add_argument(
        "--input",
        type=Path,
        help="source text, one sentence a line; of a run, its development set by default",
    )
    parser.add_argument("--reference", type=Path, help="its translation by people")
    add_languages(parser, BY_ENDING)
    parser.add_argument("--output", type=Path, help="write the model's translations to this file")
    parser.add_argument(
        "--write-hypotheses",
        type=Path,
        metavar="FOLDER",
        help="write sources, translations and references there, for other scorers",
    )
    parser.add_argument(
        "--compare", type=Path, help="model directory, or file of translations, to compare with"
    )
    parser.add_argument(
        "--beam-sizes",
        type=int,
        nargs="+",
        metavar="SIZE",
        help="of a run: score its development set with each of these beams",
    )
    parser.add_argument(
        "--alphas",
        type=float,
        nargs="+",
        metavar="ALPHA",
        help="of a run: the same with each of these exponents of the length penalty",
    )
    add_device(parser)
    parser.set_defaults(execute=_evaluate)


def _evaluate(options: argparse.Namespace) -> None:
    check_device(options.device)
    is_run = (options.model / "sittings.jsonl").is_file()
    _refuse_what_does_not_fit(options, is_run)
    snapshot = Snapshot.of(options.model, options.step) if is_run else None
    texts = [_given_text(options)] if options.input else [*_dev_texts(snapshot)]
    given_baseline = _other_translations(options.compare, len(texts[0].references))
    if options.beam_sizes or options.alphas:
        assert snapshot is not None
        print(sweep(snapshot, texts, options.device, options.beam_sizes, options.alphas))
        return
    with _translator(options.model, options.device, snapshot) as translator:
        place = f" at step {snapshot.state.step}" if snapshot else ""
        print(f"{options.model}{place}: {translator.description.decoding}")
        for text in texts:
            hypotheses = _translations(translator, text)
            if len(texts) > 1 or not options.input:
                print(text.name)
            if options.output:
                write_lines(options.output, hypotheses)
            if options.write_hypotheses:
                _write_for_others(options.write_hypotheses, text, hypotheses)
            print(score(hypotheses, text.references, text.target, SAMPLES), flush=True)
    if options.compare:
        [text] = texts
        baseline = given_baseline or _baseline(options, text)
        print(compare(baseline, hypotheses, text.references))


def _refuse_what_does_not_fit(options: argparse.Namespace, is_run: bool) -> None:
    """Refuse flags that lack another one, or are for a run, before any work."""
    has_text = bool(options.input and options.reference)
    if bool(options.input) != bool(options.reference):
        raise InputError("--input and --reference: give both, or neither with the folder of a run")
    if not options.model.exists():
        raise InputError(f"{options.model}: no such folder")
    if not has_text and not is_run:
        raise InputError(f"{options.model}: give --input and --reference to score a model on")
    if options.beam_sizes or options.alphas:
        if not is_run or has_text:
            raise InputError(
                "--beam-sizes, --alphas: give the folder of a run and no --input. A search is "
                "chosen on the development set; one that is chosen on a test set spoils its scores"
            )
        if options.compare or options.output or options.write_hypotheses:
            raise InputError("--beam-sizes, --alphas: print one table; leave out the other flags")
    elif not has_text and (options.output or options.compare):
        raise InputError("--output, --compare: give --input and --reference as well")
    if options.step is not None and not is_run:
        raise InputError(f"--step: {options.model} is not the folder of a run")
    if has_text:
        require_files(options.input, options.reference)
    if options.compare and not options.compare.is_dir():
        require_files(options.compare)


def _given_text(options: argparse.Namespace) -> ParallelText:
    source, target = languages_of(options, options.input, options.reference)
    pairs = list(read_pairs(options.input, options.reference, CleaningReport()))
    if not pairs:
        raise InputError(f"{options.input}, {options.reference}: are empty")
    sources, references = [p.source for p in pairs], [p.target for p in pairs]
    return ParallelText(options.input.name, source, target, sources, references)


def _dev_texts(snapshot: Snapshot | None) -> Iterator[ParallelText]:
    assert snapshot is not None
    for part in snapshot.text.dev_parts:
        for direction in part.directions:
            source, target = direction.split("-")
            sides = [list(snapshot.text.lines(part, language)) for language in (source, target)]
            yield ParallelText(f"{part.name} {direction}", source, target, *sides)


def _translator(directory: Path, device: str, snapshot: Snapshot | None = None) -> Translator:
    threads = torch.get_num_threads()
    if snapshot is None:
        return Translator.load(directory, device=device)
    in_int8 = snapshot.recipe.export.weights == "int8"
    of_run = snapshot.recipe, snapshot.text, snapshot.state.weights
    return Translator.from_model(loaded_model(*of_run, device, in_int8), threads=threads)


def _translations(
    translator: Translator, text: ParallelText, options: DecodingOptions | None = None
) -> list[str]:
    answers = translator.translate(
        text.sources, source=text.source, target=text.target, options=options
    )
    return [answer.text for answer in answers]


def _baseline(options: argparse.Namespace, text: ParallelText) -> list[str]:
    with _translator(options.compare, options.device) as translator:
        print(f"{options.compare}: {translator.description.decoding}")
        return _translations(translator, text)


def _other_translations(path: Path | None, count: int) -> list[str]:
    """Return the lines of a file of translations; none if it is a model directory, or not named."""
    if path is None or path.is_dir():
        return []
    lines = list(read_lines(path))
    if len(lines) != count:
        raise InputError(
            f"{path}: has {len(lines)} translations, and the reference has {count} lines; they "
            "must be of the same text, line by line"
        )
    return lines


def _write_for_others(folder: Path, text: ParallelText, hypotheses: Sequence[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    stem = text.name.replace(":", ".").replace(" ", ".")
    for kind, lines in (
        ("source", text.sources),
        ("hypotheses", hypotheses),
        ("reference", text.references),
    ):
        write_lines(folder / f"{stem}.{kind}.txt", lines)


def sweep(
    snapshot: Snapshot,
    texts: Sequence[ParallelText],
    device: str,
    beam_sizes: Sequence[int] | None,
    alphas: Sequence[float] | None,
) -> str:
    """Return a table of scores of the development set, a row for each way to search.

    A row has the means over all texts. Beam sizes, and `alphas`, exponents of the length penalty,
    are the recipe's own if None.

    Raises:
        InputError: the length penalty of the recipe has no exponent.
        ConfigError: a value is not possible.
    """
    usual = snapshot.recipe.decoding
    if alphas and usual.length_penalty == "none":
        raise InputError('--alphas: decoding.length_penalty is "none", which has no exponent')
    pairs = itertools.product(beam_sizes or [usual.beam_size], alphas or [usual.alpha])
    # greedy search does not compare lengths
    tried = dict.fromkeys((beam, usual.alpha if beam == 1 else alpha) for beam, alpha in pairs)
    ways = [dataclasses.replace(usual, beam_size=beam, alpha=alpha) for beam, alpha in tried]
    rows: list[list[str]] = []
    best = (-1.0, usual)
    with _translator(snapshot.folder, device, snapshot) as translator:
        for way in ways:
            started = time.perf_counter()
            hypotheses = [_translations(translator, text, way) for text in texts]
            seconds = time.perf_counter() - started
            all_scores = [
                score(lines, text.references, text.target)
                for lines, text in zip(hypotheses, texts, strict=True)
            ]
            bleu, chrf = (mean(getattr(s, name) for s in all_scores) for name in ("bleu", "chrf"))
            translation_length = sum(len(line) for lines in hypotheses for line in lines)
            reference_length = sum(len(line) for text in texts for line in text.references)
            length = f"{translation_length / max(reference_length, 1):.3f}"
            row = (str(way.beam_size), str(way.alpha), f"{bleu:.2f}", f"{chrf:.2f}", length)
            rows.append([*row, f"{seconds:.1f}"])
            best = max(best, (bleu, way), key=lambda result: result[0])
    head = ["beam_size", "alpha", "BLEU", "chrF", "length ratio", "seconds"]
    chosen = best[1]
    return "\n".join(
        [
            f"{snapshot.folder} at step {snapshot.state.step}, means of "
            + ", ".join(text.name for text in texts),
            table(head, rows),
            f"highest BLEU: [decoding] beam_size = {chosen.beam_size}, alpha = {chosen.alpha}",
        ]
    )
