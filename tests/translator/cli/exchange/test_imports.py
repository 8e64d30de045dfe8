"""The command that imports models says what it has made, in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.translator.store.imports.foreign import m2m100_folder, marian_folder
from translator.cli.exchange.imports import FEW
from translator.cli.main import main


def test_the_languages_may_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marian_folder(tmp_path / "theirs")
    arguments = ["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]
    assert main([*arguments, "--from", "sv", "--to", "da"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'model'}: marian, sv-da\n"


@pytest.mark.parametrize("flag", ["--from", "--to"])
def test_one_language_alone_is_refused(
    flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marian_folder(tmp_path / "theirs")
    arguments = ["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]
    assert main([*arguments, flag, "sv"]) != 0
    assert "give both --from and --to, or neither" in capsys.readouterr().err


def test_many_directions_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    m2m100_folder(tmp_path / "theirs")
    assert main(["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert said.count("-") - str(tmp_path).count("-") <= FEW


def test_what_is_no_model_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(tmp_path / "none"), "--out", str(tmp_path / "model")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
