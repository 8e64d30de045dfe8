"""How every command of this project runs: in UTF-8; a failure is one line and an exit code.

The exit code is 0 for success, 1 if the work fails, 2 if the command line is wrong, and 130 if the
user interrupts.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeAlias

from translator.errors import TranslatorError


class CommandParser(argparse.ArgumentParser):
    """A parser that answers a wrong command line in one line, and takes options by full name only.

    Its sub-parsers do the same.
    """

    def __init__(
        self, *, fill: Callable[[CommandParser], None] | None = None, **settings: Any
    ) -> None:
        """Take the settings of `argparse.ArgumentParser`.

        `fill` adds the arguments, and may take long: it is called when they are needed.
        """
        super().__init__(**{"allow_abbrev": False, **settings})
        self._fill = fill

    def fill(self) -> None:
        """Add the arguments of a command that has been asked for, if that has not been done."""
        if self._fill is not None:
            fill, self._fill = self._fill, None
            fill(self)

    def parse_known_args(self, *arguments: Any, **named: Any) -> Any:
        """Parse, as `argparse.ArgumentParser` does, which calls this for every command."""
        self.fill()
        return super().parse_known_args(*arguments, **named)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to read more, and exit with code 2."""
        self.exit(2, f"error: {message}; see {self.prog} --help\n")


Commands: TypeAlias = "argparse._SubParsersAction[CommandParser]"


def utf8(argument: str) -> str:
    """Return an argument of the command line, read as UTF-8 whatever the locale."""
    try:
        return os.fsencode(argument).decode()
    except UnicodeDecodeError as error:
        raise argparse.ArgumentTypeError(f"is not UTF-8 ({error.reason})") from error


def add_languages(parser: argparse.ArgumentParser, more: str = "", **settings: Any) -> None:
    """Add `--from` and `--to`; `more` is said of both, and settings are those of arguments."""
    for name, side, example in (("from", "source", "de"), ("to", "target", "en")):
        parser.add_argument(
            f"--{name}",
            dest=f"{side}_language",
            metavar="LANGUAGE",
            help=f"{side} language, such as {example}{more}",
            **settings,
        )


def run_main(module: str) -> int:
    """Run the `main` of a module that may take long to load; return its exit code."""
    try:
        main: Callable[[], int] = importlib.import_module(module).main
    except KeyboardInterrupt:
        return 130
    return main()


@contextlib.contextmanager
def without_collecting_loaded() -> Iterator[None]:
    """Keep what has been loaded out of the search for garbage, for as long as the context lasts.

    Modules and models have nearly all the objects of a process. To search them again and again
    takes up to two fifths of the time that preparing and checking text takes.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def run_command(parser: argparse.ArgumentParser, arguments: list[str] | None = None) -> int:
    """Run the command that the arguments name; return its exit code.

    The parser sets the default `execute` for every command, a function that takes the options.

    Raises:
        SystemExit: the arguments are wrong, or ask for help.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # all files are UTF-8, so this is too
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = parser.parse_args(arguments)
    try:
        options.execute(options)
    except (TranslatorError, OSError, UnicodeDecodeError) as error:
        print(f"error: {_message_of(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _message_of(error: Exception) -> str:
    """Return what to print: of a file that cannot be used, its name and the reason."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)
