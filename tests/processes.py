"""Two processes that train together, without `torchrun`."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path
from typing import Any

import torch
from torch import distributed
from torch.multiprocessing.spawn import start_processes

from tests.ports import free_port
from training.loop.distributed import joined


def in_two_processes(function: Any, folder: Path, *, neighbours: bool = True) -> None:
    """Call `function` with `folder` and the world, in two processes; fail if it fails in one.

    Args:
        function: of a module's top level.
        folder: for its files.
        neighbours: whether both believe that they are on one machine.
    """
    start(run, function, folder, neighbours=neighbours)


def start(main: Any, *arguments: Any, neighbours: bool = True) -> None:
    """Call `main` with the rank and the arguments, in two processes that could join."""
    port = free_port()
    # a server that has imported all this forks each process: to import torch, the caller's module,
    # and what optimizers ask of torch at their first step, takes seconds
    callers = {one.__module__ for one in (main, *arguments) if callable(one)}
    multiprocessing.set_forkserver_preload([*callers, "torch._dynamo"])
    start_processes(
        prepared, (main, port, neighbours, arguments), nprocs=2, start_method="forkserver"
    )


def prepared(rank: int, main: Any, port: int, neighbours: bool, arguments: Any) -> None:
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "RANK": str(rank)}
    os.environ |= {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2" if neighbours else "1"}
    os.environ |= {"LOCAL_RANK": str(rank) if neighbours else "0"}
    torch.set_num_threads(1)
    main(rank, *arguments)


def run(rank: int, function: Any, folder: Path) -> None:
    with joined("cpu") as world:
        assert (world.rank, world.count, world.is_first) == (rank, 2, rank == 0)
        function(folder, world)
        distributed.barrier()  # who leaves early takes the others' connections away
