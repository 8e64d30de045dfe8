"""The weights of a model directory: a file of safetensors, read and written an array at a time.

Where matrices are stored in int8, `NAME` is their levels (int8), and `NAME.scales` the float32
that each row is multiplied by; everything else is floats, as in other model directories.
"""

from __future__ import annotations

import errno
import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from translator.config import ModelConfig
from translator.durable import telling
from translator.errors import ConfigError, ModelDirectoryError
from translator.model.int8 import HIGHEST, Int8Matrix, to_int8
from translator.model.weights import Weights, matrix_names, problem_with
from translator.store.names import CHECKSUMS, CONFIG

SCALES = ".scales"
"""Stands behind the name of a matrix in int8."""


def _check_size(config: ModelConfig, path: Path) -> None:
    """Refuse a configuration of more parameters than there are bytes, before memory is taken."""
    num_layers = config.num_encoder_layers + config.num_decoder_layers
    least = config.d_model * (config.vocab_size + num_layers * config.d_ff)
    if least > path.stat().st_size:
        raise ModelDirectoryError(
            f"{path}: does not fit its configuration: {CONFIG} is of a larger model; "
            "export the model again"
        )


@contextmanager
def _verified(path: Path, digest: str, config: ModelConfig) -> Iterator[Any]:
    """Open a file of weights, and say in one way what is wrong with it."""
    try:
        with path.open("rb") as stream:
            check_digest(path, hashlib.file_digest(stream, "sha256").hexdigest(), digest)
        _check_size(config, path)
        with safetensors.safe_open(path, "np") as stored:
            yield stored
    except OSError as error:
        raise ModelDirectoryError(f"{path}: {error.strerror or error}") from error
    except (safetensors.SafetensorError, RuntimeError, TypeError) as error:
        raise ModelDirectoryError(f"{path}: does not fit its configuration: {error}") from error


def read_weights(path: Path, digest: str, config: ModelConfig, are_int8: bool) -> Weights:
    """Return the weights of a file, which must have exactly the model's names and shapes.

    They are copied one after the other, so that no second copy of all is in memory.

    Raises:
        ModelDirectoryError: the file is not the one that the checksum is of, is not safetensors, or
            does not fit the model; a matrix is not int8 with scales that are finite and positive.
    """
    matrices = matrix_names(config) if are_int8 else set[str]()
    with _verified(path, digest, config) as stored:
        names = {*stored.keys()}
        scales = {name + SCALES for name in matrices}
        if missing := (matrices | scales) - names:
            raise RuntimeError(f"missing in int8: {', '.join(sorted(missing))}")
        arrays = {
            name: _int8(stored, name) if name in matrices else _floats(stored, name)
            for name in sorted(names - scales)
        }
        shapes = {
            name: array.levels.shape if isinstance(array, Int8Matrix) else array.shape
            for name, array in arrays.items()
        }
        if problem := problem_with(config, shapes):
            raise RuntimeError(problem)
    return Weights(config, arrays)


def _floats(stored: Any, name: str) -> NDArray[np.float32]:
    array: NDArray[Any] = stored.get_tensor(name)
    if not np.issubdtype(array.dtype, np.floating):
        raise RuntimeError(f"{name}: must be floats, is {_kind(array)}")
    return array.astype(np.float32)


def _int8(stored: Any, name: str) -> Int8Matrix:
    levels, scales = stored.get_tensor(name), stored.get_tensor(name + SCALES)
    if levels.dtype != np.int8 or levels.ndim != 2:
        raise RuntimeError(f"{name}: must be rows of int8, is {_kind(levels)}")
    if scales.dtype != np.float32 or scales.shape != levels.shape[:1]:
        expected = f"{len(levels)} of float32"
        raise RuntimeError(f"{name + SCALES}: must be {expected}, is {_kind(scales)}")
    if not (np.isfinite(scales) & (scales > 0)).all():
        raise RuntimeError(f"{name + SCALES}: must be finite and positive")
    if levels.size and levels.min() < -HIGHEST:
        raise RuntimeError(f"{name}: must be from -{HIGHEST} to {HIGHEST}")
    return Int8Matrix(levels.copy(), scales.copy())  # the file may change or go


def _kind(array: NDArray[Any]) -> str:
    return f"{array.shape} of {array.dtype}"


def float_arrays(weights: Mapping[str, Any], dtype: Any) -> dict[str, NDArray[Any]]:
    """Return what is to be stored of a model's state, all of it as floats of the dtype.

    Its weights are arrays, or tensors of PyTorch on any device.
    """
    found = {}
    for name, weight in weights.items():
        array = weight.detach().float().cpu().numpy() if hasattr(weight, "detach") else weight
        with np.errstate(over="ignore"):
            found[name] = np.ascontiguousarray(array, dtype)
    return found


def int8_arrays(
    weights: Mapping[str, Any], config: ModelConfig, dtype: Any
) -> dict[str, NDArray[Any]]:
    """Return what is to be stored of a model's state, its matrices in int8, all else of the dtype.

    A matrix that is in int8 already is stored as it is.

    Raises:
        ConfigError: there are weights that are not finite, or not in that type.
    """
    names = matrix_names(config)
    rounded = {name: value for name, value in weights.items() if isinstance(value, Int8Matrix)}
    floats = {name: value for name, value in weights.items() if name not in rounded}
    matrices = float_arrays({name: floats.pop(name) for name in names - {*rounded}}, np.float32)
    arrays = float_arrays(floats, dtype)
    for name, array in (arrays | matrices).items():
        if not np.isfinite(array).all():
            kind = np.dtype(dtype).name
            problem = f"{name}: has weights that are not finite, or too large for {kind}"
            raise ConfigError([problem], "int8")
    rounded |= {name: to_int8(matrix) for name, matrix in matrices.items()}
    for name, matrix in rounded.items():
        arrays |= {name: np.ascontiguousarray(matrix.levels), name + SCALES: matrix.scales}
    return arrays


def write_weights(path: Path, arrays: dict[str, NDArray[Any]]) -> str:
    """Write weights, without a second copy of them in memory; return their SHA-256.

    Raises:
        OSError: the disk refuses; the error names the file.
    """
    with telling(path, sum(array.nbytes for array in arrays.values())):
        path.touch()
        mode = path.stat().st_mode
        try:
            safetensors.numpy.save_file(arrays, path)
        except safetensors.SafetensorError as error:
            number = re.search(r"os error (\d+)", str(error))
            raise OSError(int(number[1]) if number else errno.EIO, str(error)) from error
        path.chmod(mode)  # safetensors lets no one but the owner read its files
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()


def check_digest(path: Path, digest: str, expected: str) -> None:
    """Raise ModelDirectoryError unless a file has the SHA-256 that `checksums.json` says."""
    if digest != expected:
        raise ModelDirectoryError(
            f"{path}: SHA-256 differs from {CHECKSUMS}; the file is truncated or "
            "altered: copy the model directory again"
        )
