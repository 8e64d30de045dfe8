"""What benchmarks have in common: what they are told, and what they read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def results_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of `write`, the page for the results; more can be added."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="put the results into docs/results.md as well"
    )
    return parser


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add `input` and `source_language`."""
    parser.add_argument("--input", type=Path, required=True, help="sentences, one a line")
    parser.add_argument("--from", dest="source_language", default="de", help="of --input")


def read_sentences(path: Path) -> list[str]:
    """Return the lines of a file that are not blank.

    Raises:
        SystemExit: there are none.
    """
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if not lines:
        raise SystemExit(f"error: {path}: has no sentences")
    return lines


def print_header(*columns: str) -> None:
    """Print the head of a Markdown table."""
    print_row(*columns)
    print("|" + "---|" * len(columns), flush=True)


def print_row(*cells: object) -> None:
    """Print a row of a Markdown table, as soon as it is measured."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that so many percent do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * percent / 100))]
