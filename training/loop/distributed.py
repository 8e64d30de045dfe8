"""One process, or many that train one model together: started by `torchrun`, joined by DDP."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from training.loop.shared_memory import SharedMemory, all_are_neighbours

PATIENCE = timedelta(hours=2)  # the first process scores the dev set while the others wait


@dataclass(frozen=True, slots=True)
class World:
    """The processes of a run, seen from one of them.

    Attributes:
        device: that this process computes on.
        rank: number of this process.
        count: number of processes.
    """

    device: torch.device
    rank: int = 0
    count: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this is the process that writes, logs and scores."""
        return self.rank == 0

    def parallel(self, module: nn.Module) -> nn.Module:
        """Return `module`, whose gradients will be the mean over all processes."""
        if self.count == 1:
            return module
        parallel = DistributedDataParallel(module)
        if memory := self.shared_memory():
            parallel.register_comm_hook(memory, lambda mine, bucket: mine.exchange(bucket))
        return parallel

    def shared_memory(self) -> SharedMemory | None:
        """Return a way to exchange tensors, if all processes compute on CPUs of one machine."""
        is_possible = self.count > 1 and self.device.type == "cpu" and all_are_neighbours()
        return SharedMemory(self.rank, self.count) if is_possible else None

    def unsynchronised(self, module: nn.Module, is_last: bool) -> AbstractContextManager[None]:
        """Return a context for forward *and* backward; only the last micro-batch is exchanged."""
        if is_last or not isinstance(module, DistributedDataParallel):
            return nullcontext()
        no_sync: AbstractContextManager[None] = module.no_sync()
        return no_sync

    def sum(self, numbers: Sequence[float]) -> list[float]:
        """Return the sums over all processes, in float64; no device is asked for anything."""
        if self.count == 1:
            return list(numbers)
        total = torch.tensor(numbers, dtype=torch.float64)
        distributed.all_reduce(total)
        found: list[float] = total.tolist()
        return found

    def gather(self, mine: list[Tensor]) -> list[list[Tensor]]:
        """Return what every process has, by rank."""
        if self.count == 1:
            return [mine]
        found: list[Any] = [None] * self.count
        distributed.all_gather_object(found, mine)
        return found

    def wait(self) -> None:
        """Wait for all processes."""
        if self.count > 1:
            distributed.barrier()


def join(device: str) -> World:
    """Return the world that `torchrun` has started this process in; alone without it."""
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        return World(torch.device(device))
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    if not distributed.is_initialized():
        backend = "cpu:gloo,cuda:nccl" if device == "cuda" else "gloo"
        distributed.init_process_group(backend, timeout=PATIENCE)
    return World(torch.device(device), distributed.get_rank(), count)


def leave(world: World) -> None:
    """End the exchange with the other processes."""
    if world.count > 1 and distributed.is_initialized():
        distributed.destroy_process_group()
