"""What a model directory says of itself, read without its weights: quick, and in little memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from translator.config import ModelDescription
from translator.errors import ModelDirectoryError
from translator.store.model_directory import parse_json, read_description, read_file
from translator.store.names import CARD, CHECKSUMS, CONFIG, WEIGHTS
from translator.store.weights import check_digest

FLOAT_BYTES = 4
_ELEMENT_BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1}
_LONGEST_HEADER = 64 * 1024 * 1024


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


def read_installed(folder: Path, name: str = "") -> InstalledModel:
    """Read all of a model directory but its weights and its vocabulary.

    Raises:
        ModelDirectoryError: a file is missing, truncated, altered or of another format; the
            message names it. That bytes within the weights differ is found by loading them only.
    """
    if not (folder / CHECKSUMS).is_file():
        raise ModelDirectoryError(
            f"{folder}: has no {CHECKSUMS}: it is incomplete, or a model of another project, which "
            "must be imported first"
        )
    listed = read_file(folder / CHECKSUMS)
    checksums = parse_json(listed, folder / CHECKSUMS)
    if not isinstance(checksums, dict) or not {CONFIG, CARD, WEIGHTS} <= checksums.keys():
        raise ModelDirectoryError(
            f"{folder / CHECKSUMS}: damaged: it must name {CONFIG}, {CARD} and {WEIGHTS}"
        )
    for file in checksums:
        if not (folder / file).is_file():
            raise ModelDirectoryError(
                f"{folder / file}: is missing; copy the model directory again"
            )
    contents = {file: read_file(folder / file) for file in (CONFIG, CARD)}
    for file, content in contents.items():
        check_digest(folder / file, hashlib.sha256(content).hexdigest(), checksums[file])
    card = parse_json(contents[CARD], folder / CARD)
    return InstalledModel(
        path=folder,
        name=name or folder.resolve().name,
        checksum=hashlib.sha256(listed).hexdigest(),
        description=read_description(contents[CONFIG], folder / CONFIG),
        card=card if isinstance(card, dict) else {},
        num_bytes=_float_bytes(folder / WEIGHTS),
    )


def _float_bytes(path: Path) -> int:
    """Return the bytes of safetensors weights in float32, by the header of the file.

    Source: the description of the format at https://github.com/huggingface/safetensors.
    """
    try:
        with path.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            header = json.loads(stream.read(min(length, _LONGEST_HEADER)))
        tensors = [tensor for name, tensor in header.items() if name != "__metadata__"]
        places = [tuple(map(int, tensor["data_offsets"])) for tensor in tensors]
        widths = [_ELEMENT_BYTES[tensor["dtype"]] for tensor in tensors]
        num_bytes = path.stat().st_size
    except OSError as error:
        raise ModelDirectoryError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise ModelDirectoryError(
            f"{path}: is not safetensors ({error!r}); copy the model directory again"
        ) from error
    expected = 8 + length + max((end for _, end in places), default=0)
    if num_bytes != expected:
        raise ModelDirectoryError(
            f"{path}: has {num_bytes} bytes, not {expected}; copy the model directory again"
        )
    sizes = ((end - start) // width for (start, end), width in zip(places, widths, strict=True))
    return FLOAT_BYTES * sum(sizes)
