"""Matrices in 8 bits, defined once for training, model directories and the engine.

Each row of a matrix becomes levels, which are whole numbers from -127 to 127, and one scale that
multiplies them: the largest absolute value of the row, divided by 127.

Letters: F rows (outputs of a linear layer, or pieces) of D numbers.

Source: Wu et al. 2020, §3 (symmetric, a scale for each output channel).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from translator.model.embedding import Embedding
from translator.model.transformer import Transformer, make_empty_model

HIGHEST = 127
"""Level of what is largest in a row."""

LEAST = 1e-8
"""What is largest in a row counts as no less, so that a row of zeros has a scale too."""

ROWS_AT_ONCE = 1024
"""Are rounded together: a large matrix never has a second copy in float32."""


@dataclass(frozen=True, slots=True)
class Int8Matrix:
    """A matrix: levels times the scale of their row.

    Attributes:
        levels: (F, D) int8, -127 to 127.
        scales: (F,) float32, positive.
    """

    levels: Tensor
    scales: Tensor

    def floats(self) -> Tensor:
        """Return the matrix in float32."""
        return self.levels.float().mul_(self.scales[:, None])


def to_int8(matrix: Tensor) -> Int8Matrix:
    """Round a matrix (F, D) of finite floats.

    A matrix that was rounded before keeps its levels; its scales change by the last bit at most.
    """
    levels = torch.empty(matrix.shape, dtype=torch.int8)
    scales = torch.empty(len(matrix))
    for first in range(0, len(matrix), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        some = matrix[rows].float()
        scales[rows] = some.abs().amax(dim=1).clamp_(min=LEAST) / HIGHEST
        levels[rows] = some.div(scales[rows, None]).round_().to(torch.int8)
    return Int8Matrix(levels, scales)


def matrices_of(model: Transformer) -> dict[str, Tensor]:
    """Return the matrices that int8 stores, by name: linear layers, embeddings and output."""
    matrices: dict[str, Tensor] = {
        f"{name}.weight": part.weight
        for name, part in model.named_modules()
        if isinstance(part, nn.Linear | Embedding)
    }
    if model.output is not None:
        matrices["output"] = model.output
    return matrices


@dataclass(frozen=True, slots=True)
class Int8Model:
    """A Transformer with matrices in 8 bits and all other weights in float32.

    Attributes:
        model: in evaluation mode; its matrices are empty.
        matrices: by name; see `matrices_of`.
    """

    model: Transformer
    matrices: Mapping[str, Int8Matrix]

    @property
    def num_bytes(self) -> int:
        """Memory of the matrices."""
        return sum(matrix.levels.nbytes + matrix.scales.nbytes for matrix in self.matrices.values())

    def floats(self) -> Transformer:
        """Return a model in float32, in evaluation mode, that computes with the same numbers."""
        weights = {**self.model.state_dict()}
        weights |= {name: matrix.floats() for name, matrix in self.matrices.items()}
        model = make_empty_model(self.model.config)
        model.load_state_dict(weights, assign=True)
        return model.eval()


def make_int8_model(
    model: Transformer, matrices: Mapping[str, Int8Matrix], others: Mapping[str, Tensor]
) -> Int8Model:
    """Return a model of given weights, in evaluation mode.

    Args:
        model: an empty model, which gets the other weights.
        matrices: all those that `matrices_of` names, of the right shapes.
        others: all other weights, in float32.

    Raises:
        RuntimeError: names or shapes differ from those of the model.
    """
    empty = {
        name: torch.empty(matrix.levels.shape, device="meta") for name, matrix in matrices.items()
    }
    model.load_state_dict({**others, **empty}, assign=True)
    return Int8Model(model.eval(), matrices)


def rounded_model(model: Transformer) -> Int8Model:
    """Return a model on the CPU with rounded matrices, which shares all other weights."""
    matrices = {name: to_int8(matrix.detach()) for name, matrix in matrices_of(model).items()}
    others = {name: tensor for name, tensor in model.state_dict().items() if name not in matrices}
    return make_int8_model(make_empty_model(model.config), matrices, others)
