"""A process alone is a world of its own; `tests/invariants/test_distributed.py` has two."""

from __future__ import annotations

import os
from typing import Any

import pytest
import torch
from torch import nn

from training.loop.distributed import World, join, leave

ALONE = World(torch.device("cpu"))


def test_without_torchrun_a_process_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    world = join("cpu")
    assert world == ALONE
    assert world.is_first
    leave(world)


def test_alone_there_is_nothing_to_exchange() -> None:
    module = nn.Linear(2, 2)
    assert ALONE.parallel(module) is module
    assert ALONE.sum([1, 0.5]) == [1, 0.5]
    mine = [torch.ones(1)]
    assert ALONE.gather(mine) == [mine]
    ALONE.wait()
    with ALONE.unsynchronised(module, is_last=False):
        pass


def test_only_the_first_process_writes() -> None:
    ranks = [World(torch.device("cpu"), rank, 3) for rank in range(3)]
    assert [world.is_first for world in ranks] == [True, False, False]


def test_gradients_of_earlier_micro_batches_are_not_exchanged() -> None:
    class Counting(nn.parallel.DistributedDataParallel):
        def __init__(self) -> None:
            nn.Module.__init__(self)

        def no_sync(self) -> Any:
            return "not exchanged"

    world = World(torch.device("cpu"), 0, 2)
    found: list[Any] = [world.unsynchronised(Counting(), is_last) for is_last in (False, True)]
    assert found[0] == "not exchanged"
    assert found[1] != "not exchanged"


def test_a_world_of_one_under_torchrun_needs_no_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "1")
    assert join("cpu").count == 1
    assert not torch.distributed.is_initialized()
    assert os.environ["WORLD_SIZE"] == "1"


def test_on_gpus_the_cpu_exchanges_its_own_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No GPU is asked for a number that the CPU has."""
    said: list[Any] = []
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setattr(torch.cuda, "set_device", said.append)
    distributed = torch.distributed
    monkeypatch.setattr(distributed, "is_initialized", lambda: False)
    monkeypatch.setattr(distributed, "init_process_group", lambda name, **_: said.append(name))
    monkeypatch.setattr(distributed, "get_rank", lambda: 1)
    monkeypatch.setattr(distributed, "all_reduce", lambda total: said.append(total.device.type))
    world = join("cuda")
    assert world.sum([1, 2]) == [1, 2]
    assert said == [1, "cpu:gloo,cuda:nccl", "cpu"]
