"""A piece that says nothing, for models whose decoder begins with no piece at all."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

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
