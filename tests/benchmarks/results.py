"""Put what a benchmark has printed into a page, between the markers of its name.

    python -m tests.benchmarks.decoding … | python -m tests.benchmarks.results PAGE decoding-speed

In the page, a table stands between `<!-- results:NAME -->` and `<!-- /results:NAME -->`. Above it
comes a line that says when, with which commit and on which CPU it was measured.
"""

from __future__ import annotations

import argparse
import datetime
import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TextIO

from tests.checkout import ROOT
from translator.cli.info import describe
from translator.errors import InputError

PAGE = "docs/results.md"
NAMES = {
    **{
        name: f"tests.benchmarks.{name}"
        for name in ("quality", "words", "files", "scaling", "fidelity", "gpu")
    },
    "fidelity-imported": "tests.benchmarks.fidelity",
    "captions": "training",
    "decoding-speed": "tests.benchmarks.decoding",
    "serving-speed": "tests.benchmarks.service_speed",
}
"""Tables that there can be, and what `python -m` measures them with; those in this folder take
`--write`, the others are piped."""


def write_table(path: Path, name: str, table: str) -> None:
    """Replace what stands between the markers of `name`, with date, commit and CPU.

    Raises:
        InputError: the page is missing, or has not exactly one pair of these markers.
    """
    before, after = _around(path, name)
    text = f"{before}\n{stamp(path)}\n\n{table.strip()}\n\n{after}"
    path.write_text(text, encoding="utf-8")


def check_markers(path: Path, name: str) -> None:
    """Raise what `write_table` would, before anything is measured."""
    _around(path, name)


def _around(path: Path, name: str) -> tuple[str, str]:
    """Return what stands before and behind a table, with its markers."""
    begin, end = f"<!-- results:{name} -->\n", f"<!-- /results:{name} -->\n"
    if name not in NAMES:
        raise InputError(f"{name}: no benchmark has this name; known ones: {', '.join(NAMES)}")
    if not path.is_file():
        raise InputError(f"{path}: no such page; results are written to {PAGE}")
    text = path.read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise InputError(
            f"{path}: needs one line `{begin.strip()}` and below it one line `{end.strip()}`, "
            "for the results to be put between them"
        )
    return text[: text.index(begin)] + begin, text[text.index(end) :]


def stamp(page: Path) -> str:
    """Return date, commit and CPU; `+changes` if other files than the page differ from it."""
    commit, path = _git("rev-parse", "--short", "HEAD"), page.resolve()
    others = [f":(exclude){path}"] if path.is_relative_to(ROOT) else []
    changes = "+changes" if _git("status", "--porcelain", "--", ".", *others) else ""
    today = datetime.datetime.now(datetime.UTC).date()
    return f"*{today}, commit {commit}{changes}, {describe()}*"


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


class _Copy(io.TextIOBase):
    """A text stream that passes on what is written, and keeps it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self.kept = stream, ""

    def write(self, text: str) -> int:
        self.kept += text
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()


@contextmanager
def results(path: Path | None, name: str) -> Iterator[None]:
    """Write what is printed meanwhile to a page as well, if one is named.

    Raises:
        SystemExit: the page cannot take it; said before anything is measured.
    """
    try:
        if path:
            check_markers(path, name)
        print(f"{stamp(path or ROOT / PAGE)}\n", flush=True)
        with redirect_stdout(_Copy(sys.stdout)) as copy:
            yield
        if path:
            write_table(path, name, copy.kept)
    except InputError as error:
        raise SystemExit(f"error: {error}") from error


def main() -> None:
    """Write what comes from standard input, and print it too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="such as docs/results.md")
    parser.add_argument("name", choices=NAMES)
    options = parser.parse_args()
    with results(options.page, options.name):
        for line in sys.stdin:
            print(line, end="", flush=True)


if __name__ == "__main__":
    main()
