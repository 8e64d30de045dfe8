"""Which pieces a language is ever written with, learned from text; see `output_pieces`.

Off unless asked for: a third of the default model's pieces are never English, and leaving them out
saves a sixth of the time into English, but 0.3 BLEU were lost on one test set of twelve.
`tests.benchmarks.output_pieces` shows what a model would lose.
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.errors import InputError
from translator.files import OPENERS, read_lines
from translator.store.model_directory import load_model_directory, save_model_directory
from translator.store.output_pieces import pack
from translator.tokens.tokenizer import Tokenizer

LOST_SHARE = 3e-5
"""The rarest pieces that together are no more than this share of a text count as never written."""

Ids = NDArray[Any]


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `output-pieces`."""
    parser = commands.add_parser(
        "output-pieces", help="compute only the pieces that a language is written with, in int8"
    )
    parser.add_argument("model", type=Path, help="model directory, which is changed")
    meaning = "what it was trained on: NAME.de, NAME.en.xz …; all pieces again if there is none"
    parser.add_argument("text", type=Path, nargs="*", help=meaning)
    parser.set_defaults(execute=_execute)


def written(counts: Ids, tokenizer: Tokenizer) -> list[int]:
    """Return the pieces that are written, given how often each occurs in a text, (V,).

    Characters, bytes and control symbols always are: they can spell what has no piece.
    """
    by_count = np.argsort(counts, kind="stable")
    is_lost = np.cumsum(counts[by_count]) <= LOST_SHARE * counts.sum()
    lost = set(by_count[is_lost].tolist())
    ids = range(tokenizer.vocab_size)
    return [one for one in ids if one not in lost or not tokenizer.is_several_characters(one)]


def _execute(options: argparse.Namespace) -> None:
    loaded = load_model_directory(options.model)
    tokenizer, table = loaded.tokenizer, dict[str, Ids]()
    for path in options.text:
        suffixes = [one[1:] for one in path.suffixes if one not in OPENERS]
        if not suffixes or suffixes[-1] not in tokenizer.languages:
            known = ", ".join(f".{language}" for language in tokenizer.languages)
            raise InputError(f"{path}: its name must end in one of {known}")
        counts = table.setdefault(suffixes[-1], np.zeros(tokenizer.vocab_size, np.int64))
        for ids in tokenizer.encode_lines(read_lines(path)):
            counts += np.bincount(np.array(ids, np.int64), minlength=len(counts))
    pieces = {language: written(counts, tokenizer) for language, counts in sorted(table.items())}
    packed = {language: pack(ids) for language, ids in pieces.items()}
    description = dataclasses.replace(loaded.description, output_pieces=packed)
    weights = loaded.model.state_dict()
    save_model_directory(options.model, description, tokenizer, weights, loaded.card)
    for language, ids in pieces.items():
        print(f"{language}: {len(ids)} of {tokenizer.vocab_size} pieces")
