"""Lists of pieces, as other projects write them down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sentencepiece
import torch
from torch import Tensor

from translator.errors import ConfigError, ImportedModelError
from translator.tokens.imported import VocabularyForm

MOST_FILLING = 64
"""Ids without a piece behind the last one: vocabularies are filled up to a round number."""


def pieces_by_id(listed: object, num_pieces: int, name: str) -> tuple[str, ...]:
    """Return the pieces of a table from piece to id, which must be of the model's size."""
    pieces = ordered(listed, name)
    if len(pieces) != num_pieces:
        raise ImportedModelError(
            f"{name}: has {len(pieces)} pieces, the model {num_pieces}; they do not belong together"
        )
    return tuple(pieces)


def ordered(listed: object, name: str) -> list[str]:
    """Return pieces by id; ids must be 0, 1, 2, … without a gap."""
    if not isinstance(listed, dict) or any(
        type(piece_id) is not int for piece_id in listed.values()
    ):
        raise ImportedModelError(f"{name}: must be a table from pieces to ids")
    pieces = sorted(listed, key=listed.__getitem__)
    if [listed[piece] for piece in pieces] != [*range(len(pieces))]:
        raise ImportedModelError(f"{name}: its ids are not 0 to {len(pieces) - 1}, each once")
    return pieces


def filled(pieces: Sequence[str], num_pieces: int, name: str) -> tuple[str, ...]:
    """Return pieces, and names for the few ids behind them that the model has besides."""
    missing = num_pieces - len(pieces)
    if not 0 <= missing <= MOST_FILLING:
        raise ImportedModelError(
            f"{name}: has {len(pieces)} pieces, the model {num_pieces}; they do not belong together"
        )
    return (*pieces, *(f"<unused {number}>" for number in range(len(pieces), num_pieces)))


def made_form(**values: Any) -> VocabularyForm:
    """Return the form of a vocabulary, or refuse it in one line."""
    try:
        return VocabularyForm(**values)
    except ConfigError as error:
        raise ImportedModelError(f"vocabulary: {'; '.join(error.problems)}") from error


def sentencepieces(serialized: bytes, name: str) -> list[str]:
    """Return the pieces of a SentencePiece model by id; `name` is its file, for messages.

    Raises:
        ImportedModelError: it is none.
    """
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(serialized)
        return [processor.IdToPiece(number) for number in range(processor.vocab_size())]
    except RuntimeError as error:
        raise ImportedModelError(f"{name}: not a SentencePiece model") from error


ZERO_PIECE = "<pad>"


def with_zero_row(matrix: Tensor, place: int) -> Tensor:
    """Return a matrix, or a vector, with zeros more at a place."""
    row = matrix.new_zeros(1, *matrix.shape[1:])
    return torch.cat([matrix[:place], row, matrix[place:]])


def with_zero_piece(pieces: Sequence[str], place: int) -> tuple[str, ...]:
    """Return pieces with one more at a place, named so that none of them has its name."""
    name = ZERO_PIECE
    while name in pieces:
        name = f"<{name}>"
    return (*pieces[:place], name, *pieces[place:])
