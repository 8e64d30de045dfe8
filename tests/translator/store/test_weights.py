"""Weights on disk: read exactly, a tensor at a time, and only if they are the right ones."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import torch
from torch import Tensor

from translator.errors import ConfigError, ModelDirectoryError
from translator.model.int8 import matrices_of, to_int8
from translator.model.transformer import Transformer
from translator.store.names import WEIGHTS
from translator.store.weights import (
    check_digest,
    int8_tensors,
    read_int8_model,
    read_model,
    write_weights,
)


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


LAYER = "encoder_layers.0.self_attention.query_proj.weight"


def in_int8(model: Transformer) -> dict[str, Tensor]:
    return int8_tensors(model.state_dict(), model.config, torch.float16)


def test_matrices_in_int8_are_read_as_they_were_stored(tmp_path: Path, model: Transformer) -> None:
    path, names = tmp_path / WEIGHTS, matrices_of(model).keys()
    tensors = in_int8(model)
    digest = write_weights(path, tensors)
    again = read_int8_model(path, digest, model.config)
    path.write_bytes(b"")
    assert again.matrices.keys() == names
    for name, matrix in again.matrices.items():
        rounded = to_int8(model.state_dict()[name])
        assert torch.equal(matrix.levels, rounded.levels), name
        assert torch.equal(matrix.scales, rounded.scales), name
    floats = again.floats().state_dict()
    for name, tensor in model.state_dict().items():
        if name not in names:
            assert torch.equal(floats[name], tensor.half().float()), name
    float_bytes = sum(2 * one.numel() for one in model.state_dict().values())
    assert sum(one.nbytes for one in tensors.values()) < 0.6 * float_bytes


def bad_scale(value: float) -> Tensor:
    scales = torch.ones(32)
    scales[7] = value
    return scales


@pytest.mark.parametrize(
    ("name", "tensor", "message"),
    [
        (LAYER, None, "missing in int8: .*query_proj.weight"),
        (f"{LAYER}.scales", None, "missing in int8: .*query_proj.weight.scales"),
        (LAYER, torch.zeros(32, 32), "query_proj.weight: must be rows of int8, is .*of float32"),
        (LAYER, torch.zeros(32, 32, dtype=torch.uint8), "must be rows of int8, is .* of uint8"),
        (LAYER, torch.zeros(32, dtype=torch.int8), "must be rows of int8"),
        (LAYER, torch.zeros(32, 31, dtype=torch.int8), "query_proj.weight"),
        (LAYER, torch.full((32, 32), -128, dtype=torch.int8), "must be from -127 to 127"),
        (f"{LAYER}.scales", torch.ones(31), "scales: must be 32 of float32, is .31,. of float32"),
        (f"{LAYER}.scales", torch.ones(32, dtype=torch.float16), "must be 32 of float32"),
        (f"{LAYER}.scales", bad_scale(float("nan")), "scales: must be finite and positive"),
        (f"{LAYER}.scales", bad_scale(float("inf")), "scales: must be finite and positive"),
        (f"{LAYER}.scales", bad_scale(0.0), "scales: must be finite and positive"),
        (f"{LAYER}.scales", bad_scale(-1e-3), "scales: must be finite and positive"),
        (
            "encoder_norm.weight",
            torch.ones(32, dtype=torch.int8),
            "encoder_norm.weight: must be fl",
        ),
        ("encoder_norm.weight", torch.ones(31), "encoder_norm.weight"),
        ("encoder_norm.weight", None, "encoder_norm.weight"),
        ("stranger", torch.ones(3), "stranger"),
    ],
)
def test_int8_that_does_not_fit_is_refused_and_the_file_named(
    tmp_path: Path, model: Transformer, name: str, tensor: Tensor | None, message: str
) -> None:
    path, tensors = tmp_path / WEIGHTS, in_int8(model)
    if tensor is None:
        del tensors[name]
    else:
        tensors[name] = tensor
    digest = write_weights(path, tensors)
    expected = rf"weights\.safetensors: does not fit its configuration: .*{message}"
    with pytest.raises(ModelDirectoryError, match=expected) as caught:
        read_int8_model(path, digest, model.config)
    assert "\n" not in str(caught.value)


def test_floats_are_not_taken_for_int8_nor_int8_for_floats(
    tmp_path: Path, model: Transformer
) -> None:
    path, digest = write(tmp_path, model, torch.float16)
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: .* missing in int8"):
        read_int8_model(path, digest, model.config)
    digest = write_weights(path, in_int8(model))
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: .* must be floats"):
        read_model(path, digest, model.config)


@pytest.mark.parametrize("name", [LAYER, "encoder_norm.weight"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_finite_is_not_stored_in_int8(
    model: Transformer, name: str, value: float
) -> None:
    model.state_dict()[name].view(-1)[3] = value
    with pytest.raises(ConfigError, match=f"int8: {name}: has weights that are not finite"):
        in_int8(model)


def test_what_is_too_large_for_half_precision_is_not_stored_so(model: Transformer) -> None:
    model.state_dict()["encoder_norm.weight"][3] = 1e5
    with pytest.raises(ConfigError, match=r"encoder_norm\.weight: .* too large for torch.float16"):
        in_int8(model)
