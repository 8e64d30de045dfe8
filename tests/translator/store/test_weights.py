"""Weights on disk: read exactly, a tensor at a time, and only if they are the right ones."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import torch

from translator.errors import ModelDirectoryError
from translator.model.transformer import Transformer
from translator.store.names import WEIGHTS
from translator.store.weights import check_digest, read_model, write_weights


def write(folder: Path, model: Transformer, dtype: torch.dtype) -> tuple[Path, str]:
    path = folder / WEIGHTS
    tensors = {name: tensor.to(dtype) for name, tensor in model.state_dict().items()}
    return path, write_weights(path, tensors)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_what_is_read_does_not_hang_on_the_file(
    tmp_path: Path, model: Transformer, dtype: torch.dtype
) -> None:
    path, digest = write(tmp_path, model, dtype)
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    again = read_model(path, digest, model.config)
    path.write_bytes(b"")  # in place: whoever had mapped the file would crash now
    for name, tensor in model.state_dict().items():
        assert torch.equal(again.state_dict()[name], tensor.to(dtype).float()), name


def test_others_may_read_weights_as_they_may_read_other_files(
    tmp_path: Path, model: Transformer
) -> None:
    (tmp_path / "other").write_text("")
    path, _ = write(tmp_path, model, torch.float16)
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_file_that_has_changed_or_gone_is_named(tmp_path: Path, model: Transformer) -> None:
    path, digest = write(tmp_path, model, torch.float16)
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: SHA-256 differs"):
        read_model(path, digest, model.config)
    path.unlink()
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: No such file"):
        read_model(path, digest, model.config)


def test_a_checksum_that_fits_passes(tmp_path: Path) -> None:
    check_digest(tmp_path, "12ab", "12ab")
