"""Gradients of processes on one machine, averaged through memory that they share.

Gloo sends gradients through the network stack even between neighbours: 94 ms for 5.4 million
numbers and two processes, where copying and adding takes 17. DDP hands each bucket of gradients to
`SharedGradients.exchange` in place of its own exchange.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor, distributed
from torch.futures import Future

FOLDER = Path("/dev/shm")  # files there are memory
TURNS = 2  # while one region is still read, the next exchange writes into the other


def all_are_neighbours() -> bool:
    """Whether all processes are on this machine, and its memory can be shared."""
    here, everywhere = (os.environ.get(f"{kind}WORLD_SIZE", "") for kind in ("LOCAL_", ""))
    return here == everywhere and FOLDER.is_dir()


class Bucket(Protocol):
    """What DDP hands over: gradients of some parameters, one behind the other."""

    def buffer(self) -> Tensor:
        """Return all of them, (n,)."""
        ...

    def index(self) -> int:
        """Return the number of the bucket."""
        ...


class SharedGradients:
    """Averages gradients over all processes, to the same bits in each."""

    def __init__(self, rank: int, count: int) -> None:
        """Exchange as process `rank` of `count`, all of them on this machine."""
        self.rank, self.count = rank, count
        self._regions: dict[tuple[int, int], Tensor | None] = {}
        self._turn = 0

    def exchange(self, bucket: Bucket) -> Future[Tensor]:
        """Return the mean of a bucket over all processes, already there."""
        done: Future[Tensor] = Future()
        done.set_result(self.mean(bucket.buffer(), bucket.index()))
        return done

    def mean(self, gradient: Tensor, number: int) -> Tensor:
        """Replace `gradient` (n,) by its mean over all processes, and return it.

        Args:
            gradient: float32, of the same length everywhere.
            number: tells gradients of one length apart.
        """
        key = number, gradient.numel()
        if key not in self._regions:
            self._regions[key] = self._new_region(gradient.numel())
        region = self._regions[key]
        if region is None:
            distributed.all_reduce(gradient)
            return gradient.div_(self.count)
        self._turn = (self._turn + 1) % TURNS
        ours = region[self._turn]
        ours[self.rank].copy_(gradient)
        distributed.barrier()
        return torch.sum(ours, dim=0, out=gradient).div_(self.count)

    def _new_region(self, length: int) -> Tensor | None:
        """Return (turns, processes, length) that all see; None if there is no room for it."""
        size = TURNS * self.count * length
        named: list[str | None] = [None]
        if self.rank == 0:
            named = [_file(size * torch.float32.itemsize)]
        distributed.broadcast_object_list(named)
        if named[0] is None:
            return None
        region = torch.from_file(named[0], shared=True, size=size)
        distributed.barrier()
        if self.rank == 0:
            Path(named[0]).unlink()  # the memory stays until the last process ends
        return region.view(TURNS, self.count, length)


def _file(num_bytes: int) -> str | None:
    """Return the path of a new file in memory; None if there is no room for it."""
    try:
        descriptor, path = tempfile.mkstemp(prefix="gradients-", dir=FOLDER)
    except OSError:
        return None
    try:
        os.posix_fallocate(descriptor, 0, num_bytes)
    except OSError:
        os.unlink(path)
        return None
    finally:
        os.close(descriptor)
    return path
