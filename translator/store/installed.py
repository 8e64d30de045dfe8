"""What a model directory says of itself, read without its weights: quick, and in little memory."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors

from translator.config import ModelDescription
from translator.errors import ModelDirectoryError
from translator.store.model_directory import (
    parse_json,
    read_checksums,
    read_description,
    read_file,
)
from translator.store.names import CARD, CHECKSUMS, CONFIG, WEIGHTS
from translator.store.weights import check_digest

FLOAT_BYTES = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class InstalledModel:
    """A model directory that can be loaded, unless its weights or its vocabulary are altered."""

    path: Path  # where it lies
    name: str  # by which people know it; no two of a set have the same
    checksum: str  # of all of its files, as `LoadedModel.checksum`
    description: ModelDescription  # what its configuration says
    card: Mapping[str, Any]  # how it came about
    num_bytes: int  # of its weights in float32


def is_model_directory(folder: Path) -> bool:
    """Return whether a folder is meant to be a model directory, perhaps a damaged one."""
    return any((folder / name).is_file() for name in (CHECKSUMS, CONFIG, WEIGHTS))


def read_installed(folder: Path) -> InstalledModel:
    """Read all of a model directory but its weights and its vocabulary.

    Raises:
        ModelDirectoryError: a file is missing, truncated, altered or of another format; the
            message names it. That bytes within the weights differ is found by loading them only.
    """
    listed, digests = read_checksums(folder)
    for file in digests:
        if not (folder / file).is_file():
            raise ModelDirectoryError(
                f"{folder / file}: is missing; copy the model directory again"
            )
    contents = {file: read_file(folder / file) for file in (CONFIG, CARD)}
    for file, content in contents.items():
        check_digest(folder / file, hashlib.sha256(content).hexdigest(), digests[file])
    card = parse_json(contents[CARD], folder / CARD)
    return InstalledModel(
        path=folder,
        name=folder.resolve().name,
        checksum=hashlib.sha256(listed).hexdigest(),
        description=read_description(contents[CONFIG], folder / CONFIG),
        card=card if isinstance(card, dict) else {},
        num_bytes=_float_bytes(folder / WEIGHTS),
    )


def _float_bytes(path: Path) -> int:
    """Return the bytes of safetensors weights in float32, by the header of the file."""
    try:
        with safetensors.safe_open(path, "np") as stored:
            shapes = [stored.get_slice(name).get_shape() for name in {*stored.keys()}]
    except (OSError, safetensors.SafetensorError) as error:
        raise ModelDirectoryError(
            f"{path}: is not whole safetensors ({error}); copy the model directory again"
        ) from error
    return FLOAT_BYTES * sum(map(math.prod, shapes))
