"""Sentences as one rectangular tensor, and pieces as vectors with their positions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from translator.config import ModelConfig
from translator.model.dropout import Dropout
from translator.model.positions import FEW_POSITIONS, learned_places, position_vectors


def pad(sequences: Sequence[Sequence[int]], pad_id: int, multiple_of: int = 1) -> Tensor:
    """Stack id sequences into (B, S) int64, filled up at the end with `pad_id`.

    S is rounded up to a multiple (tensor cores like 8); empty sequences are allowed.
    """
    longest = max((len(sequence) for sequence in sequences), default=0)
    width = -(-max(longest, 1) // multiple_of) * multiple_of
    padded = torch.full((len(sequences), width), pad_id, dtype=torch.long)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.long)
    return padded


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Return (B, 1, 1, S), True where `ids` (B, S) is not padding: True = attend."""
    return (ids != pad_id)[:, None, None, :]


class Embedding(nn.Module):
    """Piece embeddings with positions; by default the output layer has the same matrix.

    Initialised N(0, D^-½) and multiplied by √D on the way in, so that inputs have unit variance
    while the logits of a fresh model stay near zero; the row of `pad_id` starts at zero and, being
    masked, is never attended to.

    Source: Vaswani et al. 2017, §3.4 and §3.5; Press & Wolf 2017 (tying).
    """

    def __init__(self, config: ModelConfig, num_pieces: int = 0) -> None:
        """Create the (V, D) matrix and a table of the first positions; V is `vocab_size` if 0."""
        super().__init__()
        self.config = config
        self.weight = nn.Parameter(torch.empty(num_pieces or config.vocab_size, config.d_model))
        self.pad_id = config.pad_id
        self.scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        self.dropout = Dropout(config.dropout)
        self.position_table: Tensor
        self.is_learned = config.positions == "learned"
        if self.is_learned:
            learned = nn.Parameter(torch.empty(config.max_positions, config.d_model))
            nn.init.normal_(learned, std=config.d_model**-0.5)
            self.register_parameter("position_table", learned)
        else:
            self.register_buffer("position_table", None, persistent=False)
            self.make_positions(FEW_POSITIONS)
        nn.init.normal_(self.weight, std=config.d_model**-0.5)
        with torch.no_grad():
            self.weight[config.pad_id].zero_()

    def make_positions(self, length: int) -> None:
        """Make the table of so many positions, unless they are learned."""
        if not self.is_learned:
            self.position_table = torch.from_numpy(position_vectors(self.config, length))

    def positions(self, length: int) -> Tensor:
        """Return the vectors (length, D) of the first positions.

        Raises:
            InputError: positions are learned, and there are not so many.
        """
        table = self.position_table
        if self.is_learned:
            return table[learned_places(self.config, length)]
        if length > len(table):
            return torch.from_numpy(position_vectors(self.config, length)).to(table.device)
        return table[:length]

    def forward(self, ids: Tensor) -> Tensor:
        """Embed `ids` (B, T)."""
        x = F.embedding(ids, self.weight, padding_idx=self.pad_id) * self.scale
        embedded: Tensor = self.dropout(x + self.positions(ids.size(1)))
        return embedded
