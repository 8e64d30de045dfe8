"""Models go to other systems, and come from them."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from pathlib import Path

import pytest

from tests.translator.store.imports.foreign import m2m100_folder, marian_folder
from translator.alignment.record import record_alone
from translator.cli.convert import write_packages
from translator.cli.imports import FEW
from translator.cli.main import main
from translator.errors import ModelDirectoryError
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel, load_model_directory
from translator.tokens.tokenizer import language_tag

Capture = pytest.CaptureFixture[str]


def test_a_package_for_each_direction(loaded: LoadedModel, tmp_path: Path) -> None:
    paths = write_packages(loaded, tmp_path / "packages", None)
    assert len(paths) == len(loaded.description.directions)
    with zipfile.ZipFile(tmp_path / "packages/translate-de-en.argosmodel") as archive:
        top = "translate-de-en"
        about = json.loads(archive.read(f"{top}/metadata.json"))
        config = json.loads(archive.read(f"{top}/model/config.json"))
        assert {f"{top}/model/model.bin", f"{top}/sentencepiece.model"} <= {*archive.namelist()}
    assert (about["from_code"], about["to_code"], about["to_name"]) == ("de", "en", "English")
    assert config["add_source_bos"] is True
    assert config["bos_token"] == language_tag("en")


def test_an_existing_folder_is_left_alone(loaded: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(ModelDirectoryError, match="exists; name another"):
        write_packages(loaded, tmp_path, None)


def test_a_model_is_converted(directory: str, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "converted"
    assert main(["convert", directory, "--out", str(out), "--format", "ctranslate2"]) == 0
    assert {"model.bin", "tokenizer.model"} <= {path.name for path in out.iterdir()}
    assert f"{out}: a CTranslate2 model" in capsys.readouterr().out


def test_a_model_is_stored_in_int8_and_all_else_stays(
    directory: str, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "small"
    assert main(["convert", directory, "--weights", "int8", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: a model directory with its weights in int8\n"
    before, after = load_model_directory(directory), load_model_directory(out)
    assert after.description == dataclasses.replace(before.description, weights="int8")
    assert (after.card, after.tokenizer.files) == (before.card, before.tokenizer.files)
    assert after.reference.weights.is_int8
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
    directory: str, capsys: Capture, flags: list[str], message: str
) -> None:
    with pytest.raises(SystemExit):
        main(["convert", directory, "--out", "nowhere", *flags])
    assert message in capsys.readouterr().err


def test_what_cannot_be_stored_in_int8_is_refused(
    directory: str, tmp_path: Path, capsys: Capture
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


def test_the_languages_may_be_given(tmp_path: Path, capsys: Capture) -> None:
    marian_folder(tmp_path / "theirs")
    arguments = ["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]
    assert main([*arguments, "--from", "sv", "--to", "da"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'model'}: marian, sv-da\n"


@pytest.mark.parametrize("flag", ["--from", "--to"])
def test_one_language_alone_is_refused(flag: str, tmp_path: Path, capsys: Capture) -> None:
    marian_folder(tmp_path / "theirs")
    arguments = ["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]
    assert main([*arguments, flag, "sv"]) != 0
    assert "give both --from and --to, or neither" in capsys.readouterr().err


def test_many_directions_are_counted(tmp_path: Path, capsys: Capture) -> None:
    m2m100_folder(tmp_path / "theirs")
    assert main(["import", str(tmp_path / "theirs"), "--out", str(tmp_path / "model")]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert said.count("-") - str(tmp_path).count("-") <= FEW


def test_attention_of_a_model_that_reads_the_source_s_language(
    tmp_path: Path, capsys: Capture
) -> None:
    m2m100_folder(tmp_path / "theirs")
    folder, out = tmp_path / "model", tmp_path / "map.png"
    assert main(["import", str(tmp_path / "theirs"), "--out", str(folder)]) == 0
    pair = ["--model", str(folder), "--from", "de", "--to", "en", "--target-text", "a dog"]
    assert main(["attention", *pair, "ein Hund", "--output", str(out)]) == 0, capsys.readouterr()
    with Translator.load(folder) as translator:
        aligner = translator.aligner("de")
        record = record_alone(aligner, source="ein Hund", target="a dog", target_language="en")
    assert record.source[0] == "__de__"


def test_what_is_no_model_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    assert main(["import", str(tmp_path / "none"), "--out", str(tmp_path / "model")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
