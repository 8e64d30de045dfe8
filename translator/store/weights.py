"""The weights of a model directory: a file of safetensors, read and written a tensor at a time.

Where matrices are stored in int8, `NAME` is their levels (int8), and `NAME.scales` the float32
that each row is multiplied by; everything else is floats, as in other model directories.
"""

from __future__ import annotations

import errno
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from translator.config import ModelConfig
from translator.durable import telling
from translator.errors import ConfigError, ModelDirectoryError
from translator.model.int8 import Int8Matrix, Int8Model, make_int8_model, matrices_of, to_int8
from translator.model.transformer import Transformer, make_empty_model
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


class Stored(Protocol):
    """An open file of weights, of which `safetensors` itself says no types."""

    def keys(self) -> Iterable[str]:
        """Return the names of its tensors."""

    def get_tensor(self, name: str) -> Tensor:
        """Return one of them."""


@contextmanager
def _verified(path: Path, digest: str, config: ModelConfig) -> Iterator[Stored]:
    """Open a file of weights, and say in one way what is wrong with it."""
    try:
        with path.open("rb") as stream:
            check_digest(path, hashlib.file_digest(stream, "sha256").hexdigest(), digest)
        _check_size(config, path)
        with safetensors.safe_open(path, "pt") as stored:
            yield stored
    except OSError as error:
        raise ModelDirectoryError(f"{path}: {error.strerror or error}") from error
    except (safetensors.SafetensorError, RuntimeError) as error:
        reason = " ".join(str(error).split())  # PyTorch says a line a tensor
        raise ModelDirectoryError(f"{path}: does not fit its configuration: {reason}") from error


def read_model(path: Path, digest: str, config: ModelConfig) -> Transformer:
    """Return a model with the weights of a file, which must have exactly its names and shapes.

    The weights are copied one after the other, so that no second copy of all is in memory.

    Raises:
        ModelDirectoryError: the file is not the one that the checksum is of, is not safetensors, or
            does not fit the model.
    """
    with _verified(path, digest, config) as stored:
        model = make_empty_model(config)
        model.load_state_dict({name: _floats(stored, name) for name in stored.keys()}, assign=True)  # noqa: SIM118 - it is no dictionary
    return model


def read_int8_model(path: Path, digest: str, config: ModelConfig) -> Int8Model:
    """Return a model whose matrices are stored in int8, as they are stored.

    Raises:
        ModelDirectoryError: as `read_model`, or a matrix is not int8 with scales that are finite
            and positive.
    """
    with _verified(path, digest, config) as stored:
        model = make_empty_model(config)
        names = matrices_of(model).keys()
        missing = {*names, *(name + SCALES for name in names)} - {*stored.keys()}
        if missing:
            raise RuntimeError(f"missing in int8: {', '.join(sorted(missing))}")
        matrices = {name: _int8(stored, name) for name in names}
        taken = {taken_name for name in names for taken_name in (name, name + SCALES)}
        others = {name: _floats(stored, name) for name in stored.keys() if name not in taken}  # noqa: SIM118
        return make_int8_model(model, matrices, others)


def _floats(stored: Stored, name: str) -> Tensor:
    """Return a tensor of a file in float32."""
    tensor = stored.get_tensor(name)
    if not tensor.is_floating_point():
        raise RuntimeError(f"{name}: must be floats, is {_kind(tensor)}")
    return tensor.to(torch.float32, copy=True)


def _int8(stored: Stored, name: str) -> Int8Matrix:
    """Return a matrix in int8 of a file."""
    levels, scales = stored.get_tensor(name), stored.get_tensor(name + SCALES)
    if levels.dtype != torch.int8 or levels.dim() != 2:
        raise RuntimeError(f"{name}: must be rows of int8, is {_kind(levels)}")
    if scales.dtype != torch.float32 or scales.shape != levels.shape[:1]:
        expected = f"{len(levels)} of float32"
        raise RuntimeError(f"{name + SCALES}: must be {expected}, is {_kind(scales)}")
    if not (scales.isfinite() & (scales > 0)).all():
        raise RuntimeError(f"{name + SCALES}: must be finite and positive")
    if levels.numel() and levels.min() < -127:
        raise RuntimeError(f"{name}: must be from -127 to 127")
    return Int8Matrix(levels.clone(), scales.clone())  # the file may change or go


def _kind(tensor: Tensor) -> str:
    return f"{tuple(tensor.shape)} of {str(tensor.dtype).removeprefix('torch.')}"


def float_tensors(weights: Mapping[str, Tensor], dtype: torch.dtype) -> dict[str, Tensor]:
    """Return what is to be stored of a model's state, all of it as floats."""
    return {name: tensor.detach().to("cpu", dtype).contiguous() for name, tensor in weights.items()}


def int8_tensors(
    weights: Mapping[str, Tensor | Int8Matrix], config: ModelConfig, dtype: torch.dtype
) -> dict[str, Tensor]:
    """Return what is to be stored of a model's state, its matrices in int8.

    Args:
        weights: the state; matrices that are in int8 already are stored as they are.
        config: of the model.
        dtype: of all else.

    Raises:
        ConfigError: there are weights that are not finite, or not in that type.
    """
    names = matrices_of(make_empty_model(config)).keys()
    rounded = {name: value for name, value in weights.items() if isinstance(value, Int8Matrix)}
    floats = {name: tensor for name, tensor in weights.items() if isinstance(tensor, Tensor)}
    others = {name: tensor for name, tensor in floats.items() if name not in names}
    tensors = float_tensors(others, dtype)
    matrices = float_tensors(
        {name: floats[name] for name in names if name not in rounded}, torch.float32
    )
    for name, tensor in (tensors | matrices).items():
        if not tensor.isfinite().all():
            problem = f"{name}: has weights that are not finite, or too large for {dtype}"
            raise ConfigError([problem], "int8")
    rounded |= {name: to_int8(matrix) for name, matrix in matrices.items()}
    for name, matrix in rounded.items():
        tensors |= {name: matrix.levels.contiguous(), name + SCALES: matrix.scales}
    return tensors


def write_weights(path: Path, tensors: dict[str, Tensor]) -> str:
    """Write weights, without a second copy of them in memory; return their SHA-256.

    Raises:
        OSError: the disk refuses; the error names the file.
    """
    with telling(path, sum(tensor.nbytes for tensor in tensors.values())):
        path.touch()
        mode = path.stat().st_mode
        try:
            safetensors.torch.save_file(tensors, path)
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
