"""A model of another project becomes a model directory, whatever its form."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from translator.config import ModelDescription
from translator.errors import ImportedModelError, InputError
from translator.store.imports.archives import unpacked
from translator.store.imports.hub import download, is_hub_name
from translator.store.imports.huggingface.directory import read_huggingface
from translator.store.imports.imported import ImportedModel
from translator.store.imports.marian.directory import is_binary, is_marian, read_marian
from translator.store.imports.opennmt.package import is_package, read_package

Languages = tuple[str, str] | None
Reader = Callable[[Path, Languages], ImportedModel]


def is_model(source: Path) -> bool:
    """Return whether a folder has the files of a model, packed or not."""
    return _known(source) is not None


def _known(source: Path) -> Reader | None:
    """Return what reads a source, told by the files that it has; None if nothing does."""
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
    found = _known(source)
    if found is not None:
        return found
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

    Args:
        source: a directory, or a name on the Hugging Face hub such as
            `Helsinki-NLP/opus-mt-de-en`.
        directory: to make, or a model directory to replace; or what chooses it when the model is
            known.
        languages: source and target, where the model does not tell them.
        revision: of a model on the hub; the newest if None. The card names it.
        licence: for the card; that of the hub by default.
        card: what else the card is to say.

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
    own = {"licence": licence} if licence else {}
    with unpacked(path) as folder:
        imported = _reader_of(folder)(folder, languages)
        place = directory if isinstance(directory, Path) else directory(imported.description)
        imported.save(place, {"origin": source} | of_hub | own | dict(card or {}))
    logging.getLogger(__name__).info("%s: %s, %s", place, imported.kind, source)
    return imported
