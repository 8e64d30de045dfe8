"""The log of a run, `log.jsonl` as `progress.py` writes it, read back as curves."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KINDS = ("train", "dev")
IDENTITY = ("step", "epoch", "train_seconds")  # of a line; what else it holds was measured
LOWER_IS_BETTER = ("loss", "ter")


@dataclass(frozen=True, kw_only=True, slots=True)
class LogLine:
    """One line of the log.

    Attributes:
        kind: `train` or `dev`.
        step: optimizer steps done.
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
