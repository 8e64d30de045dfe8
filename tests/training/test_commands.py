"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
import torch

from training.commands import add_device, add_languages, languages_of, positive, require_files
from translator.errors import InputError


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


def test_files_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    require_files(tmp_path / "a")
    with pytest.raises(InputError, match="b: no such file"):
        require_files(tmp_path / "a", tmp_path / "b")


@pytest.mark.parametrize(("has_gpu", "device"), [(True, "cuda"), (False, "cpu")])
def test_a_gpu_is_used_if_there_is_one(
    monkeypatch: pytest.MonkeyPatch, has_gpu: bool, device: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: has_gpu)
    parser = argparse.ArgumentParser()
    add_device(parser)
    assert parser.parse_args([]).device == device
