"""Position vectors, which are added to the embeddings."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from translator.config import ModelConfig
from translator.errors import InputError
from translator.model.choices import chosen

FEW_POSITIONS = 512
"""Vectors of positions that are made at first."""

Floats = NDArray[np.float32]


def sinusoidal_positions(positions: NDArray[Any], d_model: int) -> Floats:
    """Return the fixed position vectors of any positions, in float32.

    PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos(pos / 10000^(2i/D)).

    Args:
        positions: integers of any shape (...).
        d_model: D; an odd D drops the last cosine.

    Returns:
        (..., D) float32: bfloat16 cannot tell neighbouring positions apart.

    Source: Vaswani et al. 2017, §3.5.
    """
    half = (d_model + 1) // 2
    waves = np.stack(_waves(positions, np.arange(half) * 2 / d_model), axis=-1)
    return waves.reshape(*positions.shape, 2 * half)[..., :d_model]


def sinusoidal_halves(positions: NDArray[Any], d_model: int) -> Floats:
    """Return the same numbers in another order: all sines, then all cosines.

    Source: Marian (Junczys-Dowmunt et al. 2018).
    """
    half = (d_model + 1) // 2
    waves = _waves(positions, np.arange(half) * 2 / d_model)
    return np.concatenate(waves, axis=-1)[..., :d_model]


def sinusoidal_fairseq(positions: NDArray[Any], d_model: int) -> Floats:
    """Return sines, then cosines, whose wavelengths end at 10000 · 2π: i / (D/2 - 1), not 2i / D.

    Args:
        positions: integers of any shape (...).
        d_model: D; an odd D ends in a zero.

    Source: fairseq (Ott et al. 2019), from tensor2tensor.
    """
    half = d_model // 2
    sines, cosines = _waves(positions, np.arange(half) / max(half - 1, 1))
    nothing = np.zeros((*positions.shape, d_model % 2), np.float32)
    return np.concatenate((sines, cosines, nothing), axis=-1)


def _waves(positions: NDArray[Any], exponents: NDArray[Any]) -> tuple[Floats, Floats]:
    """Return sines and cosines of pos / 10000^exponent, (..., D/2) float32 each.

    They are computed in float64 and rounded once, so that they are the same on every machine:
    float32 sines differ between CPUs in the last bit.
    """
    angles = positions[..., None] * np.exp(exponents * -math.log(10000.0))
    return np.sin(angles).astype(np.float32), np.cos(angles).astype(np.float32)


POSITIONS: dict[str, Callable[[NDArray[Any], int], Floats]] = {
    "sinusoidal": sinusoidal_positions,
    "sinusoidal_halves": sinusoidal_halves,
    "sinusoidal_fairseq": sinusoidal_fairseq,
}


def position_vectors(config: ModelConfig, length: int) -> Floats:
    """Return the vectors of the first positions, (length, D) float32, from `position_offset` on.

    Raises:
        ConfigError: the configuration's scheme has no formula.
    """
    scheme = chosen(config, "positions", POSITIONS)
    return scheme(
        np.arange(config.position_offset, config.position_offset + length), config.d_model
    )


def learned_places(config: ModelConfig, length: int) -> slice:
    """Return where a table of learned positions has the vectors of the first ones.

    Raises:
        InputError: the table has fewer than `length`.
    """
    start = config.position_offset
    if start + length > config.max_positions:
        most = config.max_positions - start
        raise InputError(f"{length} pieces are too long for this model; at most {most}")
    return slice(start, start + length)
