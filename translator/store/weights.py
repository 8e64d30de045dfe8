"""The weights of a model directory: a file of safetensors, read and written a tensor at a time."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from translator.config import ModelConfig
from translator.errors import ModelDirectoryError
from translator.model.transformer import Transformer, make_empty_model
from translator.store.names import CHECKSUMS, CONFIG


def _check_size(config: ModelConfig, path: Path) -> None:
    """Refuse a configuration of more parameters than there are bytes, before memory is taken."""
    num_layers = config.num_encoder_layers + config.num_decoder_layers
    least = config.d_model * (config.vocab_size + num_layers * config.d_ff)
    if least > path.stat().st_size:
        raise ModelDirectoryError(
            f"{path}: does not fit its configuration: {CONFIG} is of a larger model; "
            "export the model again"
        )


def read_model(path: Path, digest: str, config: ModelConfig) -> Transformer:
    """Return a model with the weights of a file, which must have exactly its names and shapes.

    The weights are copied one after the other, so that no second copy of all is in memory.

    Raises:
        ModelDirectoryError: the file is not the one that the checksum is of, is not safetensors, or
            does not fit the model.
    """
    try:
        with path.open("rb") as stream:
            check_digest(path, hashlib.file_digest(stream, "sha256").hexdigest(), digest)
        _check_size(config, path)
        model = make_empty_model(config)
        with safetensors.safe_open(path, "pt") as stored:
            weights = {
                name: stored.get_tensor(name).to(torch.float32, copy=True)
                for name in stored.keys()  # noqa: SIM118 - it is no dictionary
            }
        model.load_state_dict(weights, assign=True)
    except OSError as error:
        raise ModelDirectoryError(f"{path}: {error.strerror or error}") from error
    except (safetensors.SafetensorError, RuntimeError) as error:
        reason = " ".join(str(error).split())  # PyTorch says a line a tensor
        raise ModelDirectoryError(f"{path}: does not fit its configuration: {reason}") from error
    return model


def write_weights(path: Path, tensors: dict[str, Tensor]) -> str:
    """Write weights durably, without a second copy of them in memory; return their SHA-256."""
    path.touch()
    mode = path.stat().st_mode
    safetensors.torch.save_file(tensors, path)
    path.chmod(mode)  # safetensors lets no one but the owner read its files
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_digest(path: Path, found: str, expected: str) -> None:
    """Raise ModelDirectoryError unless a file has the SHA-256 that `checksums.json` says."""
    if found != expected:
        raise ModelDirectoryError(
            f"{path}: SHA-256 differs from {CHECKSUMS}; the file is truncated or "
            "altered: copy the model directory again"
        )
