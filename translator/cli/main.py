"""`python -m translator`: translate, score, draw attention, convert and import models."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial

from translator.commands import CommandParser, run_command


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its exit code."""
    return run_command(_parser(), arguments)


def _parser() -> CommandParser:
    parser = CommandParser(prog="python -m translator", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module, text in (
        ("translate", "translate", "translate a text, a file or standard input"),
        ("bulk", "bulk", "translate tables and texts of any size, also on a cluster"),
        ("score", "score", "say how probable given translations are"),
        ("attention", "attention", "draw the attention weights of a sentence"),
        ("convert", "convert", "write a model for another system, or in int8"),
        ("import", "imports", "make a model directory from another project's model"),
        ("models", "models", "list, check, add and remove models in a folder"),
        ("info", "info", "say how this machine translates, and how fast"),
    ):
        commands.add_parser(name, help=text, fill=partial(_fill, module, name))
    return parser


def _fill(module: str, name: str, parser: CommandParser) -> None:
    """Load a command when it is asked for: PyTorch and Numba take two seconds."""
    add: Callable[[CommandParser], None] = getattr(
        importlib.import_module(f"translator.cli.{module}"), f"add_{name}"
    )
    add(parser)
