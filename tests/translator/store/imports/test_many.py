"""Every model of a folder is imported, whatever becomes of the others."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from tests.translator.store.imports.marian.binaries import WEIGHTS, small_folder
from tests.translator.store.imports.marian.published import published
from translator.cli.main import main
from translator.errors import ImportedModelError, InputError
from translator.store.imports.many import import_each, models_in
from translator.store.model_directory import load_model_directory


def collection(folder: Path) -> Path:
    """Write a packed model, the same once more, one of OPUS-MT, one that is cut, and no model."""
    small_folder(folder / "tiny/deen")
    shutil.copytree(folder / "tiny/deen", folder / "base/again")
    for file in sorted((folder / "tiny/deen").iterdir()):
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    published(folder / "opus", tags=("fra", "eng"))
    small_folder(folder / "cut")
    (folder / "cut" / WEIGHTS).write_bytes((folder / "cut" / WEIGHTS).read_bytes()[:-9])
    (folder / "notes").mkdir()
    (folder / "notes/a.txt").touch()
    return folder


def test_models_are_found_in_their_folders(tmp_path: Path) -> None:
    folder = collection(tmp_path / "theirs")
    (folder / "de_fr.argosmodel").touch()
    found = [path.relative_to(folder).as_posix() for path in models_in(folder)]
    assert found == ["base/again", "cut", "de_fr.argosmodel", "opus", "tiny/deen"]
    with pytest.raises(InputError, match="no such folder"):
        [*models_in(tmp_path / "nowhere")]


def test_each_becomes_a_directory_that_its_direction_names(tmp_path: Path) -> None:
    found = [*import_each(collection(tmp_path / "theirs"), tmp_path / "ours", "MPL-2.0")]
    made = {one.source.name: one for one in found}
    assert isinstance(made["cut"].model, ImportedModelError)
    assert {path.name for path in (tmp_path / "ours").iterdir()} == {"de-en", "de-en-2", "opus"}
    assert made["again"].directory.name == "de-en"
    one, two = (load_model_directory(tmp_path / "ours" / name) for name in ("de-en", "de-en-2"))
    assert one.card["licence"] == "MPL-2.0"
    assert one.tokenizer.files == two.tokenizer.files
    with pytest.raises(InputError, match="has no model of another project"):
        [*import_each(tmp_path / "theirs/notes", tmp_path / "ours")]


def test_the_command_says_what_was_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = collection(tmp_path / "theirs")
    assert main(["import", "--each", str(folder), "--out", str(tmp_path / "ours")]) != 0
    said = capsys.readouterr()
    assert f"{tmp_path / 'ours/de-en'}: Marian, de-en" in said.out
    assert f"refused: {folder / 'cut' / WEIGHTS}: truncated or damaged" in said.err
    assert "1 of its models could not be imported" in said.err
    shutil.rmtree(folder / "cut")
    assert main(["import", "--each", str(folder), "--out", str(tmp_path / "ours")]) == 0
    given = ["import", "--each", str(folder), "--out", str(tmp_path / "ours"), "--from", "de"]
    assert main([*given, "--to", "en"]) != 0
    assert "--each takes neither --from and --to" in capsys.readouterr().err
