"""Which pieces a language is ever written with, learned from text; see `output_pieces`."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.data import Stream
from translator.checkpoint import load_model_directory, save_model_directory
from translator.errors import InputError
from translator.files import OPENERS, read_lines
from translator.output_pieces import pack, unpack
from translator.tokenizer import Tokenizer

LOST_SHARE = 3e-5
"""The rarest pieces that together are no more than this share of a text count as never written."""

Ids = NDArray[Any]


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `output-pieces`."""
    parser = commands.add_parser(
        "output-pieces",
        help="learn which pieces the languages of a model are written with",
    )
    parser.add_argument("model", type=Path, help="model directory, which is changed")
    parser.add_argument(
        "text", type=Path, nargs="+", help="what it was trained on: NAME.LANGUAGE, or NAME.de.xz"
    )
    parser.set_defaults(execute=_execute)


def learn(
    tokenizer: Tokenizer, streams: Sequence[Stream], base: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the `output_pieces` of a model that is trained on these.

    Args:
        tokenizer: of the model.
        streams: all corpora, in all directions.
        base: those of the model it was before, which are produced still; None if it was none.
    """
    found = {}
    for language in tokenizer.languages:
        tag_id, counts = tokenizer.tag_id(language), _none(tokenizer)
        for stream in streams:
            if stream.tag_ids[0] == tag_id:
                counts += _count(stream.target.ids, tokenizer)
        if counts.any() and (base is None or language in base):
            before = unpack(base[language]) if base else []
            found[language] = pack([*before, *written(counts, tokenizer)])
    return found


def written(counts: Ids, tokenizer: Tokenizer) -> list[int]:
    """Return the pieces that are written, given how often each occurs in a text, (V,).

    Characters, bytes and control symbols always are: they can spell what has no piece.
    """
    by_count = np.argsort(counts, kind="stable")
    is_lost = np.cumsum(counts[by_count]) <= LOST_SHARE * counts.sum()
    lost = set(by_count[is_lost].tolist())
    ids = range(tokenizer.vocab_size)
    return [one for one in ids if one not in lost or not tokenizer.is_several_characters(one)]


def _none(tokenizer: Tokenizer) -> Ids:
    return np.zeros(tokenizer.vocab_size, np.int64)


def _count(ids: Ids, tokenizer: Tokenizer) -> Ids:
    return np.bincount(ids, minlength=tokenizer.vocab_size)


def _execute(options: argparse.Namespace) -> None:
    loaded = load_model_directory(options.model)
    tokenizer, table = loaded.tokenizer, dict[str, Ids]()
    for path in options.text:
        suffixes = [one[1:] for one in path.suffixes if one not in OPENERS]
        if not suffixes or suffixes[-1] not in tokenizer.languages:
            known = ", ".join(f".{language}" for language in tokenizer.languages)
            raise InputError(f"{path}: its name must end in one of {known}")
        counts = table.setdefault(suffixes[-1], _none(tokenizer))
        for ids in tokenizer.encode_lines(read_lines(path)):
            counts += _count(np.array(ids, np.int64), tokenizer)
    pieces = {language: written(counts, tokenizer) for language, counts in sorted(table.items())}
    packed = {language: pack(ids) for language, ids in pieces.items()}
    description = dataclasses.replace(loaded.description, output_pieces=packed)
    weights = loaded.model.state_dict()
    save_model_directory(options.model, description, tokenizer, weights, loaded.card)
    for language, ids in pieces.items():
        print(f"{language}: {len(ids)} of {tokenizer.vocab_size} pieces")
