"""What a run's folder says of the recipe and the text that it was made with.

`.STAGE.done` and `checkpoints/recipe.fingerprint` hold a fingerprint: one hash of sections of the
recipe, and one of the files that the text was made from. Earlier versions noted the recipe alone.
"""

from __future__ import annotations

import re
from pathlib import Path

from training.loop.state import CheckpointError, list_checkpoints
from training.recipe import Recipe
from training.stages.provenance import changes, last_sitting, recipe_of
from translator.durable import write_durably
from translator.errors import ConfigError

FINGERPRINT = re.compile(r"[0-9a-f]{16}(-[0-9a-f]{16})?")


def fingerprint_of(recipe: Recipe, stage: str, text: str) -> str:
    """Return the fingerprint of a stage; `text` is that of its text, if it is known."""
    found = recipe.fingerprint(*recipe.sections[stage])
    return f"{found}-{text}" if text else found


def read_marker(path: Path) -> str:
    """Return the fingerprint in a file; nothing if it is missing, empty or damaged."""
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    return content if FINGERPRINT.fullmatch(content) else ""


def agree(known: str, fingerprint: str) -> bool:
    """Whether two fingerprints agree in what both of them have."""
    pairs = zip(known.split("-"), fingerprint.split("-"), strict=False)
    return bool(known) and all(one == other for one, other in pairs)


def claim(folder: Path, fingerprint: str) -> None:
    """Note in a folder of checkpoints what they are made with."""
    folder.mkdir(parents=True, exist_ok=True)
    write_durably(_claim_of(folder), fingerprint.encode())


def refuse_other(run: Path, recipe: Recipe, text: str, changed: list[str]) -> None:
    """Refuse to go on from checkpoints of another model or other text.

    Only settings of the optimisation may change between two sittings of a run. If the marker is
    damaged, the last sitting says what the checkpoints are made with.

    Args:
        run: folder of the run.
        recipe: to go on with.
        text: fingerprint of the text to go on with.
        changed: files of the text that have changed.

    Raises:
        CheckpointError: they are of another model or other text; the message says what differs.
    """
    folder, wanted = run / "checkpoints", fingerprint_of(recipe, "checkpoints", text)
    if not list_checkpoints(folder):
        return
    before = _recipe_before(run)
    known = read_marker(_claim_of(folder))
    if not known and before is not None:
        known = fingerprint_of(before, "checkpoints", "")
    if not known or agree(known, wanted):
        return
    if known.split("-")[0] == wanted.split("-")[0]:
        problem = f"text that has changed since: {', '.join(changed) or 'some files'}"
    else:
        sections = recipe.sections["checkpoints"]
        settings = changes(before, recipe, sections) if before else {}
        told = [f"{key} was {old!r}, and is {new!r} now" for key, (old, new) in settings.items()]
        problem = "other " + (", ".join(told) or "data, subwords, model or seed")
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
