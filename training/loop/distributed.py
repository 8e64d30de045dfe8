"""Processes that train one model together: started here or by `torchrun`, joined by DDP."""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, distributed, nn
from torch.futures import Future
from torch.nn.parallel import DistributedDataParallel

from translator.errors import TranslatorError

TURNS = 2  # while one region is still read, the next exchange writes into the other
SHARED_REGION = -1  # number of the region for `share`; buckets of gradients count from 0


def all_are_neighbours() -> bool:
    """Whether all processes are on this machine, and its memory can be shared."""
    here, everywhere = (os.environ.get(f"{kind}WORLD_SIZE", "") for kind in ("LOCAL_", ""))
    return here == everywhere and hasattr(os, "memfd_create")


class Bucket(Protocol):
    """What DDP hands over: gradients of some parameters, one after the other."""

    def buffer(self) -> Tensor:
        """Return all of them, (n,)."""
        ...

    def index(self) -> int:
        """Return the number of the bucket."""
        ...


class SharedMemory:
    """Exchanges tensors between processes on one machine, to the same bits in each.

    Gloo sends tensors through the network stack even between neighbours: 94 ms for the gradients of
    5.4 million weights and two processes, where copying and adding takes 17. DDP hands each bucket
    of gradients to `exchange` in place of its own exchange.
    """

    def __init__(self, rank: int, count: int) -> None:
        """Exchange as process `rank` of `count`, all of them on this machine."""
        self.rank, self.count = rank, count
        self._regions: dict[int, Tensor] = {}
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
            number: of the bucket; DDP arranges its buckets anew after the first step.
        """
        ours = self._region(number, gradient.numel())
        if ours is None:
            distributed.all_reduce(gradient)
            return gradient.div_(self.count)
        ours[self.rank].copy_(gradient)
        distributed.barrier()
        return torch.sum(ours, dim=0, out=gradient).div_(self.count)

    def share(self, by_rank: Sequence[Sequence[Tensor]]) -> None:
        """Give each process what the others have computed.

        Args:
            by_rank: for each process, float32 tensors of any shapes, the same everywhere. Those of
                this process are read, and all others overwritten.
        """
        lengths = [sum(tensor.numel() for tensor in tensors) for tensors in by_rank]
        ours = self._region(SHARED_REGION, max(lengths))
        mine = torch.cat([tensor.detach().flatten() for tensor in by_rank[self.rank]])
        if ours is not None:
            ours[self.rank][: mine.numel()].copy_(mine)
            distributed.barrier()
        for rank, tensors in enumerate(by_rank):
            if ours is not None:
                theirs = ours[rank][: lengths[rank]]
            else:
                theirs = mine if rank == self.rank else torch.empty(lengths[rank])
                distributed.broadcast(theirs, src=rank)
            if rank != self.rank:
                _unpack(theirs, tensors)

    def _region(self, number: int, length: int) -> Tensor | None:
        """Return (processes, length) that all see, for one exchange; None if there is no memory."""
        region = self._regions.get(number)
        if region is None or region.size(2) != length:
            region = self._regions[number] = self._new_region(length)
        if not region.numel():
            return None
        self._turn = (self._turn + 1) % TURNS
        return region[self._turn]

    def _new_region(self, length: int) -> Tensor:
        """Return (turns, processes, length) that all see; no turns if there is no memory for it."""
        size = TURNS * self.count * length
        descriptor = _memory(size * torch.float32.itemsize) if self.rank == 0 else None
        named = [f"/proc/{os.getpid()}/fd/{descriptor}" if descriptor is not None else ""]
        distributed.broadcast_object_list(named)
        if not named[0]:
            return torch.empty(0, self.count, length)
        region = torch.from_file(named[0], shared=True, size=size)
        distributed.barrier()
        if descriptor is not None:
            os.close(descriptor)  # the memory stays until the last process has let go of it
        return region.view(TURNS, self.count, length)


@torch.no_grad()
def _unpack(flat: Tensor, tensors: Sequence[Tensor]) -> None:
    """Fill `tensors` with the numbers of `flat`, one after the other."""
    begin = 0
    for tensor in tensors:
        end = begin + tensor.numel()
        tensor.copy_(flat[begin:end].view_as(tensor))
        begin = end


def _memory(num_bytes: int) -> int | None:
    """Return the descriptor of so much memory, which has no name; None if there is not enough."""
    descriptor = os.memfd_create("tensors")
    try:
        os.posix_fallocate(descriptor, 0, num_bytes)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


SHUTDOWN_S = 300  # to score the dev set and write a checkpoint, before a process is killed


class LaunchError(TranslatorError):
    """A training process failed."""


def train_in_processes(count: int, arguments: Sequence[str]) -> None:
    """Run `python -m training` with these arguments in `count` processes that know each other.

    SIGINT and SIGTERM are handed on to them. Each ends after the step in hand, and the first one
    writes a checkpoint. `torchrun` does the same, but ends with a traceback of its own then.

    Raises:
        KeyboardInterrupt: after such a signal, when all have ended.
        LaunchError: one has failed; the others are stopped.
    """
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    for name in ("agent.server.api", "multiprocessing.api"):
        logging.getLogger(f"torch.distributed.elastic.{name}").setLevel(logging.CRITICAL)
    os.environ.setdefault("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", str(SHUTDOWN_S))
    os.environ.setdefault("OMP_NUM_THREADS", str(max((os.cpu_count() or 1) // count, 1)))
    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=count,
        run_id=str(os.getpid()),
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        max_restarts=0,
    )
    try:
        elastic_launch(config, sys.executable)("-m", "training", *arguments)
    except SignalException:
        raise KeyboardInterrupt from None
    except ChildFailedError as error:
        raise LaunchError("a training process failed; its own message is above") from error


PATIENCE = timedelta(minutes=10)  # a process that has been silent for so long is lost
BEAT_S = 30.0  # so often does the first process show that it is still there

T = TypeVar("T")


class LostProcessError(TranslatorError):
    """Another process of the run has ended, or cannot be reached."""


class UnlikeProcessesError(TranslatorError):
    """The processes of a run have different recipes or data."""


@dataclass(frozen=True, slots=True)
class World:
    """The processes of a run, seen from one of them."""

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
        sums: list[float] = total.tolist()
        return sums

    def gather(self, mine: T) -> list[T]:
        """Return what every process has, by rank."""
        if self.count == 1:
            return [mine]
        gathered = [mine] * self.count
        distributed.all_gather_object(gathered, mine)
        return gathered

    def from_first(self, work: Callable[[], T]) -> T:
        """Let the first process work; return what it found, in every process.

        The work may take longer than a process may be silent: the first one shows every few seconds
        that it is still there.
        """
        if self.count == 1:
            return work()
        results: list[Any] = [self._with_beats(work) if self.is_first else None]
        while not self.sum([float(self.is_first)])[0]:
            pass  # a beat of the first process, which still works
        distributed.broadcast_object_list(results)
        result: T = results[0]
        return result

    def _with_beats(self, work: Callable[[], T]) -> T:
        is_done = threading.Event()

        def beat() -> None:
            while not is_done.wait(BEAT_S):
                self.sum([0.0])

        with ThreadPoolExecutor(1) as pool:
            beats = pool.submit(beat)
            try:
                result = work()
            finally:
                is_done.set()
            beats.result()
        return result

    def require_same(self, mine: Mapping[str, str]) -> None:
        """Refuse to go on if a hash of what must be the same in all processes, by name, is not.

        Raises:
            UnlikeProcessesError: naming what is not the same, and the machines.
        """
        machines = self.gather(socket.gethostname())
        first, *others = self.gather(dict(mine))
        for rank, theirs in enumerate(others, start=1):
            if names := [n for n in {**first, **theirs} if first.get(n) != theirs.get(n)]:
                raise UnlikeProcessesError(
                    f"process {rank} on {machines[rank]} has another {names[0]} than process 0 on "
                    f"{machines[0]}; copy the recipe and the run's folder data from that machine"
                )


@contextmanager
def joined(device: str) -> Iterator[World]:
    """Join the processes that `torchrun` has started with this one, and leave them at the end.

    Without `torchrun` this process is alone.

    Raises:
        LostProcessError: another one has ended, or was silent for `PATIENCE`. PyTorch's own errors
            say so in many lines.
    """
    try:
        yield _join(device)
    except RuntimeError as error:
        if not isinstance(error, distributed.DistError) and "gloo" not in str(error):
            raise
        raise LostProcessError(
            f"another process of this run has ended, or cannot be reached: {_reason(error)}. What "
            "it printed may say why. Start all processes again: training continues from the last "
            "checkpoint"
        ) from error
    finally:
        if distributed.is_initialized():
            distributed.destroy_process_group()


def _join(device: str) -> World:
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        return World(torch.device(device))
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    if not distributed.is_initialized():
        backend = "cpu:gloo,cuda:nccl" if device == "cuda" else "gloo"
        distributed.init_process_group(backend, timeout=PATIENCE)
    return World(torch.device(device), distributed.get_rank(), count)


def _reason(error: RuntimeError) -> str:
    """Return the first sentence of one of PyTorch's errors, without the place in its source."""
    if "timed out waiting" in str(error).lower():
        return f"nothing was heard of it for {PATIENCE.total_seconds():.0f} s"
    line = re.sub(r"\[\S+:\d+\] ", "", str(error).partition("\n")[0])
    return line.partition(". ")[0].rstrip(". ")
