"""How every command of this project runs: one line and a non-zero exit code if it fails."""

from __future__ import annotations

import argparse
import sys

from translator.errors import TranslatorError


def run_command(parser: argparse.ArgumentParser, arguments: list[str] | None = None) -> int:
    """Run the command that the arguments name; return its exit code.

    Args:
        parser: each of its sub-parsers has the default `execute`, a function of the options.
        arguments: of the command line; those of this process if None.
    """
    options = parser.parse_args(arguments)
    try:
        options.execute(options)
    except (TranslatorError, OSError, UnicodeDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
