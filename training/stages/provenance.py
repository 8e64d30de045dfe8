"""What a run would need to be repeated: recipe, data, versions, seeds, written at each start."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from training.loop.distributed import World
from training.recipe import Recipe, read_recipe
from translator.durable import write_durably

PACKAGES = ("torch", "sentencepiece", "sacrebleu", "numpy")


SITTINGS = "sittings.jsonl"
RETIRED = (("revive_units",), ("training", "int8_share"))
"""Settings that sittings of earlier versions note, and that recipes have no longer."""


def record_sitting(
    folder: Path, recipe: Recipe, world: World, hashes: dict[str, str], step: int
) -> None:
    """Append one line to `folder / "sittings.jsonl"`.

    Args:
        folder: of the run.
        recipe: of this sitting.
        world: its processes.
        hashes: of the data.
        step: that it begins with.
    """
    sitting = {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "step": step,
        "recipe": dataclasses.asdict(recipe),
        "data_sha256": hashes,
        "commit": commit(),
        "versions": versions(),
        "device": world.device.type,
        "processes": world.count,
        "threads": torch.get_num_threads(),
        "machine": platform.platform(),
    }
    lines = (json.dumps(one, ensure_ascii=False) for one in (*read_sittings(folder), sitting))
    write_durably(folder / SITTINGS, "".join(f"{line}\n" for line in lines).encode())


def read_sittings(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of `folder / "sittings.jsonl"`, without any that is damaged."""
    path, found = folder / SITTINGS, list[dict[str, Any]]()
    if path.is_file():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):  # earlier versions could leave half a line
                found.append(json.loads(line))
    return found


def last_sitting(folder: Path) -> dict[str, Any] | None:
    """Return the last line of `folder / "sittings.jsonl"`; None if there has been no training."""
    return next(reversed(read_sittings(folder)), None)


def recipe_of(sitting: Mapping[str, Any], source: str) -> Recipe:
    """Return the recipe of a sitting, without settings that recipes have no longer.

    Raises:
        ConfigError: it has wrong keys or values; the message names `source`.
    """
    settings = copy.deepcopy(sitting["recipe"])
    for *sections, name in RETIRED:
        table = settings
        for section in sections:
            table = table.get(section, {})
        table.pop(name, None)
    return read_recipe(settings, (), source)


def changes(
    before: Recipe | Mapping[str, Any], now: Recipe | Mapping[str, Any], sections: Sequence[str]
) -> dict[str, tuple[Any, Any]]:
    """Return the settings of some sections that differ, with both values, by `section.key`.

    Settings that only one of them has are left out: the other is of another version.
    """
    first, second = _settings(before), _settings(now)
    return {
        key: (first[key], second[key])
        for key in first
        if key.partition(".")[0] in sections and first[key] != second.get(key, first[key])
    }


def _settings(recipe: Recipe | Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings of a recipe as JSON has them, by `section.key`."""
    table = dataclasses.asdict(recipe) if isinstance(recipe, Recipe) else recipe
    return dict(_flat(json.loads(json.dumps(table)), ""))


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def told_sittings(folder: Path) -> list[dict[str, Any]]:
    """Return what a card says of the sittings: when and where each began, and what it changed."""
    told, before = [], None
    for sitting in read_sittings(folder):
        keys = ("started", "step", "commit", "device", "processes", "threads")
        facts = {key: sitting[key] for key in keys if key in sitting}
        recipe = sitting.get("recipe", {})
        if before and (changed := changes(before, recipe, [*recipe])):
            facts["changed"] = changed
        told.append(facts)
        before = recipe
    return told


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results depend on."""
    found = {name: version(name) for name in PACKAGES}
    return {"python": platform.python_version(), **found, "torch": torch.__version__}


def data_hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the vocabulary and of all encoded text, by path."""
    paths = [folder / "tokenizer.model", *sorted(folder.rglob("*.ids"))]
    hashes = {}
    for path in paths:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256")
        hashes[str(path.relative_to(folder))] = digest.hexdigest()
    return hashes


def commit() -> str | None:
    """Return the commit the code is at, marked if it has been changed since; None outside git."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--match="]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()
