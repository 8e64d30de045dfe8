"""`python -m translator`: translate, score, draw attention, convert and import models."""

from __future__ import annotations

from translator.commands import CommandParser, run_command


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return its exit code."""
    return run_command(_parser(), arguments)


def _parser() -> CommandParser:
    parser = CommandParser(prog="python -m translator", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, fill, text in (
        ("translate", _translate, "translate a text, a file or standard input"),
        ("bulk", _bulk, "translate tables and texts of any size, also on a cluster"),
        ("score", _score, "say how probable given translations are"),
        ("attention", _attention, "draw the attention weights of a sentence"),
        ("convert", _convert, "write a model for another system, or in int8"),
        ("import", _import, "make a model directory from another project's model"),
        ("models", _models, "list, check, add and remove models in a folder"),
        ("info", _info, "say how this machine translates, and how fast"),
    ):
        commands.add_parser(name, help=text, fill=fill)
    return parser


# Each command is loaded when it is asked for: PyTorch and Numba take two seconds.


def _translate(parser: CommandParser) -> None:
    from translator.cli.translate import add_translate

    add_translate(parser)


def _bulk(parser: CommandParser) -> None:
    from translator.cli.bulk import add_bulk

    add_bulk(parser)


def _score(parser: CommandParser) -> None:
    from translator.cli.score import add_score

    add_score(parser)


def _attention(parser: CommandParser) -> None:
    from translator.cli.attention import add_attention

    add_attention(parser)


def _convert(parser: CommandParser) -> None:
    from translator.cli.exchange.convert import add_convert

    add_convert(parser)


def _import(parser: CommandParser) -> None:
    from translator.cli.exchange.imports import add_import

    add_import(parser)


def _models(parser: CommandParser) -> None:
    from translator.cli.models import add_models

    add_models(parser)


def _info(parser: CommandParser) -> None:
    from translator.cli.info import add_info

    add_info(parser)
