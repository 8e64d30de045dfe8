"""The sections of a report that speak of the run as a whole, as Markdown; empty without content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from training.report.markdown import bullets, duration, escaped, number, table
from training.report.plots import (
    OPTIMIZATION_TITLES,
    SCORE_TITLES,
    plot_dev_scores,
    plot_loss,
    plot_optimization,
)
from training.report.record import RunRecord, mapping
from training.report.sentences import ScoredSentence

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
