"""Zip files are unpacked within bounds, and only into their own folder."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from translator.errors import ImportedModelError
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
