"""Zip files are unpacked within bounds, and only into their own folder."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from translator.errors import ImportedModelError
from translator.files import zstd
from translator.store.imports.archives import unpacked
from translator.store.imports.importing import import_model


def zipped(path: Path, contents: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("name", ["metadata.json", "decoder.yml", "a.npz"])
def test_the_folder_of_the_model_is_found(tmp_path: Path, name: str) -> None:
    contents = {f"inner/{name}": b"1", "inner/stanza/a.pkl": b"2", "b/model.txt": b"3"}
    with unpacked(zipped(tmp_path / "a.zip", contents)) as folder:
        assert [path.name for path in folder.iterdir()] == [name]
        assert (folder / name).read_bytes() == b"1"
    assert not folder.exists()


def test_folders_and_weights_are_given_back(tmp_path: Path) -> None:
    for path in (tmp_path, zipped(tmp_path / "a.npz", {"a.npy": b""})):
        with unpacked(path) as found:
            assert found == path


@pytest.mark.parametrize(
    "name", ["../outside", "/tmp/outside", "translate-de_en/../../outside", "C:\\outside"]
)
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "a.argosmodel", {"p/metadata.json": b"{}", name: b"x"})
    with pytest.raises(ImportedModelError, match="leads out of the package; refused"):
        import_model(str(path), tmp_path / "model")
    assert not (tmp_path / "outside").exists()


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    contents = {"p/metadata.json": b"{}", "p/model/model.bin": bytes(300_000_000)}
    path = zipped(tmp_path / "a.argosmodel", contents)
    with pytest.raises(ImportedModelError, match="would grow to 300000002 bytes"):
        import_model(str(path), tmp_path / "model")


def test_what_is_truncated_or_holds_no_model_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.argosmodel", {"a.txt": b"1"})
    with pytest.raises(ImportedModelError, match=r"not a package: has none of metadata.json"):
        import_model(str(path), tmp_path / "model")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ImportedModelError, match="not a whole package"):
        import_model(str(path), tmp_path / "model")


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("zst", zstd.compress)])
def test_packed_files_of_a_folder_are_unpacked_beside_the_others(
    tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    folder = tmp_path / "csen"
    folder.mkdir()
    (folder / f"model.csen.bin.{ending}").write_bytes(pack(b"1"))
    (folder / "metadata.json").write_bytes(b"2")
    with unpacked(folder) as found:
        assert found.name == "csen"
        assert (found / "model.csen.bin").read_bytes() == b"1"
        assert (found / "metadata.json").read_bytes() == b"2"
    assert not found.exists()
    assert len([*folder.iterdir()]) == 2
    with unpacked(folder / f"model.csen.bin.{ending}") as found:
        assert found.name == "model.csen.bin"
        assert found.read_bytes() == b"1"


def test_a_bomb_among_packed_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.bin.gz").write_bytes(gzip.compress(bytes(30_000_000)))
    message = "a.bin.gz: grows beyond 20 times; refused"
    with pytest.raises(ImportedModelError, match=message), unpacked(tmp_path):
        pass
    for name, whole in (
        ("a.bin.gz", gzip.compress(bytes(3000))),
        ("b.zst", zstd.compress(b"1" * 99)),
    ):
        (tmp_path / name).write_bytes(whole[:-9])
        with pytest.raises(ImportedModelError, match="not a whole package"), unpacked(tmp_path):
            pass
        (tmp_path / name).unlink()


def test_what_git_lfs_has_left_in_the_place_of_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "model.csen.intgemm.alphas.bin.gz").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:7966382f\nsize 2341409\n"
    )
    with pytest.raises(ImportedModelError, match="only a pointer of Git LFS; run `git lfs pull`"):
        import_model(str(tmp_path), tmp_path / "model")


def tarred(path: Path, contents: dict[str, bytes], kind: bytes = tarfile.REGTYPE) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.type, entry.linkname = len(content), kind, "/etc/passwd"
            archive.addfile(entry, io.BytesIO(content))
    return path


def test_tar_files_are_unpacked_within_bounds(tmp_path: Path) -> None:
    contents = {"ende.tiny/model.ende.bin": b"1", "ende.tiny/vocab.spm": b"2"}
    with unpacked(tarred(tmp_path / "a.tar.gz", contents)) as found:
        assert found.name == "ende.tiny"
        assert {file.name for file in found.iterdir()} == {"model.ende.bin", "vocab.spm"}
    outside = tarred(tmp_path / "a.tar.gz", {"../outside": b"1"})
    with pytest.raises(ImportedModelError, match="not a whole package"), unpacked(outside):
        pass
    links = tarred(tmp_path / "a.tar.gz", {"model.ende.bin": b""}, tarfile.SYMTYPE)
    with pytest.raises(ImportedModelError, match="not a package: has none of"), unpacked(links):
        pass
    bomb = tarred(tmp_path / "a.tar.gz", {"model.ende.bin": bytes(30_000_000)})
    with pytest.raises(ImportedModelError, match="grows beyond 20 times"), unpacked(bomb):
        pass
    assert not (tmp_path.parent / "outside").exists()
