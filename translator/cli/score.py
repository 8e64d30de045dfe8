"""`python -m translator score`: how probable given translations are."""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from translator.cli.translate import add_model_arguments, load
from translator.errors import InputError
from translator.files import STANDARD, count_lines, read_lines
from translator.pipeline.scoring import PairScore, score_pairs
from translator.pipeline.translator import Translator

PAIRS_AT_ONCE = 1000


def add_score(parser: argparse.ArgumentParser) -> None:
    """Add the flags of this command."""
    add_model_arguments(parser)
    parser.add_argument(
        "--input", required=True, help="file of sentences, one a line (also .gz, .xz, .zst)"
    )
    parser.add_argument(
        "--translations", required=True, help="file of their translations, aligned line by line"
    )
    parser.add_argument(
        "--output", default=STANDARD, help="file to write, or - for standard output"
    )
    parser.add_argument(
        "--pieces", action="store_true", help="say of each piece how probable it is"
    )
    parser.add_argument("--threads", type=int, default=1, help="CPU threads, 1 by default")
    parser.set_defaults(execute=_score)


def _score(options: argparse.Namespace) -> None:
    counts = [count_lines(_file(path)) for path in (options.input, options.translations)]
    if counts[0] != counts[1]:
        raise InputError(
            f"lines of {options.input}: {counts[0]}, of {options.translations}: {counts[1]}; "
            "each sentence needs its translation in the same line"
        )
    with ExitStack() as stack:
        chosen = load(options, options.threads)
        translator = stack.enter_context(chosen.translator)
        if not isinstance(translator, Translator):
            raise InputError("this pair takes two models; only one can score: name it with --model")
        source, target = chosen.source, chosen.target
        stream = sys.stdout
        if options.output != STANDARD:
            stream = stack.enter_context(Path(options.output).open("w", encoding="utf-8"))
        pairs = zip(read_lines(options.input), read_lines(options.translations), strict=True)
        while some := list(itertools.islice(pairs, PAIRS_AT_ONCE)):
            for score in score_pairs(translator, some, source=source, target=target):
                print(json.dumps(_as_json(score, options.pieces), ensure_ascii=False), file=stream)


def _file(name: str) -> Path:
    if not Path(name).is_file():
        raise InputError(f"{name}: no such file")
    return Path(name)


def _as_json(score: PairScore | None, has_pieces: bool) -> dict[str, Any] | None:
    """Return what to print; null for a pair that is too long."""
    if score is None:
        return None
    fields: dict[str, Any] = {
        "log_prob": round(score.log_prob, 4),
        "score": round(score.score, 4),
        "num_pieces": len(score.pieces),
    }
    if has_pieces:
        fields["pieces"] = [[piece, round(log_prob, 4)] for piece, log_prob in score.pieces]
    return fields
