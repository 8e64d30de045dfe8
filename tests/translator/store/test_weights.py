"""Weights on disk: read exactly, a tensor at a time, and only if they are the right ones."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from translator.errors import ConfigError, ModelDirectoryError
from translator.model.int8 import Int8Matrix, to_int8
from translator.model.transformer import Transformer
from translator.model.weights import matrix_names, weights_of
from translator.search.rows import Array
from translator.store.names import WEIGHTS
from translator.store.weights import (
    check_digest,
    float_arrays,
    int8_arrays,
    read_weights,
    write_weights,
)


def write(folder: Path, model: Transformer, dtype: type) -> tuple[Path, str]:
    path = folder / WEIGHTS
    return path, write_weights(path, float_arrays(model.state_dict(), dtype))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_what_is_read_does_not_hang_on_the_file(
    tmp_path: Path, model: Transformer, dtype: type
) -> None:
    path, digest = write(tmp_path, model, dtype)
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    again = read_weights(path, digest, model.config, are_int8=False)
    path.write_bytes(b"")  # in place: whoever had mapped the file would crash now
    assert again.arrays.keys() == model.state_dict().keys()
    for name, tensor in model.state_dict().items():
        array = again.arrays[name]
        assert not isinstance(array, Int8Matrix)
        assert np.array_equal(array, tensor.numpy().astype(dtype)), name


def test_others_may_read_weights_as_they_may_read_other_files(
    tmp_path: Path, model: Transformer
) -> None:
    (tmp_path / "other").write_text("")
    path, _ = write(tmp_path, model, np.float16)
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_file_that_has_changed_or_gone_is_named(tmp_path: Path, model: Transformer) -> None:
    path, digest = write(tmp_path, model, np.float16)
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: SHA-256 differs"):
        read_weights(path, digest, model.config, are_int8=False)
    path.unlink()
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: No such file"):
        read_weights(path, digest, model.config, are_int8=False)


def test_a_checksum_that_fits_passes(tmp_path: Path) -> None:
    check_digest(tmp_path, "12ab", "12ab")


LAYER = "encoder_layers.0.self_attention.query_proj.weight"


def in_int8(model: Transformer) -> dict[str, Array]:
    return int8_arrays(model.state_dict(), model.config, np.float16)


def test_matrices_in_int8_are_read_as_they_were_stored(tmp_path: Path, model: Transformer) -> None:
    path, names = tmp_path / WEIGHTS, matrix_names(model.config)
    arrays = in_int8(model)
    digest = write_weights(path, arrays)
    again = read_weights(path, digest, model.config, are_int8=True)
    path.write_bytes(b"")
    for name, exact in weights_of(model).floats().arrays.items():
        array = again.arrays[name]
        assert not isinstance(exact, Int8Matrix)
        assert isinstance(array, Int8Matrix) == (name in names)
        if isinstance(array, Int8Matrix):
            rounded = to_int8(exact)
            assert np.array_equal(array.levels, rounded.levels), name
            assert np.array_equal(array.scales, rounded.scales), name
        else:
            assert np.array_equal(array, exact.astype(np.float16)), name
    float_bytes = sum(2 * one.numel() for one in model.state_dict().values())
    assert sum(one.nbytes for one in arrays.values()) < 0.6 * float_bytes


def bad_scale(value: float) -> Array:
    scales = np.ones(32, np.float32)
    scales[7] = value
    return scales


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        (LAYER, None, "missing in int8: .*query_proj.weight"),
        (f"{LAYER}.scales", None, "missing in int8: .*query_proj.weight.scales"),
        (LAYER, np.zeros((32, 32), np.float32), "weight: must be rows of int8, is .*of float32"),
        (LAYER, np.zeros((32, 32), np.uint8), "must be rows of int8, is .* of uint8"),
        (LAYER, np.zeros(32, np.int8), "must be rows of int8"),
        (LAYER, np.zeros((32, 31), np.int8), "query_proj.weight"),
        (LAYER, np.full((32, 32), -128, np.int8), "must be from -127 to 127"),
        (f"{LAYER}.scales", np.ones(31, np.float32), "must be 32 of float32, is .31,. of float32"),
        (f"{LAYER}.scales", np.ones(32, np.float16), "must be 32 of float32"),
        (f"{LAYER}.scales", bad_scale(float("nan")), "scales: must be finite and positive"),
        (f"{LAYER}.scales", bad_scale(float("inf")), "scales: must be finite and positive"),
        (f"{LAYER}.scales", bad_scale(0.0), "scales: must be finite and positive"),
        (f"{LAYER}.scales", bad_scale(-1e-3), "scales: must be finite and positive"),
        ("encoder_norm.weight", np.ones(32, np.int8), "encoder_norm.weight: must be fl"),
        ("encoder_norm.weight", np.ones(31, np.float32), "encoder_norm.weight"),
        ("encoder_norm.weight", None, "encoder_norm.weight"),
        ("stranger", np.ones(3, np.float32), "stranger"),
    ],
)
def test_int8_that_does_not_fit_is_refused_and_the_file_named(
    tmp_path: Path, model: Transformer, name: str, array: Array | None, message: str
) -> None:
    path, arrays = tmp_path / WEIGHTS, in_int8(model)
    if array is None:
        del arrays[name]
    else:
        arrays[name] = array
    digest = write_weights(path, arrays)
    expected = rf"weights\.safetensors: does not fit its configuration: .*{message}"
    with pytest.raises(ModelDirectoryError, match=expected) as caught:
        read_weights(path, digest, model.config, are_int8=True)
    assert "\n" not in str(caught.value)


def test_floats_are_not_taken_for_int8_nor_int8_for_floats(
    tmp_path: Path, model: Transformer
) -> None:
    path, digest = write(tmp_path, model, np.float16)
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: .* missing in int8"):
        read_weights(path, digest, model.config, are_int8=True)
    digest = write_weights(path, in_int8(model))
    with pytest.raises(ModelDirectoryError, match=r"weights\.safetensors: .* must be floats"):
        read_weights(path, digest, model.config, are_int8=False)


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
    with pytest.raises(ConfigError, match=r"encoder_norm\.weight: .* too large for float16"):
        in_int8(model)
