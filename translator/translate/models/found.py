"""Model directories in folders, in order of preference; what is damaged is named and left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from translator.errors import ModelDirectoryError
from translator.store.home import PREFERENCE, preferred
from translator.store.installed import InstalledModel, is_model_directory, read_installed
from translator.store.names import CHECKSUMS


@dataclass(frozen=True, slots=True)
class Found:
    """What lies in some folders.

    Attributes:
        models: that can be used, in order of preference.
        faults: why others cannot; each names a file.
    """

    models: tuple[InstalledModel, ...]
    faults: tuple[str, ...]


def find_models(paths: Sequence[Path]) -> Found:
    """Look for model directories.

    Args:
        paths: in order of preference; each is a model directory, or a folder of some, which come in
            order of their names. Those that the folder's `preference.txt` lists come first. Hidden
            folders are passed over, and so is whatever else lies there.
    """
    models, faults = list[InstalledModel](), list[str]()
    names, places = set[str](), set[Path]()
    for folder in _folders(paths, faults):
        if folder.resolve() in places:
            continue
        places.add(folder.resolve())
        try:
            model = read_installed(folder)
        except ModelDirectoryError as error:
            faults.append(str(error))
            continue
        if model.name in names:  # of two folders with one name, the second is known by its path
            model = replace(model, name=str(folder))
        names.add(model.name)
        models.append(model)
    return Found(tuple(models), tuple(faults))


def stamp_of(paths: Sequence[Path]) -> tuple[tuple[str, int], ...]:
    """Return what changes when a model comes, goes or is replaced, or another one is preferred.

    Args:
        paths: see `find_models`.
    """
    files = list[Path]()
    for path in paths:
        files += [path / CHECKSUMS, path / PREFERENCE]
        with suppress(OSError):
            inner = [entry for entry in path.iterdir() if not entry.name.startswith(".")]
            files += [entry / CHECKSUMS for entry in sorted(inner)]
    found = list[tuple[str, int]]()
    for file in files:
        with suppress(OSError):
            found.append((str(file), file.stat().st_mtime_ns))
    return tuple(found)


def _folders(paths: Sequence[Path], faults: list[str]) -> Iterator[Path]:
    for path in paths:
        if is_model_directory(path):
            yield path
            continue
        try:
            inner = sorted(path.iterdir())
        except OSError as error:
            faults.append(f"{path}: {error.strerror}")
            continue
        yield from filter(is_model_directory, (path / name for name in preferred(path)))
        for folder in inner:
            if not folder.name.startswith(".") and is_model_directory(folder):
                yield folder
