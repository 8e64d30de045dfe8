"""The flags for terms of the user's own, which several commands have."""

from __future__ import annotations

import argparse
from pathlib import Path

from translator.commands import utf8
from translator.text.glossary import Glossary, read_glossary


def add_terms(parser: argparse.ArgumentParser) -> None:
    """Add `--glossary` and `--keep`."""
    parser.add_argument(
        "--glossary", type=Path, help="file with a term, a tab and its translation in each line"
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        type=utf8,
        help="a term that is never translated; may be repeated",
    )


def glossary_of(options: argparse.Namespace) -> Glossary:
    """Return the terms of `--glossary` and `--keep`."""
    keep = tuple(options.keep)
    return read_glossary(options.glossary, keep) if options.glossary else Glossary(keep=keep)
