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
from typing import Any, TypeVar

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from training.loop.shared_memory import SharedMemory, all_are_neighbours
from translator.errors import TranslatorError

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
        """Refuse to go on if the processes do not work on the same.

        Args:
            mine: a hash of everything that must be the same in all processes, by its name.

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
