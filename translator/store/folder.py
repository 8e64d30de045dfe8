"""A folder of model directories: each is put in and taken out whole, so none is ever half there."""

from __future__ import annotations

import shutil
from pathlib import Path

from translator.durable import new_folder
from translator.errors import InputError, ModelDirectoryError
from translator.store.imports.importing import import_model
from translator.store.installed import is_model_directory, read_installed
from translator.store.model_directory import load_model_directory, read_checksums
from translator.store.names import CHECKSUMS


def add_model(folder: Path, source: Path, name: str = "") -> Path:
    """Copy a model directory into a folder after all of it has been checked, or import one.

    The folder is made if it does not exist, and the copy, which is returned, has the source's name
    by default; see `import_model` for models of other projects.

    Raises:
        InputError: the name cannot be used, or is taken.
        ModelDirectoryError: the source is damaged; the message names the file.
        ImportedModelError: it is a model of another project that cannot be read.
        OSError: there is no room, or no permission.
    """
    is_own = (source / CHECKSUMS).is_file()
    if is_own:
        load_model_directory(source)
    target = place_of(folder, name or source.resolve().name)
    if target.exists():
        raise InputError(f"{target}: exists; remove it first, or give another --name")
    if not is_own:
        import_model(str(source), target)
        return target
    with new_folder(target) as made:
        for file in files_of(source):
            shutil.copyfile(source / file, made / file)
        read_installed(made)
    return target


def remove_model(folder: Path, name: str) -> None:
    """Delete a model directory from a folder.

    Raises:
        InputError: there is no such model, or it has files that are not of a model.
        OSError: there is no permission.
    """
    target = place_of(folder, name)
    if target.is_symlink():
        target.unlink()
        return
    if not is_model_directory(target):
        raise InputError(f"{target}: no such model directory")
    try:
        files = {*files_of(target)}
    except ModelDirectoryError as error:
        raise InputError(f"{error}; delete it by hand") from error
    others = sorted({path.name for path in target.iterdir()} - files)
    if others:
        raise InputError(f"{target}: has {others[0]}, which is no part of a model; move it first")
    leaving = target.with_name(f".{target.name}.removed")
    shutil.rmtree(leaving, ignore_errors=True)
    target.rename(leaving)  # at once, for servers that look
    shutil.rmtree(leaving)


def place_of(folder: Path, name: str) -> Path:
    """Return where a model of a name lies in a folder; refuse names that lead out of it."""
    if name.startswith(".") or Path(name).name != name:
        raise InputError(f"{name!r}: a name of a model has no / and does not begin with a dot")
    return folder / name


def files_of(directory: Path) -> list[str]:
    """Return the names of the files of a model directory.

    Raises:
        ModelDirectoryError: its list of checksums is damaged.
    """
    return [*read_checksums(directory)[1], CHECKSUMS]
