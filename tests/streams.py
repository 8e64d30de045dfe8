"""Encoded corpora of a few sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from training.data.encoded import EncodedCorpus, Stream, TokenStore
from translator.tokens.tokenizer import Tokenizer

Sides = Mapping[str, Sequence[str]]


def write_streams(
    folder: Path, tokenizer: Tokenizer, sides: Sides, directions: Sequence[str]
) -> list[Stream]:
    """Encode aligned `sides` (language → lines) into `folder`, one stream a direction."""
    for language, lines in sides.items():
        TokenStore.write(folder / language, (tokenizer.encode(line) for line in lines))
    return [
        Stream(
            source=TokenStore(folder / source),
            target=TokenStore(folder / target),
            tag_ids=(tokenizer.tag_id(target),),
        )
        for source, target in (direction.split("-") for direction in directions)
    ]


def write_encoded(
    folder: Path, tokenizer: Tokenizer, sides: Sides, directions: Sequence[str]
) -> EncodedCorpus:
    """Return the corpus of `write_streams`."""
    return EncodedCorpus(write_streams(folder, tokenizer, sides, directions), tokenizer.eos_id)
