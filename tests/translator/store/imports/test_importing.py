"""Models of other projects become model directories, one or many at a time."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import shutil
import sys
import types
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest

from tests.translator.store.imports.foreign import marian_folder
from tests.translator.store.imports.marian.binaries import WEIGHTS, small_folder
from tests.translator.store.imports.marian.published import published
from translator.cli.main import main
from translator.errors import ConfigError, ImportedModelError, InputError
from translator.store.imports.imported import file_digest
from translator.store.imports.importing import (
    WANTED,
    download,
    import_each,
    import_model,
    is_hub_name,
    models_in,
)
from translator.store.model_directory import load_model_directory


def test_a_name_on_the_hub_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marian_folder(tmp_path / "snapshot")
    asked: list[Any] = []

    class Api:
        def model_info(self, name: str, revision: str | None) -> Any:
            asked.append((name, revision))
            card = types.SimpleNamespace(license="cc-by-4.0")
            return types.SimpleNamespace(sha="c0ffee", card_data=card)

    def snapshot_download(name: str, *, allow_patterns: object, **given: Any) -> str:
        asked.append((name, given["revision"], allow_patterns))
        return str(tmp_path / "snapshot")

    monkeypatch.setattr(huggingface_hub, "HfApi", Api)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    import_model("some-one/opus-mt-de-en", tmp_path / "model", revision="main")
    card = load_model_directory(tmp_path / "model").card
    assert card["origin"] == "some-one/opus-mt-de-en"
    assert (card["revision"], card["licence"]) == ("c0ffee", "cc-by-4.0")
    assert asked == [
        ("some-one/opus-mt-de-en", "main"),
        ("some-one/opus-mt-de-en", "c0ffee", WANTED),
    ]


def test_a_hub_that_cannot_be_reached_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Api:
        def model_info(self, name: str, revision: str | None) -> Any:
            raise OSError("no\nroute")

    monkeypatch.setattr(huggingface_hub, "HfApi", Api)
    with pytest.raises(ImportedModelError, match=r"a/b: cannot be downloaded \(no route\)"):
        import_model("a/b", tmp_path / "model")


def test_what_is_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such directory, and no name of the form owner/model"):
        import_model(str(tmp_path / "nothing"), tmp_path / "model")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ImportedModelError, match="not a directory of MarianMT, M2M100 or NLLB"):
        import_model(str(tmp_path / "empty"), tmp_path / "model")


def test_the_command_says_what_it_has_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marian_folder(tmp_path / "theirs", tags=("fra", "eng"))
    arguments = ["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]
    assert main(arguments) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'model'}: marian, de-fr, de-en\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Helsinki-NLP/opus-mt-de-en", True),
        ("facebook/m2m100_418M", True),
        ("opus-mt-de-en", False),
        ("./models/de-en", False),
        ("/models/de", False),
        ("a/b/c", False),
    ],
)
def test_what_may_be_a_name_on_the_hub(source: str, expected: bool) -> None:
    assert is_hub_name(source) is expected


def test_the_package_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ConfigError, match="run `pip install huggingface_hub`"):
        download("a/b")


def test_the_card_says_where_the_weights_are_from(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    found = import_model(str(tmp_path / "theirs"), tmp_path / "model", languages=("de", "en"))
    card = load_model_directory(tmp_path / "model").card
    assert card["imported"] == {"kind": "marian", "weights": file_digest(Path(found.source))}
    assert (card["name"], card["directions"]) == ("model", ["de-en"])


def test_weights_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    marian_folder(tmp_path / "theirs")
    found = import_model(str(tmp_path / "theirs"), tmp_path / "model", languages=("de", "en"))
    name = next(iter(found.weights))
    others = {key: tensor for key, tensor in found.weights.items() if key != name}
    wrong = dataclasses.replace(found, weights=others)
    with pytest.raises(ImportedModelError, match=name):
        wrong.save(tmp_path / "other", {})
    assert not (tmp_path / "other").exists()


def test_a_digest_is_of_the_whole_file(tmp_path: Path) -> None:
    (tmp_path / "w.bin").write_bytes(b"weights")
    expected = {"file": "w.bin", "sha256": hashlib.sha256(b"weights").hexdigest()}
    assert file_digest(tmp_path / "w.bin") == expected


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
