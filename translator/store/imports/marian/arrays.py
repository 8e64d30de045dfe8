"""Arrays by name: NumPy's archives, and Marian's own binary files. Nothing is unpickled.

A binary file has names, types and shapes of arrays, and their bytes:

    version, number of arrays            uint64 each
    name's length, type, rank, bytes     uint64 each, for every array
    names, each with a zero at its end
    shapes, int32
    padding's length, padding            uint64, zeros up to a multiple of 256 bytes
    bytes of the arrays

Matrices of type `intgemm8` hold whole numbers of 8 bits, and behind them what all of them are to be
divided by. They lie with their inputs next to one another, so transposed, but for embeddings, whose
rows are vectors anyway.

Source: `numpy.lib.format`; `common/binary.cpp` and `tensors/cpu/integer_common.h` of Marian.
"""

from __future__ import annotations

import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from translator.errors import ImportedModelError
from translator.store.imports.reading import SPARE_BYTES, ByteReader

Arrays = dict[str, npt.NDArray[Any]]

MOST_GROWTH = 2
"""Times the arrays are at most larger than the file: weights hardly shrink."""

MOST_DIMENSIONS = 4
_HEADERS: dict[tuple[int, int], Callable[[io.BytesIO], Any]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read_npz(path: Path) -> Arrays:
    """Return the arrays of an `.npz` file by name."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            total = sum(entry.file_size for entry in entries)
            if total > MOST_GROWTH * path.stat().st_size + SPARE_BYTES:
                raise ImportedModelError(f"{path}: would grow to {total} bytes; refused")
            return {
                entry.filename.removesuffix(".npy"): _from_npy(archive.read(entry), path, entry)
                for entry in entries
            }
    except OSError as error:
        raise ImportedModelError(f"{path}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ImportedModelError(f"{path}: truncated or damaged ({error})") from error


def _from_npy(content: bytes, path: Path, entry: zipfile.ZipInfo) -> npt.NDArray[Any]:
    """Return an array, whose header must tell the number of bytes that are there."""
    place = f"{path}: {entry.filename}"
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        if version not in _HEADERS:
            raise ImportedModelError(f"{place}: NumPy's format {version} is not known")
        shape, is_fortran, dtype = _HEADERS[version](stream)
    except ValueError as error:
        raise ImportedModelError(f"{place}: damaged ({' '.join(str(error).split())})") from error
    if dtype.hasobject:
        raise ImportedModelError(f"{place}: holds Python objects, and could run code; refused")
    count = math.prod(shape)
    if len(shape) > MOST_DIMENSIONS or count * dtype.itemsize != len(content) - stream.tell():
        raise ImportedModelError(f"{place}: damaged: has other bytes than {shape} of {dtype}")
    flat = np.frombuffer(content, dtype, count, stream.tell())
    return flat.reshape(shape, order="F" if is_fortran else "C").copy()


VERSION = 1
MOST_ARRAYS, MOST_NAME_BYTES = 100_000, 1000
ALIGNMENT = 256
"""What follows an array's bytes fills them up to a multiple of this."""

INTGEMM8 = 0x4101
DTYPES = {0x101: "<i1", 0x104: "<i4", 0x402: "<f2", 0x404: "<f4", INTGEMM8: "<i1"}
"""By the numbers of Marian's types; those for one kind of CPU cannot be read elsewhere."""

MULTIPLIER_BYTES = 4
IS_EMBEDDING = re.compile(r".*Wemb.*")


class _Header(NamedTuple):
    name: str
    kind: int
    shape: tuple[int, ...]
    num_bytes: int


def _name(reader: ByteReader, length: int) -> str:
    written = bytes(reader.take(length))
    try:
        name = written.decode("ascii")
    except UnicodeDecodeError as error:
        raise ImportedModelError(f"{reader.place}: a name is not ASCII") from error
    if not name.endswith("\0") or "\0" in name[:-1]:
        raise ImportedModelError(f"{reader.place}: a name does not end where it should: {name!r}")
    return name[:-1]


class Binary(NamedTuple):
    """What a file holds."""

    arrays: Arrays  # by name; whole numbers of 8 bits are divided by their multipliers
    multipliers: dict[str, float]  # of those arrays, by name


def read_binary(content: bytes, place: str) -> Binary:
    """Read a file; `place` is its name, for messages."""
    reader = ByteReader(content, place)
    arrays, multipliers = Arrays(), dict[str, float]()
    for header in _headers(reader):
        if header.name in arrays:
            raise ImportedModelError(f"{place}: {header.name} is there twice")
        taken = reader.take(header.num_bytes)
        arrays[header.name] = _array(header, taken, place)
        if header.kind == INTGEMM8:
            multipliers[header.name] = _multiplier(header, taken)
    if reader.at != len(content):
        raise ImportedModelError(f"{place}: has bytes behind its last array; damaged")
    return Binary(arrays, multipliers)


def _headers(reader: ByteReader) -> list[_Header]:
    version, count = reader.numbers("Q", 2)
    if version != VERSION:
        raise ImportedModelError(
            f"{reader.place}: not a binary model of Marian's, or of another version than {VERSION}"
        )
    if not 1 <= count <= MOST_ARRAYS:
        raise ImportedModelError(f"{reader.place}: damaged: says that it has {count} arrays")
    given = [reader.numbers("Q", 4) for _ in range(count)]
    for name_bytes, kind, rank, _ in given:
        if not 1 <= name_bytes <= MOST_NAME_BYTES or not 1 <= rank <= MOST_DIMENSIONS:
            raise ImportedModelError(f"{reader.place}: damaged: a name or a shape is too long")
        if kind not in DTYPES:
            raise ImportedModelError(
                f"{reader.place}: an array is of type {kind:#x}, which is not known; take the "
                "model's intgemm8 or float32 file"
            )
    names = [_name(reader, name_bytes) for name_bytes, *_ in given]
    shapes = [reader.numbers("i", rank) for _, _, rank, _ in given]
    [padding] = reader.numbers("Q", 1)
    if padding > ALIGNMENT:
        raise ImportedModelError(f"{reader.place}: damaged: {padding} bytes of padding")
    reader.take(padding)
    return [
        _Header(name, kind, shape, num_bytes)
        for name, shape, (_, kind, _, num_bytes) in zip(names, shapes, given, strict=True)
    ]


def _array(header: _Header, content: memoryview, place: str) -> npt.NDArray[Any]:
    """Return an array, which must have the bytes of its shape, and no more than fill them up."""
    name, kind, shape, num_bytes = header
    dtype = np.dtype(DTYPES[kind])
    count, last = math.prod(shape), MULTIPLIER_BYTES if kind == INTGEMM8 else 0
    spare = num_bytes - count * dtype.itemsize - last
    if min(shape) < 1 or not 0 <= spare < ALIGNMENT:
        raise ImportedModelError(f"{place}: {name} has {num_bytes} bytes for {[*shape]}; damaged")
    array = np.frombuffer(content, dtype, count)
    if kind != INTGEMM8:
        return array.reshape(shape).copy()
    multiplier = _multiplier(header, content)
    least = 128 / float(np.finfo(np.float32).max)  # by which all of int8 can be divided
    if len(shape) != 2 or not (math.isfinite(multiplier) and multiplier > least):
        raise ImportedModelError(f"{place}: {name} is to be divided by {multiplier}; damaged")
    floats = array.astype(np.float32) / np.float32(multiplier)
    if IS_EMBEDDING.fullmatch(name):
        return floats.reshape(shape)
    return np.ascontiguousarray(floats.reshape(shape[::-1]).T)


def _multiplier(header: _Header, content: memoryview) -> float:
    return float(struct.unpack_from("<f", content, math.prod(header.shape))[0])
