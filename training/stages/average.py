"""Average the weights of several checkpoints: a small ensemble at the price of one model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import torch
from torch import Tensor

from training.config import TrainingConfig
from training.loop.state import best_checkpoints, list_checkpoints, load_latest


def average_weights(states: Iterable[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """Return the mean of several states with the same names and shapes, summed in float64.

    Raises:
        ValueError: there is nothing to average, or the states are of different models.

    Source: Vaswani et al. 2017, §6.1; Junczys-Dowmunt et al. 2016.
    """
    total: dict[str, Tensor] = {}
    count = 0
    for state in states:
        count += 1
        shapes = {name: tensor.shape for name, tensor in state.items()}
        if total and shapes != {name: tensor.shape for name, tensor in total.items()}:
            raise ValueError("checkpoints of different models cannot be averaged")
        for name, tensor in state.items():
            total[name] = total.get(name, torch.zeros((), dtype=torch.float64)) + tensor.double()
    if not count:
        raise ValueError("no checkpoints to average: train first")
    return {name: (tensor / count).float() for name, tensor in total.items()}


def chosen_checkpoints(folder: Path, config: TrainingConfig) -> list[Path]:
    """Return the last or the best checkpoints of a run, as many as `config` averages.

    There are none if there was no training.
    """
    state, _ = load_latest(folder)
    if state is None:
        return []
    if config.average_of == "best":
        return best_checkpoints(folder, config.average_checkpoints, state)
    return list_checkpoints(folder)[-config.average_checkpoints :]
