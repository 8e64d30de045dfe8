"""What all benchmarks on a file of sentences are told on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path

from translator.translate.translator import DEFAULT_MODEL


def sentences_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of `model`, `src`, `source_language` and `threads`; more can be added."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--model", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--src", type=Path, required=True, help="sentences, one a line")
    parser.add_argument("--from", dest="source_language", default="de", help="of --src")
    parser.add_argument("--threads", type=int, default=1)
    return parser
