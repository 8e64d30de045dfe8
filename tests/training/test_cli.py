"""Commands of python -m training: their flags, and mistakes in one line."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest
import torch

from tests.toyrun import RECIPE, write_corpus
from training.cli import main
from training.commands import BY_ENDING, add_device, languages_of, positive
from training.stages.run import Run
from translator.commands import add_languages
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


FILES = {
    "toy.toml": RECIPE,
    "wrong.toml": RECIPE.replace("max_steps", "max_step") + "\nbeam_sise = 3\n",
    "near.toml": RECIPE.replace('"toy', '"multi30'),
    **dict.fromkeys(("three.de", "three.en"), "a\n" * 3),
    "one.en": "a\n",
    "two.de": "a\nb\n",
    "two.en": "a\nb\n",
    "four.en": "a\n" * 4,
    **dict.fromkeys(("empty.de", "empty.en"), ""),
}
SCORE = "evaluate . --input three.de --reference three.en"
REFUSED = [
    ("run wrong.toml", "training.max_step: unknown.*training.max_steps: missing"),
    ("run wrong.toml", "beam_sise"),
    ("run toy.toml", "data: no corpus 'toy' in the catalogue; name yours with --catalogue$"),
    ("run near.toml", r"no corpus 'multi30' in the catalogue; did you mean multi30k\?"),
    ("run toy.toml --time-budget 0s", "training.time_budget: must be at least 1s, or empty for"),
    ("run toy.toml --set training.save_every=0m", "training.save_every: must be at least 1s"),
    ("train toy.toml --device cuda:99", "device: 'cuda:99' cannot be used"),
    ("evaluate none", "^error: none: no such folder$"),
    ("evaluate . --input two.de --reference one.en", "two.de has 2 lines but one.en has 1"),
    ("evaluate . --input none.de --reference one.en", "none.de: no such file"),
    ("evaluate . --input empty.de --reference empty.en", "empty.de, empty.en: are empty"),
    (f"{SCORE} --compare none", "^error: none: no such file$"),
    (f"{SCORE} --compare two.en", "two.en: has 2 translations, and the reference has 3 lines; "),
    (f"{SCORE} --compare four.en", "four.en: has 4 translations, and the reference has 3 lines; "),
]


@pytest.mark.parametrize(("command", "message"), REFUSED)
def test_mistakes_are_one_line_before_any_work(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    message: str,
) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    out = [] if command.startswith("evaluate") else ["--out", "out"]
    assert main([*command.split(), *out]) == 1
    assert re.search(message, error_line(capsys))
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


def test_a_time_without_a_unit_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "multi30k-de-en", "--time-budget", "25"])
    assert "--time-budget: must look like 25m or 1h30m, got '25'" in error_line(capsys)


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
    add_languages(parser, BY_ENDING)
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
