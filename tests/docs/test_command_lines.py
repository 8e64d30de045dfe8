"""Every command line of the documentation is understood by its command, run or not."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.docs.pages import all_pages, read

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = {
    "translator": "translator.cli.main",
    "training": "training.cli",
    "service": "service.__main__",
    "tests.benchmarks.gpu": "tests.benchmarks.gpu.__main__",
    "tests.benchmarks.decoding": "tests.benchmarks.decoding.__main__",
}
PARSE = argparse.ArgumentParser.parse_args


class UnderstoodError(Exception):
    """Ends a command once its arguments have been read."""


def command_lines(text: str) -> list[str]:
    """Return the lines `python -m …` and `make …` of the blocks of a page, each in one line."""
    joined = "\n".join(BLOCK.findall(text)).replace("\\\n", " ")
    return re.findall(r"(?m)^(?:[A-Z]+=\S+ )*((?:python -m|make) .+)$", joined)


def problem(line: str, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Return what is wrong with a command line; None if its command understands it."""
    words = shlex.split(line, comments=True)
    words = words[: next((n for n, word in enumerate(words) if word in ("|", ">", "&")), None)]
    if words[0] == "make":
        targets = [word for word in words[1:] if "=" not in word]
        rules = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(VENV)", ".venv")
        missing = [target for target in targets if f"\n{target}:" not in rules]
        return f"no target {', '.join(missing)}" if missing else None
    name = words[2]

    def parse(parser: argparse.ArgumentParser, *given: Any) -> None:
        PARSE(parser, *given)
        raise UnderstoodError

    with monkeypatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "parse_args", parse)
        patch.setattr(sys, "argv", words[2:])
        try:
            importlib.import_module(PROGRAMS.get(name, name)).main()
        except UnderstoodError:
            return None
        except SystemExit:
            return "is not understood"
        except ModuleNotFoundError as error:
            return str(error)
    return "reads no arguments"


@pytest.mark.parametrize("page", all_pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_line_is_understood(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {line: problem(line, monkeypatch) for line in command_lines(read(page))}
    assert {line: wrong for line, wrong in found.items() if wrong} == {}


def test_the_pages_have_command_lines() -> None:
    lines = [line for page in all_pages() for line in command_lines(read(page))]
    assert {line.split()[2] for line in lines if line.startswith("python")} >= {*PROGRAMS}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("python -m translator translate --from de \\\n    --to en 'a b' | head", None),
        ("A=1 python -m translator translate --source de x", "is not understood"),
        ("python -m translator attention x --out a.png", "is not understood"),
        ("python -m training retrain RECIPE", "is not understood"),
        ("python -m tests.benchmarks.files --src FILE  # a comment", "is not understood"),
        ("python -m tests.benchmarks.speech", "No module named 'tests.benchmarks.speech'"),
        ("make serve TORCH=cpu", None),
        ("make dinner", "no target dinner"),
    ],
)
def test_a_wrong_line_is_found(
    line: str, wrong: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    [found] = command_lines(f"# Page\n\n```sh\necho x\n{line}\n```\n")
    assert problem(found, monkeypatch) == wrong
