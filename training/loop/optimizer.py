"""The optimizers, AdamW for everything or Muon for the matrices, and their learning rate."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from training.config import TrainingConfig
from training.loop.distributed import SharedMemory, World
from training.machine import has_bfloat16
from translator.model.transformer import Transformer

COOLDOWN = 0.2  # last part of a time budget in which `inverse_sqrt` falls to zero


def learning_rate(step: int, config: TrainingConfig, spent: float | None = None) -> float:
    """Return the rate of optimizer step `step`, counted from 1.

    Rises linearly to `config.learning_rate` at `warmup_steps`. Then it falls with 1/√step
    (`inverse_sqrt`), in a straight line (`linear`), or stays and falls in a straight line in the
    last `decay_share` of the run (`wsd`). The lines reach zero one step after `max_steps`. With a
    time budget, of which a share in [0, 1] has been `spent`, time takes the place of steps, and
    every schedule reaches zero when the budget is spent.

    Source: Vaswani et al. 2017, §5.3, Eq. 3 (there scaled by D^-½; here by the peak itself);
        Hu et al. 2024, §4.1 (`wsd`).
    """
    warmup = max(config.warmup_steps, 1)
    risen = min(step / warmup, 1.0)
    end = config.max_steps + 1
    left = max(end - step, 0) / end if spent is None else 1 - spent
    if config.schedule == "inverse_sqrt":
        fallen = float((warmup / max(step, warmup)) ** 0.5)
        if spent is not None:
            fallen *= min(left / COOLDOWN, 1.0)
    elif config.schedule == "wsd":
        fallen = min(left / config.decay_share, 1.0) if config.decay_share else 1.0
    elif spent is not None:
        fallen = left
    else:
        fallen = min(left * end / max(end - warmup, 1), 1.0)
    return config.learning_rate * (min(risen, fallen) if spent is not None else risen * fallen)


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

        self.found_inf: Tensor | None = None

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Update all matrices that have a gradient, with Nesterov's momentum."""
        for group in self.param_groups:
            by_shape: dict[torch.Size, list[Tensor]] = {}
            for matrix in group["params"]:
                if matrix.grad is not None:
                    by_shape.setdefault(matrix.shape, []).append(matrix)
                    if not self.state[matrix]:
                        self.state[matrix]["momentum_buffer"] = torch.zeros_like(matrix)
            for matrices in by_shape.values():
                self._update(matrices, group["lr"], group["weight_decay"], group["momentum"])

    def _update(
        self, matrices: Sequence[Tensor], rate: float | Tensor, weight_decay: float, momentum: float
    ) -> None:
        """Update N matrices of one shape (R, C): one product does for all of them."""
        share = 1.0 if self.found_inf is None else 1.0 - self.found_inf.double()
        decay = rate * weight_decay * share
        momenta = [self.state[matrix]["momentum_buffer"] for matrix in matrices]
        gradients = torch.stack([_gradient(matrix) for matrix in matrices])  # (N, R, C)
        if self.found_inf is not None:
            gradients = torch.where(self.found_inf == 0, gradients, 0.0)
        means = torch.stack(momenta)
        means.lerp_(gradients, _as_weight((1 - momentum) * share, means))
        torch._foreach_copy_(momenta, list(means.unbind()))
        updates = orthogonal(gradients.lerp_(means, momentum).to(self.dtype)).float()
        rows, columns = matrices[0].shape
        size = rate * math.sqrt(max(1, rows / columns))
        if isinstance(size, Tensor):
            share, size = share * size, 1.0
        updates.mul_(_as_weight(share, means))
        torch._foreach_mul_(list(matrices), _as_weight(1 - decay, means))
        torch._foreach_add_(list(matrices), list(updates.unbind()), alpha=-size)


def _gradient(matrix: Tensor) -> Tensor:
    assert matrix.grad is not None
    return matrix.grad


def _as_weight(number: float | Tensor, like: Tensor) -> Any:
    """Return a number as it can be multiplied with `like`: a tensor in its type, on its device."""
    return number.to(like) if isinstance(number, Tensor) else number


def orthogonal(matrices: Tensor) -> Tensor:
    """Return matrices (..., R, C) with all their singular values brought near 1: from 0.5 to 1.5.

    Source: Jordan et al. 2024, a Newton-Schulz iteration whose coefficients make small values grow
    fast; five rounds are enough.
    """
    is_tall = matrices.size(-2) > matrices.size(-1)
    x = matrices.mT if is_tall else matrices
    x = x.reshape(-1, *x.shape[-2:])  # (N, R, C), R <= C
    x = x / x.norm(dim=(-2, -1), keepdim=True).clamp(min=1e-7)
    linear, cubic, quintic = 3.4445, -4.7750, 2.0315
    for _ in range(5):
        gram = x @ x.mT
        factor = torch.baddbmm(gram, gram, gram, beta=cubic, alpha=quintic)
        x = torch.baddbmm(x, factor, x, beta=linear)
    return (x.mT if is_tall else x).reshape(matrices.shape)


class SharedMuon(Muon):
    """Muon whose matrices are divided among processes on one machine.

    Making an update orthogonal takes a fifth of a step on a CPU. Each process does that for some of
    the matrices and gets the others from its neighbours: the same bits as if it had done them all.
    """

    def __init__(
        self, matrices: Sequence[Tensor], world: World, memory: SharedMemory, **settings: float
    ) -> None:
        """Divide `matrices`, of which there are as many as processes or more."""
        self.world, self.memory, self.matrices = world, memory, matrices
        self.places = divide(matrices, world.count)  # by process
        self.mine = self.places[world.rank]
        super().__init__([matrices[place] for place in self.mine], **settings)

    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Update all matrices."""
        super().step()
        self.memory.share([[self.matrices[place] for place in places] for places in self.places])

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
            for places, theirs in zip(self.places, momenta, strict=True)
            for place, momentum in zip(places, theirs, strict=False)  # none before the first step
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
    """Return places of matrices for `count` processes, about equally much work for Muon."""

    def work(place: int) -> int:  # of a Newton-Schulz iteration, in multiply-adds
        short, long = sorted(matrices[place].shape)
        return short * short * (2 * long + short)

    divided: list[list[int]] = [[] for _ in range(count)]
    for place in sorted(range(len(matrices)), key=lambda place: (-work(place), place)):
        min(divided, key=lambda places: sum(map(work, places))).append(place)
    return [sorted(places) for places in divided]


class Optimizers:
    """One or two optimizers that share a learning rate and step together.

    Attributes:
        found_inf: scalar on the device; where it is 1, a step changes nothing. PyTorch's own
            optimizers heed an attribute of this name.
    """

    def __init__(self, is_recorded: bool = False, **named: Optimizer) -> None:
        """Bundle optimizers, by name, of disjoint parameters.

        Where steps are recorded as CUDA graphs, the rate must be a tensor, too.
        """
        self.named, self.is_recorded = named, is_recorded
        first = next(iter(named.values())).param_groups[0]["params"][0]
        self.found_inf = torch.zeros((), device=first.device)
        for optimizer in named.values():
            optimizer.found_inf = self.found_inf  # type: ignore[attr-defined]
        self._prepare_groups()

    def _groups(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield all groups of parameters, each with its optimizer's name."""
        for name, optimizer in self.named.items():
            for group in optimizer.param_groups:
                yield name, group

    def _prepare_groups(self) -> None:
        for _, group in self._groups():
            if "capturable" in group:
                group["capturable"] = self.is_recorded
            if self.is_recorded:
                group["lr"] = torch.tensor(float(group["lr"]), device=self.found_inf.device)

    def set_rate(self, rate: float) -> None:
        """Use this learning rate from the next step on."""
        for name, group in self._groups():
            group_rate = rate * (MUON_RATE if name == "muon" else 1.0)
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(group_rate)
            else:
                group["lr"] = group_rate

    def step(self) -> None:
        """Update all parameters, and forget their gradients."""
        for optimizer in self.named.values():
            optimizer.step()
        for optimizer in self.named.values():
            optimizer.zero_grad(set_to_none=True)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of each optimizer, by name; all processes must call it together."""
        states = {name: optimizer.state_dict() for name, optimizer in self.named.items()}
        for state in states.values():
            for group in state["param_groups"]:
                group["lr"] = float(group["lr"])
        return states

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Put back what `state_dict` returned, on whatever device that was."""
        for name, optimizer in self.named.items():
            optimizer.load_state_dict(state[name])
        self._prepare_groups()


def make_optimizers(
    model: Transformer,
    config: TrainingConfig,
    world: World | None = None,
    is_recorded: bool = False,
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
        settings = {
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
    return Optimizers(is_recorded, **optimizers)
