"""What several commands of `python -m training` have in common: options and their meaning.

`--from` and `--to` are always languages, `--input` and `--output` text files, and `--out` a folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from translator.errors import InputError
from translator.files import OPENERS
from translator.language_names import english_name

BY_ENDING = "; by default the ending of its file's name"
"""What is said of languages that may be left out; see `languages_of`."""

NO_LANGUAGES = ("src", "tok")
"""Endings of files that are also codes of languages, but seldom meant so."""


def languages_of(options: argparse.Namespace, source: Path, target: Path) -> tuple[str, str]:
    """Return both languages: as the options say, else as the names of the two files end.

    Raises:
        InputError: an option is left out, and the name of its file does not end in a language.
    """
    given = (("--from", options.source_language), ("--to", options.target_language))
    languages = []
    for (option, language), path in zip(given, (source, target), strict=True):
        plain = path.with_suffix("") if path.suffix in OPENERS else path
        ending = plain.suffix[1:]
        is_none = ending in NO_LANGUAGES or english_name(ending) == ending  # without a name
        if not language and is_none:
            raise InputError(f"{path}: name its language with {option}, such as {option} de")
        languages.append(language or ending)
    return languages[0], languages[1]


def positive(argument: str) -> int:
    """Return a number of the command line that must be at least 1."""
    if not argument.isdecimal() or int(argument) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, got {argument!r}")
    return int(argument)


def add_device(parser: argparse.ArgumentParser) -> None:
    """Add `--device`: a GPU if there is one."""
    default = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", default=default, help=f"cpu or cuda; here {default} by default")


def add_settings(parser: argparse.ArgumentParser, metavar: str = "SECTION.KEY=VALUE") -> None:
    """Add `--set`, which may be given several times."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar=metavar,
        help="override a setting; VALUE as in TOML; may be repeated",
    )


def require_files(*paths: Path) -> None:
    """Refuse a path that is no file, before any work."""
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: no such file")
