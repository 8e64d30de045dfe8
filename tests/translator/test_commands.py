"""What all commands have in common: UTF-8, one line if something is wrong, and an exit code."""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import os
from collections.abc import Callable

import pytest

from translator.commands import (
    CommandParser,
    run_command,
    run_main,
    utf8,
    without_collecting_loaded,
)
from translator.errors import InputError


def parser_of(execute: Callable[[argparse.Namespace], None]) -> CommandParser:
    parser = CommandParser(prog="tool")
    greet = parser.add_subparsers(required=True, dest="command").add_parser("greet")
    greet.add_argument("name", type=utf8)
    greet.add_argument("--loudness", type=int, default=1)
    greet.set_defaults(execute=execute)
    return parser


def failing(error: BaseException) -> CommandParser:
    def execute(_: argparse.Namespace) -> None:
        raise error

    return parser_of(execute)


def test_a_command_gets_its_options() -> None:
    seen: list[argparse.Namespace] = []
    assert run_command(parser_of(seen.append), ["greet", "Anna", "--loudness", "3"]) == 0
    assert (seen[0].name, seen[0].loudness) == ("Anna", 3)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputError("text: is empty; send some"), "error: text: is empty; send some"),
        (FileNotFoundError(2, "No such file", "a.de"), "error: a.de: No such file"),
        (OSError("the disk is gone"), "error: the disk is gone"),
    ],
)
def test_a_failure_is_one_line_and_code_1(
    capsys: pytest.CaptureFixture[str], error: Exception, line: str
) -> None:
    assert run_command(failing(error), ["greet", "Anna"]) == 1
    assert capsys.readouterr().err == f"{line}\n"


def test_an_interruption_is_code_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(failing(KeyboardInterrupt()), ["greet", "Anna"]) == 130
    assert capsys.readouterr().err == ""


def test_an_interruption_while_pytorch_loads_is_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib, "import_module", interrupted)
    assert run_main("training.cli") == 130


def test_what_is_loaded_is_left_out_of_the_search_for_garbage_until_the_end() -> None:
    gc.unfreeze()
    with without_collecting_loaded():
        assert gc.get_freeze_count() > 1000
    assert gc.get_freeze_count() == 0


def test_a_fault_of_our_own_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        run_command(failing(ZeroDivisionError()), ["greet", "Anna"])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "error: the following arguments are required: command; see tool --help"),
        (["greet"], "error: the following arguments are required: name; see tool greet --help"),
        (
            ["greet", "Anna", "--loudness", "x"],
            "error: argument --loudness: invalid int value: 'x'; see tool greet --help",
        ),
        (
            ["greet", "Anna", "--loud", "3"],
            "error: unrecognized arguments: --loud 3; see tool --help",
        ),
    ],
)
def test_a_wrong_command_line_is_one_line_and_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], line: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run_command(parser_of(lambda _: None), arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err == f"{line}\n"


def test_output_is_utf8_whatever_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii"))
    parser = parser_of(lambda options: print(options.name, "\ud800", flush=True))
    assert run_command(parser, ["greet", "€"]) == 0
    assert written.getvalue() == "€ \\ud800\n".encode()


def test_an_argument_is_read_as_utf8_whatever_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsencode", lambda text: text.encode("latin-1", "surrogateescape"))
    assert utf8("Ã¤") == "ä"
    with pytest.raises(argparse.ArgumentTypeError, match="is not UTF-8"):
        utf8("ä")


def test_a_command_is_filled_when_it_is_asked_for() -> None:
    filled: list[str] = []

    def fill(parser: CommandParser) -> None:
        filled.append(parser.prog)
        parser.add_argument("--flag")

    parser = CommandParser(prog="x")
    commands = parser.add_subparsers(dest="command")
    for name in ("a", "b"):
        commands.add_parser(name, fill=fill)
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    assert filled == []
    for _ in range(2):
        assert parser.parse_args(["b", "--flag", "1"]).flag == "1"
    assert filled == ["x b"]
