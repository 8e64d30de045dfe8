"""What a run left in its folder, read leniently: a report of half a run is better than none.

Unlike a configuration, which is read strictly, nothing here is an error: what is absent or damaged
is noted in `RunRecord.missing`, and what is unknown is passed over.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.report.run_log import RunLog


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRecord:
    """Everything a run wrote except its weights and its text.

    Attributes:
        folder: of the run.
        recipe_text: `recipe.toml`; empty if there is none.
        recipe: the same, parsed; empty if it cannot be.
        log: the course of training.
        cleaning: part and corpus → what cleaning read, kept and dropped.
        scores: test part and direction → scores.
        card: of the exported model, with facts that only the trainer knew.
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
