"""Hostile and broken files are refused in one line, and run nothing."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path

import pytest
import torch

from tests.translator.store.imports.foreign import marian_folder
from translator.errors import ImportedModelError
from translator.store.imports.huggingface.directory import read_huggingface
from translator.store.imports.reading import read_bytes, read_table, read_tensors


class Touch:
    """Unpickled, it makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("protocol", [2, 4])
def test_code_in_a_pickle_does_not_run(tmp_path: Path, protocol: int) -> None:
    made = tmp_path / "made"
    (tmp_path / "one.bin").write_bytes(pickle.dumps({"a": Touch(made)}, protocol=protocol))
    torch.save({"a": Touch(made)}, tmp_path / "two.bin")
    for name in ("one.bin", "two.bin"):
        with pytest.raises(ImportedModelError, match=r"could run code; refused|damaged"):
            read_tensors(tmp_path / name)
    assert not made.exists()


@pytest.mark.parametrize("name", ["a.bin", "a.safetensors"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_truncated_weights_are_refused(tmp_path: Path, name: str, share: float) -> None:
    import safetensors.torch

    tensors = {"weight": torch.randn(400, 50)}
    path = tmp_path / name
    if path.suffix == ".bin":
        torch.save(tensors, path)
    else:
        safetensors.torch.save_file(tensors, path)
    assert torch.equal(read_tensors(path)["weight"], tensors["weight"])
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ImportedModelError, match=f"{name}: "):
        read_tensors(path)


def test_a_zip_bomb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.bin", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data/0", bytes(200_000_000))
    with pytest.raises(
        ImportedModelError, match="a compressed archive of 200000000 bytes; refused"
    ):
        read_tensors(tmp_path / "a.bin")


def test_a_tensor_larger_than_its_file_is_refused(tmp_path: Path) -> None:
    torch.save({"weight": torch.zeros(1).expand(10**9)}, tmp_path / "a.bin")
    with pytest.raises(ImportedModelError, match="weight is larger than what is stored of it"):
        read_tensors(tmp_path / "a.bin")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"[1]", "must be a table, got list"), (b"{", "is not JSON"), (b"[" * 10**5, "is not JSON")],
)
def test_a_bad_table_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(ImportedModelError, match=message):
        read_table(tmp_path / "config.json")


def test_a_file_has_a_most_size(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(11))
    with pytest.raises(ImportedModelError, match="larger than 10 bytes"):
        read_bytes(tmp_path / "a", most=10)
    with pytest.raises(ImportedModelError, match="No such file"):
        read_bytes(tmp_path / "b")


def test_a_pickle_with_code_in_a_directory_is_refused(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    (tmp_path / "theirs" / "model.safetensors").unlink()
    torch.save({"a": Touch(tmp_path / "made")}, tmp_path / "theirs" / "pytorch_model.bin")
    with pytest.raises(ImportedModelError, match="refused"):
        read_huggingface(tmp_path / "theirs")
    assert not (tmp_path / "made").exists()
