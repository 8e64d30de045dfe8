"""The optimizers: AdamW for everything, or Muon for the matrices and AdamW for the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from training.config import TrainingConfig
from training.loop.distributed import World
from training.loop.shared_memory import SharedMemory
from training.machine import has_bfloat16
from translator.model.transformer import Transformer

MUON_RATE = 16.0  # Muon's learning rate, in units of AdamW's


class Muon(Optimizer):
    """Momentum made orthogonal, for matrices: each direction is changed alike.

    PyTorch's own Muon does that in bfloat16 on every machine. On a CPU that has no instructions for
    it, that takes 28 times as long as this does in float32.

    Source: Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks".
    """

    def __init__(
        self, matrices: Sequence[Tensor], *, lr: float, weight_decay: float, momentum: float
    ) -> None:
        """Take charge of `matrices`; `weight_decay` is decoupled, as AdamW's is."""
        super().__init__(matrices, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum})
        self.dtype = torch.bfloat16 if has_bfloat16(matrices[0].device) else torch.float32

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Update all matrices that have a gradient, with Nesterov's momentum."""
        for group in self.param_groups:
            for matrix in group["params"]:
                if matrix.grad is None:
                    continue
                state = self.state[matrix]
                if not state:
                    state["momentum_buffer"] = torch.zeros_like(matrix)
                mean = state["momentum_buffer"].lerp_(matrix.grad, 1 - group["momentum"])
                update = orthogonal(matrix.grad.lerp(mean, group["momentum"]).to(self.dtype))
                rows, columns = matrix.shape
                matrix.mul_(1 - group["lr"] * group["weight_decay"])
                matrix.add_(update, alpha=-group["lr"] * math.sqrt(max(1, rows / columns)))


def orthogonal(matrix: Tensor) -> Tensor:
    """Return `matrix` (R, C) with all its singular values brought near 1: from 0.5 to 1.5.

    Source: Jordan et al. 2024, a Newton-Schulz iteration whose coefficients make small values grow
    fast; five rounds are enough.
    """
    is_tall = matrix.size(0) > matrix.size(1)
    x = matrix.T if is_tall else matrix
    x = x / x.norm().clamp(min=1e-7)
    linear, cubic, quintic = 3.4445, -4.7750, 2.0315
    for _ in range(5):
        gram = x @ x.T
        factor = torch.addmm(gram, gram, gram, beta=cubic, alpha=quintic)
        x = torch.addmm(x, factor, x, beta=linear)
    return x.T if is_tall else x


class SharedMuon(Muon):
    """Muon whose matrices are divided among processes on one machine.

    Making an update orthogonal takes a fifth of a step on a CPU. Each process does that for some of
    the matrices and gets the others from its neighbours: the same bits as if it had done them all.
    """

    def __init__(
        self, matrices: Sequence[Tensor], world: World, memory: SharedMemory, **settings: Any
    ) -> None:
        """Divide `matrices`, of which there are as many as processes or more."""
        self.world, self.memory, self.matrices = world, memory, matrices
        self.parts = divide(matrices, world.count)
        self.mine = self.parts[world.rank]
        super().__init__([matrices[place] for place in self.mine], **settings)

    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Update all matrices."""
        super().step()
        self.memory.share([[self.matrices[place] for place in part] for part in self.parts])

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all matrices."""
        for matrix in self.matrices:
            matrix.grad = None

    def state_dict(self) -> dict[str, Any]:
        """Return what `Muon` of all matrices would; all processes must call it together."""
        state, [group] = super().state_dict()["state"], self.param_groups
        momenta = self.world.gather([state[place]["momentum_buffer"] for place in sorted(state)])
        all_momenta = {
            place: {"momentum_buffer": momentum}
            for part, theirs in zip(self.parts, momenta, strict=True)
            for place, momentum in zip(part, theirs, strict=False)  # none before the first step
        }
        return {
            "state": dict(sorted(all_momenta.items())),
            "param_groups": [{**group, "params": list(range(len(self.matrices)))}],
        }

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Put back the part of this process of what `state_dict` returned."""
        state, [group] = state_dict["state"], state_dict["param_groups"]
        super().load_state_dict(
            {
                "state": {n: state[place] for n, place in enumerate(self.mine) if place in state},
                "param_groups": [{**group, "params": list(range(len(self.mine)))}],
            }
        )


def divide(matrices: Sequence[Tensor], count: int) -> list[list[int]]:
    """Return places of matrices in `count` parts that are about equally much work for Muon."""

    def work(place: int) -> int:  # of a Newton-Schulz iteration, in multiply-adds
        short, long = sorted(matrices[place].shape)
        return short * short * (2 * long + short)

    parts: list[list[int]] = [[] for _ in range(count)]
    for place in sorted(range(len(matrices)), key=lambda place: (-work(place), place)):
        min(parts, key=lambda part: sum(map(work, part))).append(place)
    return [sorted(part) for part in parts]


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
        """Return the state of each optimizer, by name; all processes must call it together."""
        return {name: optimizer.state_dict() for name, optimizer in self.named.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Put back what `state_dict` returned."""
        for name, optimizer in self.named.items():
            optimizer.load_state_dict(state[name])


def make_optimizers(
    model: Transformer, config: TrainingConfig, world: World | None = None
) -> Optimizers:
    """Return the optimizers of a recipe, for one process of `world`, or for one alone.

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
        settings: dict[str, Any] = {
            "lr": config.learning_rate * MUON_RATE,
            "weight_decay": config.muon_weight_decay,
            "momentum": 0.95,
        }
        memory = world.shared_memory() if world else None
        if world and memory and len(matrices) >= world.count:
            optimizers["muon"] = SharedMuon(matrices, world, memory, **settings)
        else:
            optimizers["muon"] = Muon(matrices, **settings)
    else:
        adamw_groups.insert(0, {"params": matrices, "weight_decay": config.weight_decay})
    betas = (0.9, config.adam_beta2)
    optimizers["adamw"] = torch.optim.AdamW(
        adamw_groups, lr=config.learning_rate, betas=betas, eps=1e-9, fused=True
    )
    return Optimizers(**optimizers)
