"""docs/commands.md describes every command and every flag, and none that does not exist."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Iterator

import pytest

from tests.checkout import ROOT
from tests.docs.pages import code_spans, read

PAGE = ROOT / "docs" / "commands.md"
MODULES = ("translator.cli", "training.__main__", "translator.benchmark.__main__")


def parser_of(module: str, monkeypatch: pytest.MonkeyPatch) -> argparse.ArgumentParser:
    """Return the parser that `main` of a module would run."""
    caught: list[argparse.ArgumentParser] = []

    def catch(parser: argparse.ArgumentParser, arguments: list[str] | None = None) -> int:
        caught.append(parser)
        return 0

    loaded = importlib.import_module(module)
    monkeypatch.setattr(loaded, "run_command", catch)
    loaded.main([])
    return caught[0]


def commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers of all commands; the parser itself if it has none."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield from commands(command)
            return
    yield parser


def flags(parser: argparse.ArgumentParser) -> set[str]:
    """Return the flags of one command that are meant for people."""
    return {
        flag
        for action in parser._actions
        for flag in action.option_strings
        if flag.startswith("--") and flag != "--help" and action.help != argparse.SUPPRESS
    }


@pytest.fixture
def all_commands(monkeypatch: pytest.MonkeyPatch) -> list[argparse.ArgumentParser]:
    return [found for name in MODULES for found in commands(parser_of(name, monkeypatch))]


def test_every_flag_is_described_and_no_other(
    all_commands: list[argparse.ArgumentParser],
) -> None:
    spans = code_spans(read(PAGE))
    described = {found[0] for span in spans if (found := re.match(r"--[a-z][\w-]*", span))}
    assert described == set().union(*map(flags, all_commands))


def test_every_command_is_described(all_commands: list[argparse.ArgumentParser]) -> None:
    names = {parser.prog.split()[-1] for parser in all_commands}
    assert names >= {"translate", "run", "evaluate"}
    spans = " ".join(code_spans(read(PAGE)))
    assert {name for name in names if not re.search(rf"(?<![\w-]){name}(?![\w-])", spans)} == set()
