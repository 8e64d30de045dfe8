"""What a run left in its folder: its record and its log, read leniently, and its translations.

A report of half a run is better than none. Unlike a configuration, which is read strictly, nothing
in a record is an error: what is absent or damaged is noted in `RunRecord.missing`, and what is
unknown is passed over.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sacrebleu

from translator.errors import InputError


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRecord:
    """Everything a run wrote except its weights and its text.

    Attributes:
        recipe: the same, parsed; empty if it cannot be.
        cleaning: part and corpus → what cleaning read, kept and dropped.
        scores: test part and direction → scores.
        missing: a phrase for everything that is absent or damaged.
    """

    folder: Path
    recipe_text: str
    recipe: Mapping[str, Any]
    log: RunLog
    cleaning: Mapping[str, Mapping[str, Any]]
    scores: Mapping[str, Mapping[str, Any]]
    card: Mapping[str, Any]
    missing: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the run: the recipe's, or else the folder's."""
        return str(self.recipe.get("name", self.folder.resolve().name))

    @property
    def target_tokens(self) -> float:
        """How many target pieces were trained on; estimated as long as there is no card."""
        counted = mapping(self.card.get("training")).get("target_tokens")
        return counted if isinstance(counted, int) else self.log.target_tokens()


def read_record(folder: Path) -> RunRecord:
    """Read what the stages wrote into `folder` (see `training/stages/run.py` for its layout)."""
    missing: list[str] = []
    recipe_text = _read(folder, "recipe.toml", "the recipe", missing) or ""
    recipe: dict[str, Any] = {}
    try:
        recipe = tomllib.loads(recipe_text)
    except tomllib.TOMLDecodeError as error:
        missing.append(f"recipe.toml is damaged: {error}")
    text = _read(folder, "checkpoints/log.jsonl", "the course of training", missing)
    log = RunLog.parse(text or "")
    if log.num_damaged:
        missing.append(f"log.jsonl has damaged lines, left out here: {log.num_damaged}")
    if log.lines and not (folder / ".train.done").is_file():
        missing.append("training is not finished: what follows is how it stands")
    if log.lines and not log.of_kind("dev"):
        missing.append("dev scores: there has been no checkpoint yet")
    return RunRecord(
        folder=folder,
        recipe_text=recipe_text,
        recipe=recipe,
        log=log,
        cleaning=_tables(folder, "data/report.json", "what cleaning dropped", missing),
        scores=_tables(folder, "scores/scores.json", "test scores", missing),
        card=_object(folder, "model/card.json", "the card of the exported model", missing),
        missing=tuple(missing),
    )


def mapping(value: object) -> Mapping[str, Any]:
    """Return a value read from JSON or TOML if it is a table, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def _read(folder: Path, path: str, what: str, missing: list[str]) -> str | None:
    try:
        # a run that was killed may leave half a character
        return (folder / path).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        missing.append(f"{what} ({path}: not written yet)")
    except OSError as error:
        missing.append(f"{what} ({path}: {error.strerror})")
    return None


def _object(folder: Path, path: str, what: str, missing: list[str]) -> Mapping[str, Any]:
    text = _read(folder, path, what, missing)
    if text is None:
        return {}
    try:
        content = json.loads(text)
    except ValueError:
        content = None
    if not isinstance(content, Mapping):
        missing.append(f"{what} ({path}: is not a JSON object)")
    return mapping(content)


def _tables(folder: Path, path: str, what: str, missing: list[str]) -> dict[str, Mapping[str, Any]]:
    """Return those entries of a JSON object that are objects themselves."""
    entries = _object(folder, path, what, missing).items()
    return {name: entry for name, entry in entries if isinstance(entry, Mapping)}


KINDS = ("train", "dev")
IDENTITY = ("step", "epoch", "train_seconds")  # of a line; what else it holds was measured
LOWER_IS_BETTER = ("loss", "ter")


@dataclass(frozen=True, kw_only=True, slots=True)
class LogLine:
    """One line of the log.

    Attributes:
        epoch: from 0.
        train_seconds: time spent in steps since the run began, over all sittings.
        values: the finite numbers that were measured, by name.
    """

    kind: str
    step: int
    epoch: int
    train_seconds: float
    values: Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """A quantity over the steps of a run; both lists have the same length."""

    steps: list[int]
    values: list[float]


@dataclass(frozen=True, kw_only=True, slots=True)
class RunLog:
    """The lines of a log that still hold, in order of steps; `num_damaged` could not be read."""

    lines: tuple[LogLine, ...]
    num_damaged: int = 0

    @classmethod
    def parse(cls, text: str) -> RunLog:
        """Read a log. Unknown kinds of lines are left out, unknown quantities kept.

        A resumed run goes back to its last checkpoint and repeats the steps after it. So a line
        replaces all earlier lines about later steps. If its kind has been logged for its own step,
        it replaces all lines about that step too.
        """
        kept: list[LogLine] = []
        num_damaged = 0
        for row in text.splitlines():
            try:
                line = _log_line(json.loads(row))
            except (ValueError, TypeError, KeyError, AttributeError):
                num_damaged += 1
                continue
            if line.kind not in KINDS:
                continue
            while kept and kept[-1].step > line.step:
                kept.pop()
            if any(old.kind == line.kind and old.step == line.step for old in kept[-len(KINDS) :]):
                while kept and kept[-1].step == line.step:
                    kept.pop()
            kept.append(line)
        return cls(lines=tuple(kept), num_damaged=num_damaged)

    def of_kind(self, kind: str) -> list[LogLine]:
        """Return the lines of one kind."""
        return [line for line in self.lines if line.kind == kind]

    def measured(self, kind: str) -> list[str]:
        """Return the names of all quantities that lines of one kind hold."""
        return list(dict.fromkeys(name for line in self.of_kind(kind) for name in line.values))

    def curve(self, kind: str, name: str) -> Curve:
        """Return the course of one quantity; empty if the log does not have it."""
        lines = [line for line in self.of_kind(kind) if name in line.values]
        return Curve(
            steps=[line.step for line in lines], values=[line.values[name] for line in lines]
        )

    def best_on_dev(self, name: str) -> tuple[float, int]:
        """Return the best value of a dev score that the log has, and the first step with it."""
        curve = self.curve("dev", name)
        best = min(curve.values) if name in LOWER_IS_BETTER else max(curve.values)
        return best, curve.steps[curve.values.index(best)]

    def epoch_starts(self) -> list[tuple[int, int]]:
        """Return (number from 1, first step in the log) of every epoch, in order."""
        first: dict[int, int] = {}
        for line in self.lines:
            first.setdefault(line.epoch, line.step)
        return [(epoch + 1, step) for epoch, step in sorted(first.items())]

    def target_tokens(self) -> float:
        """Return how many target pieces were trained on, as the speeds tell within a percent."""
        total, since = 0.0, 0.0
        for line in self.of_kind("train"):
            total += line.values.get("tokens_per_s", 0.0) * (line.train_seconds - since)
            since = line.train_seconds
        return total


def _log_line(fields: dict[str, Any]) -> LogLine:
    numbers = {
        name: float(value)
        for name, value in fields.items()
        if isinstance(value, int | float) and math.isfinite(value)
    }
    return LogLine(
        kind=fields["kind"],
        step=int(fields["step"]),
        epoch=int(numbers.get("epoch", 0)),
        train_seconds=numbers.get("train_seconds", 0.0),
        values={name: value for name, value in numbers.items() if name not in IDENTITY},
    )


SOURCE, REFERENCE, HYPOTHESIS = ".src.txt", ".ref.txt", ".txt"


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredSentence:
    """One translated sentence.

    Attributes:
        line: its number in the test part, from 1.
        chrf: chrF2 of this sentence alone, 0–100.
    """

    line: int
    source: str
    reference: str
    hypothesis: str
    chrf: float

    @property
    def length_ratio(self) -> float:
        """Characters of the hypothesis over those of the reference."""
        return len(self.hypothesis) / max(1, len(self.reference))


def list_parts(scores: Path) -> list[str]:
    """Return the names of all test parts and directions whose hypotheses lie in a folder."""
    sides = (SOURCE, REFERENCE)
    return sorted(
        path.name.removesuffix(HYPOTHESIS)
        for path in scores.glob(f"*{HYPOTHESIS}")
        if not path.name.endswith(sides)
    )


def read_sentences(scores: Path, name: str) -> list[ScoredSentence]:
    """Read `NAME.txt`, `NAME.src.txt` and `NAME.ref.txt`, and score every sentence.

    Raises:
        InputError: a file is missing, or they differ in their number of lines.
    """
    sources, references, hypotheses = (
        _lines(scores / f"{name}{suffix}") for suffix in (SOURCE, REFERENCE, HYPOTHESIS)
    )
    if not len(sources) == len(references) == len(hypotheses):
        raise InputError(
            f"{name}: {len(sources)} sources, {len(references)} references and {len(hypotheses)} "
            "translations are not aligned; evaluate again"
        )
    return score_sentences(sources, references, hypotheses)


def score_sentences(
    sources: Sequence[str], references: Sequence[str], hypotheses: Sequence[str]
) -> list[ScoredSentence]:
    """Return aligned sentences with the chrF of each."""
    chrf = sacrebleu.CHRF()
    rows = zip(sources, references, hypotheses, strict=True)
    return [
        ScoredSentence(
            line=line,
            source=source,
            reference=reference,
            hypothesis=hypothesis,
            chrf=chrf.sentence_score(hypothesis, [reference]).score,
        )
        for line, (source, reference, hypothesis) in enumerate(rows, start=1)
    ]


def selections(sentences: Sequence[ScoredSentence], count: int) -> dict[str, list[ScoredSentence]]:
    """Return what a reader should look at, by reason, `count` sentences each.

    Among equals the longer sentence comes first, for it shows more.
    """
    by_length = sorted(sentences, key=lambda s: -len(s.source))  # sorting keeps the order of equals
    orders = {
        "Worst by chrF": sorted(by_length, key=lambda s: s.chrf),
        "Best by chrF": sorted(by_length, key=lambda s: -s.chrf),
        "Longest": by_length,
        "Most shortened": sorted(by_length, key=lambda s: s.length_ratio),
        "Most lengthened": sorted(by_length, key=lambda s: -s.length_ratio),
    }
    return {reason: order[:count] for reason, order in orders.items()}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
    except OSError as error:
        raise InputError(
            f"{path.name}: {error.strerror}; delete .evaluate.done and run the recipe again"
        ) from error
