"""Commands of python -m training: their flags, and mistakes in one line."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest
import torch

from tests.toyrun import RECIPE, write_corpus
from training.cli import main
from training.commands import add_device, add_languages, languages_of, positive
from training.stages.run import Run
from translator.errors import InputError


def error_line(capsys: pytest.CaptureFixture[str]) -> str:
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def write_own_catalogue(tmp_path: Path) -> Path:
    """Write the toy recipe, its corpus and a catalogue of it."""
    (tmp_path / "r.toml").write_text(RECIPE)
    write_corpus(tmp_path)
    lines = ["[toy]", 'description = "toy"', 'licence = "public domain"']
    for part in ("train", "dev", "test"):
        for code in ("de", "en"):
            lines += [f"[toy.files.{part}.{code}]", f'path = "{part}.{code}"']
    catalogue = tmp_path / "mine.toml"
    catalogue.write_text("\n".join(lines))
    return catalogue


def test_a_wrong_recipe_stops_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.toml"
    path.write_text(RECIPE.replace("max_steps", "max_step") + "\nbeam_sise = 3\n")
    assert main(["run", str(path), "--out", str(tmp_path / "out")]) == 1
    line = error_line(capsys)
    for problem in ("training.max_step: unknown", "training.max_steps: missing", "beam_sise"):
        assert problem in line
    assert not (tmp_path / "out").exists()


def test_a_device_that_is_not_there_stops_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.toml"
    path.write_text(RECIPE)
    command = ["train", str(path), "--out", str(tmp_path / "out"), "--device", "cuda:99"]
    assert main(command) == 1
    assert "device: 'cuda:99' cannot be used" in error_line(capsys)
    assert not (tmp_path / "out").exists()


def test_users_name_their_own_corpora(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalogue = write_own_catalogue(tmp_path)
    command = ["prepare", str(tmp_path / "r.toml"), "--data", str(tmp_path)]
    command += ["--out", str(tmp_path / "out"), "--catalogue", str(catalogue)]
    assert main(command) == 0
    assert "toy:train de-en: " in capsys.readouterr().out
    catalogue.write_text("[toy")
    assert main(command) == 1
    assert "mine.toml" in error_line(capsys)


def test_an_unknown_corpus_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.toml"
    path.write_text(RECIPE)
    assert main(["run", str(path), "--out", str(tmp_path / "out")]) == 1
    line = error_line(capsys)
    assert line.endswith("data: no corpus 'toy' in the catalogue; name yours with --catalogue")
    assert line.count("toy") == 2
    path.write_text(RECIPE.replace('"toy', '"multi30'))
    assert main(["run", str(path), "--out", str(tmp_path / "out")]) == 1
    assert "no corpus 'multi30' in the catalogue; did you mean multi30k?" in error_line(capsys)


@pytest.mark.parametrize(
    ("source", "reference", "message"),
    [
        ("a\nb\n", "a\n", r"s.de has 2 lines but .*r.en has 1"),
        (None, "a\n", "s.de: no such file"),
        ("", "", r"s.de, .*r.en: are empty"),
    ],
)
def test_evaluate_names_the_files_at_fault(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    source: str | None,
    reference: str,
    message: str,
) -> None:
    src, ref = tmp_path / "s.de", tmp_path / "r.en"
    if source is not None:
        src.write_text(source)
    ref.write_text(reference)
    code = main(["evaluate", str(tmp_path), "--input", str(src), "--reference", str(ref)])
    assert code == 1
    assert re.search(message, error_line(capsys))


def test_evaluate_looks_for_what_to_compare_with_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "s.de", tmp_path / "r.en"]
    for path in files:
        path.write_text("a\n")
    command = ["evaluate", str(tmp_path), "--input", str(files[0]), "--reference", str(files[1])]
    assert main([*command, "--compare", "/nowhere"]) == 1
    assert error_line(capsys) == "error: /nowhere: no such file"


@pytest.mark.parametrize(("lines", "count"), [(2, 2), (4, 4)])
def test_evaluate_counts_the_translations_to_compare_with_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: int, count: int
) -> None:
    files = {name: tmp_path / name for name in ("s.de", "r.en", "other.en")}
    for name, path in files.items():
        path.write_text("a\n" * (lines if name == "other.en" else 3))
    command = ["evaluate", str(tmp_path), "--input", str(files["s.de"])]
    command += ["--reference", str(files["r.en"]), "--compare", str(files["other.en"])]
    assert main(command) == 1
    told = f"error: {files['other.en']}: has {count} translations, and the reference has 3 lines; "
    assert error_line(capsys).startswith(told)


def test_a_time_without_a_unit_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "multi30k-de-en", "--time-budget", "25"])
    assert "--time-budget: must look like 25m or 1h30m, got '25'" in error_line(capsys)


def test_evaluate_names_a_folder_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(tmp_path / "none")]) == 1
    assert error_line(capsys) == f"error: {tmp_path}/none: no such folder"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--time-budget", "0s"], "training.time_budget: must be at least 1s, or empty for none"),
        (["--set", "training.save_every=0m"], "training.save_every: must be at least 1s"),
    ],
)
def test_no_time_at_all_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    (tmp_path / "r.toml").write_text(RECIPE)
    assert main(["run", str(tmp_path / "r.toml"), *flags]) == 1
    assert message in error_line(capsys)


def test_how_weights_are_stored_is_a_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Run] = []
    monkeypatch.setattr(Run, "run", lambda self, **_: seen.append(self))
    catalogue = write_own_catalogue(tmp_path)
    command = ["export", str(tmp_path / "r.toml"), "--weights", "int8", "--out", "out"]
    assert main([*command, "--data", str(tmp_path), "--catalogue", str(catalogue)]) == 0
    assert seen[0].recipe.export.weights == "int8"
    assert "# overrides: export.weights=int8" in seen[0].recipe_text


def test_a_refused_command_leaves_the_recipe_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue, out = write_own_catalogue(tmp_path), tmp_path / "out"
    folders = ["--out", str(out), "--data", str(tmp_path), "--catalogue", str(catalogue)]
    assert main(["prepare", str(tmp_path / "r.toml"), *folders]) == 0
    before = (out / "recipe.toml").read_text()
    capsys.readouterr()
    assert main(["export", str(tmp_path / "r.toml"), "--weights", "int8", *folders]) == 1
    assert "scores.json: missing; run `evaluate` first" in error_line(capsys)
    assert (out / "recipe.toml").read_text() == before


def parsed(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_languages(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize(
    ("arguments", "names", "expected"),
    [
        ([], ("a.de", "b.en"), ("de", "en")),
        ([], ("raw.de.gz", "raw.en.zst"), ("de", "en")),
        (["--from", "fr"], ("a.de", "b.en"), ("fr", "en")),
        (["--from", "fr", "--to", "cs"], ("a", "b"), ("fr", "cs")),
    ],
)
def test_languages_are_said_or_read_off_the_files(
    arguments: list[str], names: tuple[str, str], expected: tuple[str, str]
) -> None:
    assert languages_of(parsed(*arguments), *map(Path, names)) == expected


@pytest.mark.parametrize(
    ("first", "second", "option"),
    [
        ("a", "b.en", "from"),
        ("a.de", "b.gz", "to"),
        ("a.txt", "b.en", "from"),
        ("a.de", "b.tok", "to"),
    ],
)
def test_a_language_that_no_one_says_is_asked_for(first: str, second: str, option: str) -> None:
    with pytest.raises(InputError, match=f"name its language with --{option}, such as"):
        languages_of(parsed(), Path(first), Path(second))


@pytest.mark.parametrize("argument", ["0", "-1", "two", "1.5", ""])
def test_numbers_that_must_be_positive(argument: str) -> None:
    assert positive("2") == 2
    with pytest.raises(argparse.ArgumentTypeError, match="must be a whole number from 1, got"):
        positive(argument)


@pytest.mark.parametrize(("has_gpu", "device"), [(True, "cuda"), (False, "cpu")])
def test_a_gpu_is_used_if_there_is_one(
    monkeypatch: pytest.MonkeyPatch, has_gpu: bool, device: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: has_gpu)
    parser = argparse.ArgumentParser()
    add_device(parser)
    assert parser.parse_args([]).device == device
