"""What a run's folder says: who works in it, what it was made with, and what each sitting was.

`sittings.jsonl` has all that a run would need to be repeated, written at each start. `.STAGE.done`
and `checkpoints/recipe.fingerprint` hold a fingerprint: one hash of sections of the recipe, and one
of the files that the text was made from. Earlier versions noted the recipe alone. `.lock` says that
a process works here.
"""

from __future__ import annotations

import copy
import dataclasses
import fcntl
import json
import os
import platform
import re
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from training.loop.distributed import World
from training.loop.state import CheckpointError, list_checkpoints
from training.recipe import Recipe, read_recipe
from translator.durable import write_durably
from translator.errors import ConfigError, TranslatorError
from translator.files import sha256

PACKAGES = ("torch", "sentencepiece", "sacrebleu", "numpy")
SITTINGS = "sittings.jsonl"
RETIRED = (
    *(("revive_units",), ("extra_encoder_layers",), ("extra_decoder_layers",), ("compare_with",)),
    ("training", "int8_share"),
)
"""Settings that sittings of earlier versions note, and that recipes have no longer."""


def record_sitting(
    folder: Path, recipe: Recipe, world: World, hashes: dict[str, str], step: int
) -> None:
    """Append one line to `folder / "sittings.jsonl"`."""
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
    lines = (json.dumps(entry, ensure_ascii=False) for entry in (*read_sittings(folder), sitting))
    write_durably(folder / SITTINGS, "".join(f"{line}\n" for line in lines).encode())


def read_sittings(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of `folder / "sittings.jsonl"`, without any that is damaged."""
    path, sittings = folder / SITTINGS, list[dict[str, Any]]()
    if path.is_file():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):  # earlier versions could leave half a line
                sittings.append(json.loads(line))
    return sittings


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
) -> dict[str, tuple[object, object]]:
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


def sitting_facts(folder: Path) -> list[dict[str, Any]]:
    """Return what a card says of the sittings: when and where each began, and what it changed."""
    facts_of_all, before = [], None
    for sitting in read_sittings(folder):
        keys = ("started", "step", "commit", "device", "processes", "threads")
        facts = {key: sitting[key] for key in keys if key in sitting}
        recipe = sitting.get("recipe", {})
        if before and (changed := changes(before, recipe, [*recipe])):
            facts["changed"] = changed
        facts_of_all.append(facts)
        before = recipe
    return facts_of_all


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results depend on."""
    packages = {name: version(name) for name in PACKAGES}
    return {"python": platform.python_version(), **packages, "torch": torch.__version__}


def data_hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the vocabulary and of all encoded text, by path."""
    paths = [folder / "tokenizer.model", *sorted(folder.rglob("*.ids"))]
    return {str(path.relative_to(folder)): sha256(path) for path in paths}


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


FINGERPRINT = re.compile(r"[0-9a-f]{16}(-[0-9a-f]{16})?")


def fingerprint_of(recipe: Recipe, stage: str, text: str) -> str:
    """Return the fingerprint of a stage; `text` is that of its text, if it is known."""
    of_recipe = recipe.fingerprint(*recipe.sections[stage])
    return f"{of_recipe}-{text}" if text else of_recipe


def read_marker(path: Path) -> str:
    """Return the fingerprint in a file; nothing if it is missing, empty or damaged."""
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return content if FINGERPRINT.fullmatch(content) else ""


def agree(marked: str, fingerprint: str) -> bool:
    """Whether two fingerprints agree in what both of them have."""
    pairs = zip(marked.split("-"), fingerprint.split("-"), strict=False)
    return bool(marked) and all(first == second for first, second in pairs)


def claim(folder: Path, fingerprint: str) -> None:
    """Note in a folder of checkpoints what they are made with."""
    folder.mkdir(parents=True, exist_ok=True)
    write_durably(_claim_of(folder), fingerprint.encode())


def refuse_other(run: Path, recipe: Recipe, text: str, changed: list[str]) -> None:
    """Refuse to go on from checkpoints of another model or other text.

    Only settings of the optimisation may change between two sittings of a run. If the marker is
    damaged, the last sitting says what the checkpoints are made with.

    Raises:
        CheckpointError: they are of another model or other text; the message says what differs.
    """
    folder, fingerprint = run / "checkpoints", fingerprint_of(recipe, "checkpoints", text)
    if not list_checkpoints(folder):
        return
    before = _recipe_before(run)
    claimed = read_marker(_claim_of(folder))
    if not claimed and before is not None:
        claimed = fingerprint_of(before, "checkpoints", "")
    if not claimed or agree(claimed, fingerprint):
        return
    if claimed.split("-")[0] == fingerprint.split("-")[0]:
        problem = f"text that has changed since: {', '.join(changed) or 'some files'}"
    else:
        sections = recipe.sections["checkpoints"]
        settings = changes(before, recipe, sections) if before else {}
        differences = [
            f"{key} was {old!r}, and is {new!r} now" for key, (old, new) in settings.items()
        ]
        problem = "other settings: " + (", ".join(differences) or "data, subwords, model or seed")
    raise CheckpointError(
        f"{folder}: made with {problem}; change it back, name another folder with --out, or delete "
        "these checkpoints to train anew"
    )


def _claim_of(folder: Path) -> Path:
    return folder / "recipe.fingerprint"


def _recipe_before(run: Path) -> Recipe | None:
    """Return the recipe of the last sitting; None if there was none, or it cannot be read now."""
    sitting = last_sitting(run)
    try:
        return recipe_of(sitting, str(run)) if sitting else None
    except (ConfigError, KeyError):
        return None


LOCK = ".lock"


class RunHeldError(TranslatorError):
    """Another process works in the folder of a run."""


@contextmanager
def held(folder: Path, command: str) -> Iterator[None]:
    """Keep a run's folder for this process, and for those that it starts.

    The system frees the folder when the process ends, in whatever way.

    Raises:
        RunHeldError: another process has it; the message names it and its machine.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            _refuse_unless_parent(folder, os.read(descriptor, 4096))
        except OSError:
            pass  # this file system has no locks
        else:
            started = datetime.now(UTC).isoformat(timespec="seconds")
            holder = {"pid": os.getpid(), "machine": socket.gethostname(), "since": started}
            os.ftruncate(descriptor, 0)
            os.write(descriptor, json.dumps(holder | {"command": command}).encode())
        yield
    finally:
        os.close(descriptor)


def _refuse_unless_parent(folder: Path, content: bytes) -> None:
    """Raise RunHeldError, unless the process that has the folder has started this one."""
    holder: dict[str, Any] = {}
    with suppress(ValueError):  # it is just writing who it is
        holder = json.loads(content)
    if holder.get("pid") == os.getppid() and holder.get("machine") == socket.gethostname():
        return
    who = "another process"
    if holder:
        who = "process {pid} on {machine}, with `{command}` since {since},".format_map(holder)
    raise RunHeldError(
        f"{folder}: {who} is at work here; wait for it or end it, or name another folder with --out"
    )
