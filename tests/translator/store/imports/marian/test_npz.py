"""Archives of arrays are read to the byte, and nothing in them runs."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.translator.store.imports.test_reading import Touch
from translator.errors import ImportedModelError
from translator.store.imports.marian.npz import read_npz


def archive(path: Path, contents: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as opened:
        for name, content in contents.items():
            opened.writestr(name, content)
    return path


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_are_those_that_numpy_wrote(tmp_path: Path, save: Any) -> None:
    generator = np.random.default_rng(0)
    arrays: dict[str, Any] = {
        "one": generator.normal(size=(3, 4)).astype(np.float32),
        "two": np.asfortranarray(generator.normal(size=(5, 2)).astype(np.float16)),
        "special:model.yml": np.frombuffer(b"a: 1\0", np.int8),
    }
    with (tmp_path / "a.npz").open("wb") as stream:
        save(stream, **arrays)
    found = read_npz(tmp_path / "a.npz")
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_objects_are_refused_and_not_made(tmp_path: Path) -> None:
    pickled = npy(np.array([Touch(tmp_path / "made")], dtype=object))
    path = archive(tmp_path / "a.npz", {"a.npy": pickled})
    with pytest.raises(ImportedModelError, match=r"a.npy: holds Python objects, and could run"):
        read_npz(path)
    assert not (tmp_path / "made").exists()


def test_a_shape_that_is_larger_than_its_bytes_takes_no_memory(tmp_path: Path) -> None:
    large = npy(np.zeros((2, 8), np.float32)).replace(b"(2, 8), }    ", b"(99999, 99999), }")
    with pytest.raises(ImportedModelError, match=r"damaged: has other bytes than \(99999, 99999\)"):
        read_npz(archive(tmp_path / "a.npz", {"a.npy": large[:-4]}))


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    content = {"a.npy": npy(np.zeros(10_000_000, np.int8))}
    path = archive(tmp_path / "a.npz", content, zipfile.ZIP_DEFLATED)
    with pytest.raises(ImportedModelError, match=r"would grow to 10000\d\d\d bytes; refused"):
        read_npz(path)


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY\x01\x00", b"\x93NUMPY\x07\x00", b"abc" * 9])
def test_damage_is_one_line(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ImportedModelError, match=r"a.npy: (damaged|NumPy's format)"):
        read_npz(archive(tmp_path / "a.npz", {"a.npy": content}))


def test_every_truncated_archive_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.npz", {"a.npy": npy(np.zeros(3))})
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(ImportedModelError):
            read_npz(path)
    with pytest.raises(ImportedModelError, match="No such file"):
        read_npz(tmp_path / "b.npz")
