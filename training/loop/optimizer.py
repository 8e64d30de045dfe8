"""The optimizers: AdamW for everything, or Muon for the matrices and AdamW for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from training.config import TrainingConfig
from translator.model.transformer import Transformer

MUON_RATE = 16.0  # Muon's learning rate, in units of AdamW's


class Optimizers:
    """One or two optimizers that share a learning rate and step together."""

    def __init__(self, **named: Optimizer) -> None:
        """Bundle optimizers, by name, of disjoint parameters."""
        self.named = named

    def set_rate(self, rate: float) -> None:
        """Use this learning rate from the next step on."""
        for name, optimizer in self.named.items():
            for group in optimizer.param_groups:
                group["lr"] = rate * (MUON_RATE if name == "muon" else 1.0)

    def step(self) -> None:
        """Update all parameters, and forget their gradients."""
        for optimizer in self.named.values():
            optimizer.step()
        self.zero_grad()

    def zero_grad(self) -> None:
        """Forget all gradients."""
        for optimizer in self.named.values():
            optimizer.zero_grad(set_to_none=True)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of each optimizer, by name."""
        return {name: optimizer.state_dict() for name, optimizer in self.named.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Put back what `state_dict` returned."""
        for name, optimizer in self.named.items():
            optimizer.load_state_dict(state[name])


def make_optimizers(model: Transformer, config: TrainingConfig) -> Optimizers:
    """Return the optimizers of a recipe.

    Weight decay is for matrices only: not for biases, norms or the tied embedding. With `muon`, the
    update of a matrix is its momentum made orthogonal, scaled to the size that AdamW's has, so that
    the same learning rate serves both.

    Source: Loshchilov & Hutter 2019 (AdamW); Jordan et al. 2024 and Liu et al. 2025, §2.2 (Muon).
    """
    matrices: list[Tensor] = []
    others: list[Tensor] = []
    for name, parameter in model.named_parameters():
        is_matrix = parameter.dim() == 2 and not name.startswith("embedding.")
        (matrices if is_matrix else others).append(parameter)
    adamw_groups: list[dict[str, Any]] = [{"params": others, "weight_decay": 0.0}]
    optimizers: dict[str, Optimizer] = {}
    if config.optimizer == "muon":
        optimizers["muon"] = torch.optim.Muon(
            matrices,
            lr=config.learning_rate * MUON_RATE,
            weight_decay=config.weight_decay / MUON_RATE,
            momentum=0.95,
        )
    else:
        adamw_groups.insert(0, {"params": matrices, "weight_decay": config.weight_decay})
    betas = (0.9, config.adam_beta2)
    optimizers["adamw"] = torch.optim.AdamW(
        adamw_groups, lr=config.learning_rate, betas=betas, eps=1e-9, fused=True
    )
    return Optimizers(**optimizers)
