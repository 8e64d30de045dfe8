"""`python -m translator models` as a person uses it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.small_models import CODES, write_model
from translator.cli.main import main
from translator.store.home import DEFAULT_MODEL
from translator.store.names import CARD, WEIGHTS

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_model(tmp_path / "models" / "de-en", "de-en", "en-de")
    write_model(tmp_path / "models" / "en-fr", "en-fr")
    return tmp_path / "models"


def run(*arguments: object) -> int:
    return main(["models", *map(str, arguments)])


def test_models_are_listed(folder: Path, capsys: Capture) -> None:
    write_model(
        folder / "many", *(f"en-{code}" for code in CODES if code != "en"), "de-en", "fr-en"
    )
    assert run("list", folder) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["de-en", "en-fr", "many"]
    assert lines[0].split("\t")[1:] == ["0.1 MB", "", "de→en en→de"]
    assert " and 2 more\t" in lines[2]
    assert lines[2].split("\t")[4:] == [
        "de-en goes before it: en→de de→en",
        "en-fr goes before it: en→fr",
    ]


def test_without_a_folder_those_that_are_used_are_listed(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRANSLATOR_HOME", str(folder.parent))
    assert run("list") == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == ["de-en", "en-fr", str(DEFAULT_MODEL)]
    assert lines[2][4:] == ["de-en goes before it: de→en en→de"]
    assert run("prefer", DEFAULT_MODEL) == 0
    capsys.readouterr()
    assert run("list") == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == ["de-en", str(folder / "de-en"), "en-fr"]
    assert lines[1][4:] == ["de-en goes before it: de→en en→de"]


def test_what_is_damaged_is_listed_too(folder: Path, capsys: Capture) -> None:
    (folder / "de-en" / CARD).unlink()
    assert run("list", folder) == 0
    said = capsys.readouterr()
    assert said.out.startswith("en-fr\t")
    assert f"damaged: {folder / 'de-en' / CARD}: is missing" in said.err
    assert run("list", folder / "en-fr" / "nowhere") == 0
    assert "No such file or directory" in capsys.readouterr().err
    shutil.rmtree(folder)
    folder.mkdir()
    assert run("list", folder) == 1
    assert capsys.readouterr().err == f"error: {folder}: no model directory there\n"


def test_models_are_verified_by_all_their_bytes_and_a_sentence(
    folder: Path, capsys: Capture
) -> None:
    assert run("verify", folder) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[:2] for line in lines] == [
        ["de-en", "de→en"],
        ["de-en", "en→de"],
        ["en-fr", "en→fr"],
    ]
    assert "Guten Morgen! → " in lines[0]
    weights = bytearray((folder / "en-fr" / WEIGHTS).read_bytes())
    weights[-1] ^= 1
    (folder / "en-fr" / WEIGHTS).write_bytes(weights)
    assert run("verify", folder) == 1
    said = capsys.readouterr().err
    assert f"damaged: {folder / 'en-fr' / WEIGHTS}: SHA-256 differs" in said
    assert said.endswith("error: 1 of 2 are damaged\n")
    assert run("verify", folder, "de-en") == 0, "only those that are named"


def test_only_models_that_are_there_are_verified(folder: Path, capsys: Capture) -> None:
    assert run("verify", folder, "xx") == 1
    assert "has no model xx; it has de-en, en-fr" in capsys.readouterr().err
    (folder / "de-en" / CARD).unlink()
    assert run("verify", folder, "de-en") == 1
    assert "error: 1 of 1 are damaged" in capsys.readouterr().err


def test_a_model_is_added_and_removed(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    other = write_model(tmp_path / "es-en", "es-en")
    assert run("add", folder, other, "--name", "spanish") == 0
    assert f"{folder / 'spanish'}: added" in capsys.readouterr().out
    assert run("add", folder, other, "--name", "spanish") == 1
    assert "spanish: exists" in capsys.readouterr().err
    assert run("remove", folder, "spanish") == 1
    assert "not deleted; add --yes to delete it" in capsys.readouterr().err
    assert (folder / "spanish").exists()
    assert run("remove", folder, "spanish", "--yes") == 0
    assert not (folder / "spanish").exists()
