"""How every command of this project runs: in UTF-8, with one line and a code if it fails."""

from __future__ import annotations

import argparse
import io
import os
import sys

from translator.errors import TranslatorError


def utf8(argument: str) -> str:
    """Return an argument of the command line as it was typed, in UTF-8, whatever the locale.

    Raises:
        argparse.ArgumentTypeError: it is something else.
    """
    try:
        return os.fsencode(argument).decode()
    except UnicodeDecodeError as error:
        raise argparse.ArgumentTypeError(f"is not UTF-8 ({error.reason})") from error


def run_command(parser: argparse.ArgumentParser, arguments: list[str] | None = None) -> int:
    """Run the command that the arguments name; return its exit code.

    Args:
        parser: each of its sub-parsers has the default `execute`, a function of the options.
        arguments: of the command line; those of this process if None.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # UTF-8 like all files, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = parser.parse_args(arguments)
    try:
        options.execute(options)
    except (TranslatorError, OSError, UnicodeDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
