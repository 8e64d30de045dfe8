"""What a run would need to be repeated: recipe, data, versions, seeds, written at each start."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from training.loop.distributed import World
from training.recipe import Recipe

PACKAGES = ("torch", "sentencepiece", "sacrebleu", "numpy")


def record_sitting(folder: Path, recipe: Recipe, world: World, hashes: dict[str, str]) -> None:
    """Append one line to `folder / "sittings.jsonl"`; `hashes` are those of the data."""
    sitting = {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "recipe": dataclasses.asdict(recipe),
        "data_sha256": hashes,
        "commit": commit(),
        "versions": versions(),
        "device": world.device.type,
        "processes": world.count,
        "threads": torch.get_num_threads(),
        "machine": platform.platform(),
    }
    with (folder / "sittings.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(sitting, ensure_ascii=False) + "\n")


def last_sitting(folder: Path) -> dict[str, Any] | None:
    """Return the last line of `folder / "sittings.jsonl"`; None if there has been no training."""
    path = folder / "sittings.jsonl"
    if not path.is_file():
        return None
    sitting: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
    return sitting


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
