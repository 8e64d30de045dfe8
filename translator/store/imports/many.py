"""A folder of models of other projects becomes a folder of model directories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from translator.config import ModelDescription
from translator.errors import ImportedModelError, InputError
from translator.store.imports.imported import ImportedModel
from translator.store.imports.importing import import_model, is_model

MOST_DEPTH = 4
"""Folders inside one another that are looked into, such as `models/tiny/deen`."""

PACKAGES = (".argosmodel", ".zip", ".tar.gz", ".tgz")


class ImportOutcome(NamedTuple):
    """What became of a model.

    Attributes:
        source: of the other project.
        directory: made of it.
        model: that is now there, or why there is none.
    """

    source: Path
    directory: Path
    model: ImportedModel | ImportedModelError


def models_in(folder: Path, depth: int = MOST_DEPTH) -> Iterator[Path]:
    """Yield the models in a folder, in folders of their own or packed, in order of their names.

    Raises:
        InputError: it is no folder.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if is_model(path):
                yield path
            elif depth > 1:
                yield from models_in(path, depth - 1)
        elif path.name.endswith(PACKAGES):
            yield path


def import_each(folder: Path, out: Path, licence: str | None = None) -> Iterator[ImportOutcome]:
    """Import every model of a folder; one that is refused does not keep the others from it.

    A model of one direction is named after it, such as `de-en`, others after their folders. Where
    two have one name, the second gets a number.

    Args:
        folder: with models in it.
        out: folder of model directories, made if it does not exist.
        licence: for all cards; that of each source by default.

    Raises:
        InputError: there is no such folder, or no model in it.
    """
    sources, taken = [*models_in(folder)], set[Path]()
    if not sources:
        raise InputError(f"{folder}: has no model of another project")
    for source in sources:
        place = _Place(out, source, taken)
        found: ImportedModel | ImportedModelError
        try:
            found = import_model(str(source), place, licence=licence)
        except ImportedModelError as error:
            found = error
        yield ImportOutcome(source, place.chosen, found)


class _Place:
    """Chooses where a model goes when it is known, once."""

    def __init__(self, out: Path, source: Path, taken: set[Path]) -> None:
        self.chosen, self._source, self._taken = out, source, taken

    def __call__(self, description: ModelDescription) -> Path:
        directions, out, number = description.directions, self.chosen, 1
        name = directions[0] if len(directions) == 1 else self._source.stem
        found = out / name
        while found in self._taken:
            number += 1
            found = out / f"{name}-{number}"
        self._taken.add(found)
        self.chosen = found
        return found
