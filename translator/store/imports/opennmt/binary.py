"""The variables in CTranslate2's `model.bin`.

Source: `ModelSpec._serialize` of CTranslate2, binary version 6.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from translator.errors import ImportedModelError

VERSION = 6
DTYPES = (
    torch.float32,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.float16,
    torch.bfloat16,
)
"""In the order of their numbers."""

MOST_DIMENSIONS = 8


class _Reader:
    """Reads numbers and names; never beyond the end of the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content = memoryview(path.read_bytes())
        self.place = 0

    def take(self, count: int) -> memoryview:
        end = self.place + count
        if end > len(self.content):
            raise ImportedModelError(f"{self.path}: truncated or damaged at byte {self.place}")
        taken, self.place = self.content[self.place : end], end
        return taken

    def number(self, kind: str) -> int:
        return int(struct.unpack(f"<{kind}", self.take(struct.calcsize(kind)))[0])

    def name(self) -> str:
        try:
            return bytes(self.take(self.number("H"))).rstrip(b"\0").decode()
        except UnicodeDecodeError as error:
            raise ImportedModelError(f"{self.path}: damaged at byte {self.place}") from error


def read_variables(path: Path) -> dict[str, Tensor]:
    """Return all variables of a `model.bin`, aliases included, quantised ones as they are stored.

    Raises:
        ImportedModelError: it is missing, truncated, damaged, or not of a Transformer.
    """
    try:
        reader = _Reader(path)
    except OSError as error:
        raise ImportedModelError(f"{path}: {error.strerror}") from error
    version = reader.number("I")
    if version != VERSION:
        raise ImportedModelError(f"{path}: binary version {version}; only {VERSION} is known")
    name = reader.name()
    if name != "TransformerSpec":
        raise ImportedModelError(f"{path}: holds a {name!r}; only TransformerSpec can be imported")
    reader.number("I")  # the revision of the kind of model
    found = dict[str, Tensor]()
    for _ in range(reader.number("I")):
        key = reader.name()
        found[key] = _variable(reader, key)
    for _ in range(reader.number("I")):
        alias, key = reader.name(), reader.name()
        if key not in found:
            raise ImportedModelError(f"{path}: {alias} stands for {key}, which is not there")
        found[alias] = found[key]
        scale = found.get(f"{key}_scale")
        if scale is not None:
            found.setdefault(f"{alias}_scale", scale)
    return found


def _variable(reader: _Reader, name: str) -> Tensor:
    rank = reader.number("B")
    if rank > MOST_DIMENSIONS:
        raise ImportedModelError(f"{reader.path}: {name} has {rank} dimensions")
    shape = [reader.number("I") for _ in range(rank)]
    kind = reader.number("B")
    if kind >= len(DTYPES):
        raise ImportedModelError(f"{reader.path}: {name} is of an unknown type, number {kind}")
    num_bytes, count = reader.number("I"), 1
    for size in shape:
        count *= size
    if num_bytes != count * DTYPES[kind].itemsize:
        raise ImportedModelError(f"{reader.path}: {name} has {num_bytes} bytes for {shape}")
    content = bytearray(reader.take(num_bytes))
    if not content:
        return torch.zeros(shape, dtype=DTYPES[kind])
    return torch.frombuffer(content, dtype=DTYPES[kind]).view(shape)


def dequantised(variables: Mapping[str, Tensor], name: str) -> Tensor:
    """Return a weight in floats: int8 and int16 are divided by their scales.

    Raises:
        ImportedModelError: it, or its scale, is missing or does not fit.
    """
    if name not in variables:
        raise ImportedModelError(f"model.bin: lacks {name}")
    weight = variables[name]
    if weight.is_floating_point():
        return weight.float()
    scale = variables.get(f"{name}_scale")
    if scale is None or (scale.dim() and scale.shape != weight.shape[:1]):
        raise ImportedModelError(f"model.bin: {name} lacks scales of its shape")
    return weight.float() / (scale[:, None] if scale.dim() else scale)
