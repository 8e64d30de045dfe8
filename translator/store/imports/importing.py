"""Models of other projects become model directories, one or many, whatever their form and place."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from translator.config import ModelDescription
from translator.errors import ConfigError, ImportedModelError, InputError
from translator.store.imports.archives import unpacked
from translator.store.imports.huggingface import read_huggingface
from translator.store.imports.imported import ImportedModel
from translator.store.imports.marian.directory import is_binary, is_marian, read_marian
from translator.store.imports.opennmt import is_package, read_package

WANTED = ["*.json", "*.spm", "*.model", "*.safetensors", "*.bin", "*.npz", "*.yml"]
UNWANTED = ["*/*", "*onnx*", "*rust*", "tf_*", "flax_*"]
_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def is_hub_name(source: str) -> bool:
    """Return whether a source may be a model on the hub, such as `Helsinki-NLP/opus-mt-de-en`."""
    return _NAME.fullmatch(source) is not None and not source.startswith(".")


def download(name: str, revision: str | None = None) -> tuple[Path, dict[str, Any]]:
    """Fetch a model from the hub, all its files of one revision: the newest if None.

    Returns:
        where its files are, and what the card is to say: origin, commit and licence.

    Raises:
        ConfigError: `huggingface_hub` is not installed.
        ImportedModelError: the hub cannot be reached, or has no such model.
    """
    try:
        import huggingface_hub
    except ImportError as error:
        raise ConfigError(
            [f"huggingface_hub: needed to download {name}; run `pip install huggingface_hub`"],
            "import",
        ) from error
    try:
        info = huggingface_hub.HfApi().model_info(name, revision=revision)
        folder = huggingface_hub.snapshot_download(
            name, revision=info.sha, allow_patterns=WANTED, ignore_patterns=UNWANTED
        )
    except Exception as error:  # of requests, of the hub, of the disk
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise ImportedModelError(f"{name}: cannot be downloaded ({reason})") from error
    licence = getattr(info.card_data, "license", None)
    return Path(folder), {"revision": info.sha, "licence": licence}


Languages = tuple[str, str] | None
Reader = Callable[[Path, Languages], ImportedModel]


def _known(source: Path) -> Reader | None:
    """Return what reads a source, packed or not, by the files that it has; None if nothing does."""
    if is_binary(source):
        return read_marian
    if is_package(source):
        return read_package
    if (source / "config.json").exists():
        return read_huggingface
    if is_marian(source):
        return read_marian
    return None


def _reader_of(source: Path) -> Reader:
    if reader := _known(source):
        return reader
    raise ImportedModelError(
        f"{source}: not a directory of MarianMT, M2M100 or NLLB with its config.json, none of "
        "Marian's with its .npz or model.….bin, no Argos package and no CTranslate2 directory"
    )


def import_model(
    source: str,
    directory: Path | Callable[[ModelDescription], Path],
    *,
    languages: Languages = None,
    revision: str | None = None,
    licence: str | None = None,
    card: Mapping[str, Any] | None = None,
) -> ImportedModel:
    """Read a model of another project and write it as a model directory.

    The source is a directory, or a name on the Hugging Face hub such as
    `Helsinki-NLP/opus-mt-de-en`; the directory may replace a model directory, or be chosen when the
    model is known. Languages are source and target, where the model does not tell them. The card
    names the revision, and has the hub's licence by default.

    Raises:
        ImportedModelError: the source is damaged, hostile, or of a form that is not known.
        InputError: there is no such source.
        ConfigError: a model on the hub needs `huggingface_hub`, which is not installed.
    """
    path, of_hub = Path(source), dict[str, Any]()
    if not path.exists():
        if not is_hub_name(source):
            raise InputError(f"{source}: no such directory, and no name of the form owner/model")
        path, of_hub = download(source, revision)
    card_fields = {"licence": licence} if licence else {}
    with unpacked(path) as folder:
        imported = _reader_of(folder)(folder, languages)
        place = directory if isinstance(directory, Path) else directory(imported.description)
        imported.save(place, {"origin": source} | of_hub | card_fields | dict(card or {}))
    logging.getLogger(__name__).info("%s: %s, %s", place, imported.kind, source)
    return imported


MOST_DEPTH = 4
"""Folders inside one another that are looked into, such as `models/tiny/deen`."""

PACKAGES = (".argosmodel", ".zip", ".tar.gz", ".tgz")


class ImportOutcome(NamedTuple):
    """What became of a model."""

    source: Path  # of the other project
    directory: Path  # made of it
    model: ImportedModel | ImportedModelError  # that is now there, or why there is none


def models_in(folder: Path, depth: int = MOST_DEPTH) -> Iterator[Path]:
    """Yield the models in a folder, in folders of their own or packed, in order of their names.

    Raises:
        InputError: it is no folder.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if _known(path) is not None:
                yield path
            elif depth > 1:
                yield from models_in(path, depth - 1)
        elif path.name.endswith(PACKAGES):
            yield path


def import_each(folder: Path, out: Path, licence: str | None = None) -> Iterator[ImportOutcome]:
    """Import every model of a folder; one that is refused does not keep the others from it.

    A model of one direction is named after it, such as `de-en`, others after their folders. Where
    two have one name, the second gets a number.

    The card has the licence of each source by default.

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
        place = out / name
        while place in self._taken:
            number += 1
            place = out / f"{name}-{number}"
        self._taken.add(place)
        self.chosen = place
        return place
