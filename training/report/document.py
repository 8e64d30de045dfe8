"""The final report of a run: Markdown with pictures, for a reader who has never seen the run.

    RUN/report/report.md            scores, course of training, data, sentences, recipe
    RUN/report/*.png                its pictures

It can be written at any time; what the run does not have yet is named at the top.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from training.commands import Commands
from training.report.examples import part_section
from training.report.markdown import bullets, duration, escaped, fenced, number
from training.report.record import RunRecord, mapping, read_record
from training.report.sections import cleaning_section, scores_section, training_section
from training.report.sentences import ScoredSentence, list_parts, read_sentences
from translator.durable import write_durably
from translator.errors import InputError, TranslatorError


class ReportError(TranslatorError):
    """A report cannot be written: the folder is not that of a run, or is read-only or full."""


def add_command(commands: Commands) -> None:
    """Add `report RUN` to the commands of `python -m training`."""
    parser = commands.add_parser(
        "report", help="write a report of a run, even of an unfinished one"
    )
    parser.add_argument("folder", type=Path, metavar="RUN", help="folder of the run")
    parser.set_defaults(execute=_execute)


def _execute(options: argparse.Namespace) -> None:
    print(write_report(options.folder))


def write_report(folder: Path) -> Path:
    """Write `report/report.md` and its pictures into the folder of a run; return the Markdown file.

    Raises:
        ReportError: `folder` is not that of a run, or cannot be written to.
    """
    record = read_record(folder)
    if not (record.recipe_text or record.log.lines or record.scores):
        raise ReportError(
            f"{folder}: holds no recipe.toml, log or scores; "
            "name a folder that `python -m training run` has written"
        )
    out = folder / "report"
    try:
        out.mkdir(exist_ok=True)
        parts, problems = _read_parts(folder / "scores")
        sections = [
            f"# {escaped(record.name)}",
            _warning(record),
            _summary(record),
            _missing([*record.missing, *problems]),
            scores_section(record, parts),
            training_section(record, out),
            cleaning_section(record),
            *(part_section(name, sentences, out) for name, sentences in parts.items()),
            _recipe(record),
        ]
        path = out / "report.md"
        write_durably(path, ("\n\n".join(filter(None, sections)) + "\n").encode())
    except OSError as error:
        reason = error.strerror or error
        raise ReportError(f"{out}: the report cannot be written: {reason}") from error
    return path


def _read_parts(scores: Path) -> tuple[dict[str, list[ScoredSentence]], list[str]]:
    """Return the sentences of every test part, and what kept others from being read."""
    parts: dict[str, list[ScoredSentence]] = {}
    problems = []
    for name in list_parts(scores):
        try:
            parts[name] = read_sentences(scores, name)
        except InputError as error:
            problems.append(f"sentences of {name} ({error})")
    return {name: sentences for name, sentences in parts.items() if sentences}, problems


def _summary(record: RunRecord) -> str:
    """Return the run in a few lines: what, how long, how good."""
    chosen = mapping(record.recipe.get("data"))
    what = [
        f"{name} {escaped(', '.join(map(str, chosen[name])))}"
        for name in ("corpora", "directions")
        if isinstance(chosen.get(name), list | dict)
    ]
    trained = "not trained yet"
    if record.log.lines:
        last = record.log.lines[-1]
        trained = f"{last.step:,} steps in {duration(last.train_seconds)}"
    results = [
        f"{escaped(part)}: {number(scores['bleu'])} BLEU"
        for part, scores in record.scores.items()
        if "bleu" in scores
    ]
    return bullets([*what, trained, *results, "all settings: [recipe](#recipe)"])


def _warning(record: RunRecord) -> str:
    """Return what readers must know before all else, if the card has it."""
    warning = record.card.get("warning")
    return f"**{escaped(warning)}**" if isinstance(warning, str) else ""


def _missing(what: Sequence[str]) -> str:
    return (
        "**Missing or unfinished:**\n\n" + bullets([escaped(each) for each in what]) if what else ""
    )


def _recipe(record: RunRecord) -> str:
    return "## Recipe\n\n" + fenced(record.recipe_text, "toml") if record.recipe_text else ""
