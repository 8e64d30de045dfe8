"""Position vectors, which are added to the embeddings."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from translator.config import ModelConfig
from translator.errors import InputError
from translator.model.choices import chosen

PLACE = "the model"

FEW_POSITIONS = 512
"""Vectors of positions that are made at first."""


def sinusoidal_positions(positions: Tensor, d_model: int) -> Tensor:
    """Return the fixed position vectors of any positions, in float32.

    PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos(pos / 10000^(2i/D)).

    Args:
        positions: integer tensor of any shape (...).
        d_model: D; an odd D drops the last cosine.

    Returns:
        (..., D) float32: bfloat16 cannot tell neighbouring positions apart.

    Source: Vaswani et al. 2017, §3.5.
    """
    half = (d_model + 1) // 2
    sines, cosines = _waves(positions, torch.arange(half).double() * 2 / d_model)
    return torch.stack((sines, cosines), dim=-1).flatten(-2)[..., :d_model]


def sinusoidal_halves(positions: Tensor, d_model: int) -> Tensor:
    """Return the same numbers in another order: all sines, then all cosines.

    Args:
        positions: integer tensor of any shape (...).
        d_model: D; an odd D drops the last cosine.

    Source: Marian (Junczys-Dowmunt et al. 2018).
    """
    half = (d_model + 1) // 2
    waves = _waves(positions, torch.arange(half).double() * 2 / d_model)
    return torch.cat(waves, dim=-1)[..., :d_model]


def sinusoidal_fairseq(positions: Tensor, d_model: int) -> Tensor:
    """Return sines, then cosines, whose wavelengths end at 10000 · 2π: i / (D/2 - 1), not 2i / D.

    Args:
        positions: integer tensor of any shape (...).
        d_model: D; an odd D ends in a zero.

    Source: fairseq (Ott et al. 2019), from tensor2tensor.
    """
    half = d_model // 2
    vectors = torch.cat(_waves(positions, torch.arange(half).double() / max(half - 1, 1)), dim=-1)
    return torch.nn.functional.pad(vectors, (0, d_model % 2))


def _waves(positions: Tensor, exponents: Tensor) -> tuple[Tensor, Tensor]:
    """Return sines and cosines of pos / 10000^exponent, (..., D/2) float32 each.

    They are computed in float64 and rounded once, so that they are the same on every machine:
    PyTorch's float32 sines differ between CPUs in the last bit.
    """
    frequencies = torch.exp(exponents * -math.log(10000.0)).to(positions.device)
    angles = positions[..., None].double() * frequencies
    return angles.sin().float(), angles.cos().float()


POSITIONS: dict[str, Callable[[Tensor, int], Tensor]] = {
    "sinusoidal": sinusoidal_positions,
    "sinusoidal_halves": sinusoidal_halves,
    "sinusoidal_fairseq": sinusoidal_fairseq,
}


def position_vectors(config: ModelConfig, positions: Tensor) -> Tensor:
    """Return the vectors of positions (...): (..., D) float32.

    Args:
        config: of the model.
        positions: from 0; `config.position_offset` is added here.

    Raises:
        ConfigError: the configuration's scheme has no formula.
    """
    scheme = chosen(config, "positions", POSITIONS, PLACE)
    return scheme(positions + config.position_offset, config.d_model)


def first_positions(config: ModelConfig, table: Tensor, length: int) -> Tensor:
    """Return the vectors of the first positions, (length, D) float32.

    Args:
        config: of the model.
        table: all vectors if they are learned, else those of the first positions.
        length: how many vectors to return.

    Raises:
        InputError: positions are learned, and the table has fewer than `length`.
    """
    if config.positions == "learned":
        start = config.position_offset
        if start + length > len(table):
            most = len(table) - start
            raise InputError(f"{length} pieces are too long for this model; at most {most}")
        return table[start : start + length]
    if length > len(table):
        return position_vectors(config, torch.arange(length, device=table.device))
    return table[:length]
