"""A model converted by the command line."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from translator.cli.main import main
from translator.store.model_directory import load_model_directory


def test_a_model_is_converted(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "converted"
    assert main(["convert", directory, "--out", str(out), "--format", "ctranslate2"]) == 0
    assert {"model.bin", "tokenizer.model"} <= {path.name for path in out.iterdir()}
    assert f"{out}: a CTranslate2 model" in capsys.readouterr().out


def test_a_model_is_stored_in_int8_and_all_else_stays(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small"
    assert main(["convert", directory, "--weights", "int8", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: a model directory with its weights in int8\n"
    before, after = load_model_directory(directory), load_model_directory(out)
    assert after.description == dataclasses.replace(before.description, weights="int8")
    assert (after.card, after.tokenizer.files) == (before.card, before.tokenizer.files)
    assert after.reference.int8 is not None
    assert (
        main(["convert", str(out), "--out", str(tmp_path / "ct2"), "--format", "ctranslate2"]) == 0
    )
    assert (tmp_path / "ct2" / "model.bin").is_file()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--weights", "int8", "--format", "argos"], "not allowed with"),
        ([], "one of the arguments --format --weights is required"),
        (["--weights", "int4"], "invalid choice: 'int4'"),
    ],
)
def test_flags_that_do_not_go_together(
    directory: str, capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    with pytest.raises(SystemExit):
        main(["convert", directory, "--out", "nowhere", *flags])
    assert message in capsys.readouterr().err


def test_what_cannot_be_stored_in_int8_is_refused(
    directory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small"
    assert main(["convert", directory, "--weights", "int8", "--out", str(out)]) == 0
    again = str(tmp_path / "again")
    flags = ["--weights", "int8", "--quantization", "int8"]
    assert main(["convert", directory, *flags, "--out", again]) != 0
    assert "--quantization: goes with --format, not with --weights" in capsys.readouterr().err
    assert main(["convert", str(out), "--weights", "int8", "--out", again]) != 0
    assert f"{out} has int8 weights already; copy it" in capsys.readouterr().err
    assert main(["convert", directory, "--weights", "int8", "--out", str(out)]) != 0
    assert f"{out}: exists; name another" in capsys.readouterr().err
