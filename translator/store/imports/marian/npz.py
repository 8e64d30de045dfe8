"""NumPy's archives of arrays, read without unpickling anything.

Source: `numpy.lib.format`; its headers are Python literals, and are read as literals only.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from translator.errors import ImportedModelError
from translator.store.imports.reading import SPARE_BYTES

Arrays = dict[str, npt.NDArray[Any]]

MOST_GROWTH = 2
"""Times the arrays are at most larger than the file: weights hardly shrink."""

MOST_DIMENSIONS = 4
_HEADERS: dict[tuple[int, int], Callable[[io.BytesIO], Any]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read_npz(path: Path) -> Arrays:
    """Return the arrays of an `.npz` file by name.

    Raises:
        ImportedModelError: it is missing, truncated or damaged, would take more memory than it has
            bytes, or holds Python objects.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            total = sum(entry.file_size for entry in entries)
            if total > MOST_GROWTH * path.stat().st_size + SPARE_BYTES:
                raise ImportedModelError(f"{path}: would grow to {total} bytes; refused")
            return {
                entry.filename.removesuffix(".npy"): _array(archive.read(entry), path, entry)
                for entry in entries
            }
    except OSError as error:
        raise ImportedModelError(f"{path}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ImportedModelError(f"{path}: truncated or damaged ({error})") from error


def _array(content: bytes, path: Path, entry: zipfile.ZipInfo) -> npt.NDArray[Any]:
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
    count = 1
    for size in shape:
        count *= size
    if len(shape) > MOST_DIMENSIONS or count * dtype.itemsize != len(content) - stream.tell():
        raise ImportedModelError(f"{place}: damaged: has other bytes than {shape} of {dtype}")
    flat = np.frombuffer(content, dtype, count, stream.tell())
    return flat.reshape(shape, order="F" if is_fortran else "C").copy()
