"""docs/commands.md describes every command and every flag, and none that does not exist."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Iterator

import pytest

from tests.checkout import ROOT
from tests.docs.pages import code_spans, read
from training.cli import STAGES
from translator.commands import CommandParser

PAGE = ROOT / "docs" / "commands.md"
FORMER = {"--source", "--target", "--src", "--tgt", "--ref", "--hyp", "--in"}
MODULES = ("translator.cli.main", "training.cli")


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
                if isinstance(command, CommandParser):
                    command.fill()
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


def sections(text: str) -> dict[str, str]:
    """Return the sections of the page by the command that their heading names."""
    found = re.split(r"(?m)^## (?=translator|training)(.+)$", text)[1:]
    named = dict(zip(found[::2], found[1::2], strict=True))
    return {re.sub(r" and its stages$", "", heading): body for heading, body in named.items()}


def name_of(parser: argparse.ArgumentParser) -> str:
    """Return the heading of a command: stages of a run, and commands of models, share a section."""
    name = parser.prog.removeprefix("python -m ")
    package, _, command = name.partition(" ")
    if command.startswith("models "):
        return "translator models"
    return "training run" if package == "training" and command in STAGES else name


def undescribed(text: str, parsers: list[argparse.ArgumentParser]) -> list[str]:
    """Return for every section the flags that only the page has, or only the commands."""
    wanted: dict[str, set[str]] = {}
    for parser in parsers:
        wanted.setdefault(name_of(parser), set()).update(flags(parser))
    described = {
        name: {found[0] for span in code_spans(body) if (found := re.match(r"--[a-z][\w-]*", span))}
        for name, body in sections(text).items()
    }
    return sorted(
        f"{name}: {flag}"
        for name in wanted.keys() | described.keys()
        for flag in wanted.get(name, set()) ^ described.get(name, set())
    )


def test_every_flag_is_described_in_its_section_and_no_other(
    all_commands: list[argparse.ArgumentParser],
) -> None:
    assert undescribed(read(PAGE), all_commands) == []


def test_a_flag_in_the_wrong_section_is_found() -> None:
    parsers = []
    for name, flag in (("translate", "--output"), ("convert", "--out")):
        parsers.append(argparse.ArgumentParser(prog=f"python -m translator {name}"))
        parsers[-1].add_argument(flag)
    page = "## translator translate\n`--output`\n## translator convert\n`--output` `--out`\n"
    assert undescribed(page, parsers) == ["translator convert: --output"]
    assert undescribed(page[:35], parsers) == ["translator convert: --out"]


def test_a_flag_means_the_same_in_every_command(
    all_commands: list[argparse.ArgumentParser],
) -> None:
    meanings: dict[str, set[str]] = {}
    for parser in all_commands:
        assert isinstance(parser, CommandParser), parser.prog
        for action in parser._actions:
            for flag in action.option_strings:
                meanings.setdefault(flag, set()).add(action.dest)
    assert {flag: found for flag, found in meanings.items() if len(found) > 1} == {}
    assert (meanings["--from"], meanings["--to"]) == ({"source_language"}, {"target_language"})
    assert not meanings.keys() & FORMER


def test_every_command_is_described(all_commands: list[argparse.ArgumentParser]) -> None:
    names = {parser.prog.split()[-1] for parser in all_commands}
    assert names >= {"translate", "run", "evaluate"}
    spans = " ".join(code_spans(read(PAGE)))
    assert {name for name in names if not re.search(rf"(?<![\w-]){name}(?![\w-])", spans)} == set()
