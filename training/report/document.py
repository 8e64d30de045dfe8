"""The final report of a run: Markdown with pictures, for a reader who has never seen the run.

    RUN/report/report.md            scores, course of training, data, sentences, recipe
    RUN/report/*.png                its pictures

It can be written at any time; what the run does not have yet is named at the top.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from training.report.plots import (
    OPTIMIZATION_TITLES,
    SCORE_TITLES,
    plot_dev_scores,
    plot_loss,
    plot_optimization,
    plot_sentences,
)
from training.report.record import (
    RunRecord,
    ScoredSentence,
    list_parts,
    mapping,
    read_record,
    read_sentences,
    selections,
)
from translator.commands import Commands
from translator.durable import write_durably
from translator.errors import InputError, TranslatorError


def escaped(text: str) -> str:
    """Return foreign text as one line in which nothing is mark-up."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", " ".join(text.split()))


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells that are Markdown; all columns but the first are numbers."""
    rule = ["---"] + ["---:"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, rule, *rows))


def bullets(items: Sequence[str]) -> str:
    """Return a list; the items are Markdown already."""
    return "\n".join(f"- {item}" for item in items)


def fenced(text: str, language: str) -> str:
    """Return a block of code, whatever back-quotes it holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def duration(seconds: float) -> str:
    """Return a time as a person would say it: `42 s`, `3 min 5 s` or `1 h 9 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60} min"


def number(value: object) -> str:
    """Return a count with separators, a score with two decimals, a dash for nothing."""
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.2f}"
    return "–" if value is None else escaped(str(value))


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
    warning = record.card.get("warning")
    return f"**{escaped(warning)}**" if isinstance(warning, str) else ""


def _missing(what: Sequence[str]) -> str:
    return (
        "**Missing or unfinished:**\n\n" + bullets([escaped(each) for each in what]) if what else ""
    )


def _recipe(record: RunRecord) -> str:
    return "## Recipe\n\n" + fenced(record.recipe_text, "toml") if record.recipe_text else ""


Parts = Mapping[str, Sequence[ScoredSentence]]
LOSS_NOTE = (
    "Negative log-likelihood a target piece; e to its power is the perplexity. On the training set "
    "it is measured with dropout, on the development set without (and with averaged weights, if "
    "the recipe averages them), so that dev may lie below train. Dev that rises while train falls "
    "shows over-fitting."
)
MARGIN_NOTE = "±: half of the interval that has the score with a probability of 95 % (bootstrap)"
LENGTH_RATIO_NOTE = "length ratio: characters of all translations over those of all references"


def scores_section(record: RunRecord, parts: Parts) -> str:
    """Return a row of scores for every test part and direction, and the metrics' signatures."""
    if not record.scores:
        return ""
    metrics = dict.fromkeys(
        name
        for scores in record.scores.values()
        for name, value in scores.items()
        if isinstance(value, int | float)
    )
    titles = [escaped(SCORE_TITLES.get(name, name)) for name in metrics]
    rows, notes = [], dict.fromkeys([LENGTH_RATIO_NOTE] if parts else [])
    for part, scores in record.scores.items():
        margins = mapping(scores.get("margins"))
        values = [
            number(scores.get(name)) + (f" ± {number(margins[name])}" if name in margins else "")
            for name in metrics
        ]
        rows.append([escaped(part), *values, _length_ratio(parts.get(part, ()))])
        notes |= dict.fromkeys([MARGIN_NOTE] if margins else [])
        signatures = mapping(scores.get("signatures")).items()
        notes |= dict.fromkeys(f"{SCORE_TITLES.get(k, k)}: `{text}`" for k, text in signatures)
        decoding = ", ".join(f"{k} = {v}" for k, v in mapping(scores.get("decoding")).items())
        notes |= dict.fromkeys([f"decoding: `{decoding}`"] if decoding else [])
    shown = table(["test part", *titles, "length ratio"], rows)
    return "\n\n".join(["## Test scores", shown, bullets(list(notes))])


def _length_ratio(sentences: Sequence[ScoredSentence]) -> str:
    if not sentences:
        return "–"
    references = sum(len(s.reference) for s in sentences)
    return f"{sum(len(s.hypothesis) for s in sentences) / max(1, references):.3f}"


def training_section(record: RunRecord, out: Path) -> str:
    """Return facts and curves of the training."""
    if not record.log.lines:
        return ""
    facts = table(
        ["fact", "value"], [[escaped(name), value] for name, value in _facts(record).items()]
    )
    paragraphs = ["## Training", facts]
    if any("loss" in line.values for line in record.log.lines):
        plot_loss(record.log, out / "loss.png")
        paragraphs += ["![Loss of training and development set over steps](loss.png)", LOSS_NOTE]
    if names := [name for name in record.log.measured("dev") if name != "loss"]:
        plot_dev_scores(record.log, names, out / "dev-scores.png")
        paragraphs += [
            "![Scores of the development set over steps](dev-scores.png)",
            "The development set's first sentences, decoded greedily.",
        ]
    if set(OPTIMIZATION_TITLES) & set(record.log.measured("train")):
        plot_optimization(record.log, out / "optimization.png")
        paragraphs += ["![Learning rate, gradient norm and speed](optimization.png)"]
    return "\n\n".join(paragraphs)


def _facts(record: RunRecord) -> dict[str, str]:
    last, tokens = record.log.lines[-1], record.target_tokens
    facts = {
        "steps": f"{last.step:,}",
        "epochs": f"{last.epoch + 1:,}",
        "target tokens": f"{tokens:,}" if isinstance(tokens, int) else f"about {tokens:,.0f}",
        "time in training steps": duration(last.train_seconds),
    }
    if last.train_seconds:
        facts["target tokens a second"] = f"{tokens / last.train_seconds:,.0f}"
    for name in record.log.measured("dev"):
        value, step = record.log.best_on_dev(name)
        facts[f"best dev {SCORE_TITLES.get(name, name)}"] = f"{value:.3f} at step {step:,}"
    trained = mapping(record.card.get("training"))
    for name in ("parameters", "device", "threads"):
        if name in trained:
            facts[name] = number(trained[name])
    if "commit" in record.card:
        facts["commit"] = escaped(str(record.card["commit"]))
    facts |= {k: escaped(str(v)) for k, v in mapping(record.card.get("versions")).items()}
    return facts


def cleaning_section(record: RunRecord) -> str:
    """Return how many pairs of each corpus were read and dropped, and why."""
    rows = []
    for name, report in record.cleaning.items():
        dropped = mapping(report.get("dropped"))
        reasons = [f"{escaped(why)}: {number(count)}" for why, count in dropped.items()]
        counts = [value for value in dropped.values() if isinstance(value, int)]
        rows.append(
            [
                escaped(name),
                number(report.get("num_read")),
                f"{sum(counts):,}",
                "; ".join(reasons) or "–",
            ]
        )
    if not rows:
        return ""
    header = ["part and corpus", "pairs read", "pairs dropped", "why"]
    return "## Data\n\n" + table(header, rows)


SENTENCES_SHOWN = 5  # for each reason
CHARACTERS_SHOWN = 600  # of one sentence


def part_section(name: str, sentences: Sequence[ScoredSentence], out: Path) -> str:
    """Return pictures and examples of one test part."""
    picture = f"sentences-{name}.png"
    plot_sentences(sentences, out / picture)
    paragraphs = [
        f"## {escaped(name)}",
        f"{len(sentences):,} sentences. {_counts(sentences)}",
        f"![Lengths, quality and length ratios of {escaped(name)}](<{picture}>)",
    ]
    for reason, chosen in selections(sentences, SENTENCES_SHOWN).items():
        paragraphs += [f"### {reason}: {escaped(name)}", *(_example(s) for s in chosen)]
    return "\n\n".join(paragraphs)


def _counts(sentences: Sequence[ScoredSentence]) -> str:
    empty = sum(not s.hypothesis.strip() for s in sentences)
    copied = sum(s.hypothesis == s.source for s in sentences)
    exact = sum(s.hypothesis == s.reference for s in sentences)
    return (
        f"Of their translations {exact:,} equal the reference, {copied:,} equal the source, and "
        f"{empty:,} are empty."
    )


def _example(sentence: ScoredSentence) -> str:
    title = (
        f"**line {sentence.line:,}**: chrF {sentence.chrf:.1f}, "
        f"length ratio {sentence.length_ratio:.2f}"
    )
    rows = (
        ("source", sentence.source),
        ("reference", sentence.reference),
        ("translation", sentence.hypothesis),
    )
    return title + "\n\n" + bullets([f"{side}: {_shortened(text)}" for side, text in rows])


def _shortened(text: str) -> str:
    if not text.strip():
        return "*(empty)*"
    left_out = len(text) - CHARACTERS_SHOWN
    if left_out <= 0:
        return escaped(text)
    return f"{escaped(text[:CHARACTERS_SHOWN])} *(and {left_out:,} characters more)*"
