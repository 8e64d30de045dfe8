"""Files of other projects, read with suspicion: nothing is executed, and memory has a bound."""

from __future__ import annotations

import json
import pickle
import struct
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.config import ModelConfig
from translator.errors import ConfigError, ImportedModelError
from translator.model.weights import problem_with

MOST_TEXT_BYTES = 100_000_000
"""Of a vocabulary or a configuration; the largest known has 20 million."""

SPARE_BYTES = 1_000_000


@contextmanager
def refused_at(place: str) -> Iterator[None]:
    """Refuse a configuration of ours with bad values; `place` is the file that they come from."""
    try:
        yield
    except ConfigError as error:
        raise ImportedModelError(f"{place}: {'; '.join(error.problems)}") from error


def read_bytes(path: Path, most: int = MOST_TEXT_BYTES) -> bytes:
    """Return a small file."""
    try:
        if path.stat().st_size > most:
            raise ImportedModelError(f"{path}: larger than {most} bytes; not such a file")
        return path.read_bytes()
    except OSError as error:
        raise ImportedModelError(f"{path}: {error.strerror}") from error


def decoded(content: bytes, place: Path | str) -> str:
    """Return a text; `place` is where it lies, for messages."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ImportedModelError(f"{place}: is not UTF-8") from error


class ByteReader:
    """Takes bytes and numbers of a file in order; never beyond its end."""

    def __init__(self, content: bytes, place: Path | str) -> None:
        self.content, self.place, self.at = memoryview(content), place, 0

    def take(self, count: int) -> memoryview:
        """Return the next bytes."""
        if count > len(self.content) - self.at:
            raise ImportedModelError(f"{self.place}: truncated or damaged at byte {self.at}")
        taken = self.content[self.at : self.at + count]
        self.at += count
        return taken

    def numbers(self, kind: str, count: int) -> tuple[int, ...]:
        """Return the next numbers, each of a kind of `struct`, in little endian."""
        return struct.unpack(f"<{count}{kind}", self.take(count * struct.calcsize(kind)))


def read_json(path: Path) -> Any:
    """Return the contents of a JSON file."""
    try:
        return json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise ImportedModelError(f"{path}: is not JSON ({error})") from error


def read_table(path: Path, is_optional: bool = False) -> dict[str, Any]:
    """Return the table in a JSON file; an empty one for a file that may be missing and is."""
    if is_optional and not path.exists():
        return {}
    table = read_json(path)
    if not isinstance(table, dict):
        raise ImportedModelError(f"{path}: must be a table, got {type(table).__name__}")
    return table


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Return the tensors of a `.safetensors` or a PyTorch file; bfloat16 in float32.

    PyTorch's files are pickles, which can run code; here they are read with `weights_only`, which
    refuses everything but tensors.

    Raises:
        ImportedModelError: the file is truncated, holds something else, or would take more memory
            than it has bytes.
    """
    import safetensors.torch
    import torch

    try:
        if path.suffix == ".safetensors":
            return _arrays(safetensors.torch.load_file(path), path)
        _refuse_compressed(path)
        with warnings.catch_warnings():  # of other versions of pickle, which are refused if unknown
            warnings.simplefilter("ignore")
            content = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise ImportedModelError(
            f"{path}: holds more than tensors, and could run code; refused"
        ) from error
    except FileNotFoundError as error:
        raise ImportedModelError(f"{path}: no such file") from error
    except (safetensors.SafetensorError, OSError, RuntimeError, EOFError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ImportedModelError(f"{path}: truncated or damaged ({reason})") from error
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ImportedModelError(f"{path}: damaged ({error!r})"[:300]) from error
    return _arrays(content, path)


def _refuse_compressed(path: Path) -> None:
    """Refuse an archive that is larger than its file: PyTorch writes them uncompressed."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            total = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile as error:
        raise ImportedModelError(f"{path}: truncated or damaged ({error})") from error
    if total > path.stat().st_size + SPARE_BYTES:
        raise ImportedModelError(f"{path}: a compressed archive of {total} bytes; refused")


def _arrays(content: object, path: Path) -> dict[str, NDArray[Any]]:
    import torch

    if not isinstance(content, Mapping):
        raise ImportedModelError(f"{path}: must hold named tensors, got {type(content).__name__}")
    for name, tensor in content.items():
        if not isinstance(name, str) or not isinstance(tensor, torch.Tensor):
            raise ImportedModelError(f"{path}: {name!r} is not a tensor")
        if tensor.is_sparse or tensor.numel() * tensor.itemsize > tensor.untyped_storage().nbytes():
            raise ImportedModelError(f"{path}: {name} is larger than what is stored of it; refused")
    return {
        name: (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()
        for name, tensor in content.items()
    }


def check_weights(weights: Mapping[str, NDArray[Any]], config: ModelConfig, source: str) -> None:
    """Refuse weights that are not exactly those of such a model, before memory is taken for it."""
    num_layers = config.num_encoder_layers + config.num_decoder_layers
    if num_layers > len(weights):
        raise ImportedModelError(
            f"{source}: has {len(weights)} tensors, too few for {num_layers} layers"
        )
    if problem := problem_with(config, {name: array.shape for name, array in weights.items()}):
        raise ImportedModelError(f"{source}: {problem}")
    for name, array in weights.items():
        if not np.issubdtype(array.dtype, np.floating) or not np.isfinite(array).all():
            raise ImportedModelError(f"{source}: {name} has numbers that are not finite")
