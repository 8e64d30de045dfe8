"""The user's own folder of models, and which of its models is preferred."""

from __future__ import annotations

import os
from pathlib import Path

from translator.config import HOME
from translator.durable import write_durably
from translator.errors import InputError
from translator.store.names import CHECKSUMS

PRETRAINED = Path(__file__).parents[1] / "pretrained"
DEFAULT_MODEL = PRETRAINED / "de-en"
"""The model that comes with the project."""

NOWHERE = "/nonexistent"
"""Where there is no model, and where none can be written."""

PREFERENCE = "preference.txt"
"""In a folder of models: their names, one a line, the preferred one first."""


def home() -> Path:
    """Return where this project keeps what it downloads.

    It is `TRANSLATOR_HOME`, or else `translator` in the user's folder for data.

    Source: the XDG Base Directory Specification.
    """
    if path := os.environ.get(HOME):
        return Path(path)
    data = os.environ.get("XDG_DATA_HOME")
    if not data:
        try:
            data = str(Path.home() / ".local" / "share")
        except RuntimeError:  # the user has no home, as in some containers
            data = NOWHERE
    return Path(data, "translator")


def models_folder() -> Path:
    """Return the folder of models that is used when nobody names another."""
    return home() / "models"


def preferred(folder: Path) -> list[str]:
    """Return the names that a folder's `preference.txt` lists; none if it has no such file.

    A line may also be the path of a model directory that lies elsewhere.
    """
    try:
        lines = (folder / PREFERENCE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [line.strip() for line in lines if line.strip()]


def prefer(folder: Path, name: str) -> None:
    """Let a model come before all others of a folder, wherever several have a pair.

    It is named, or is the path of a model directory elsewhere.

    Raises:
        InputError: there is no such model.
        OSError: there is no permission.
    """
    if not (folder / name / CHECKSUMS).is_file():
        raise InputError(f"{folder / name}: no such model directory; see `models list`")
    if Path(name).name != name:
        is_inside = Path(name).parent.resolve() == folder.resolve()
        name = Path(name).name if is_inside else str(Path(name).resolve())
    folder.mkdir(parents=True, exist_ok=True)
    lines = [name, *(line for line in preferred(folder) if line != name)]
    write_durably(folder / PREFERENCE, "".join(f"{line}\n" for line in lines).encode())
