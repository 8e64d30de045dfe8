"""A process alone is a world of its own; `tests/invariants/test_distributed.py` has two."""

from __future__ import annotations

import os
import signal
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from tests.processes import in_two_processes, start
from training.loop import distributed
from training.loop.distributed import LostProcessError, UnlikeProcessesError, World, joined

ALONE = World(torch.device("cpu"))


@pytest.mark.parametrize("count", [None, "1"])
def test_without_others_a_process_is_alone(
    monkeypatch: pytest.MonkeyPatch, count: str | None
) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    if count:
        monkeypatch.setenv("WORLD_SIZE", count)
    with joined("cpu") as world:
        assert world == ALONE
        assert world.is_first
        assert not torch.distributed.is_initialized()


def test_alone_there_is_nothing_to_exchange() -> None:
    module = nn.Linear(2, 2)
    assert ALONE.parallel(module) is module
    assert ALONE.sum([1, 0.5]) == [1, 0.5]
    mine = [torch.ones(1)]
    assert ALONE.gather(mine) == [mine]
    assert ALONE.from_first(lambda: 3) == 3
    ALONE.require_same({"recipe": "a"})
    with ALONE.unsynchronised(module, is_last=False):
        pass


PATIENCE_S = 4
"""Also the time within which both must have joined, on a machine that has much to do."""


def lose_the_other(rank: int, is_silent: bool) -> None:
    """Be process 1, which goes away in the middle, or process 0, which must notice."""
    distributed.PATIENCE = timedelta(seconds=PATIENCE_S)
    silence = f"nothing was heard of it for {PATIENCE_S} s"
    reason = silence if is_silent and rank == 0 else r"\w[^\n]*"
    expected = rf"^another process of this run has ended, or cannot be reached: {reason}\. What it "
    with pytest.raises(LostProcessError, match=expected), joined("cpu") as world:
        exchange(world, is_silent)


def exchange(world: World, is_silent: bool) -> None:
    _, other = world.gather(os.getpid())
    if not world.is_first and not is_silent:
        os._exit(0)
    if not world.is_first:
        os.kill(other, signal.SIGSTOP)
    began = time.monotonic()
    try:
        world.sum([1.0])
    finally:
        if world.is_first:
            assert time.monotonic() - began < 10 * PATIENCE_S
            if is_silent:
                os.kill(other, signal.SIGCONT)


@pytest.mark.parametrize("is_silent", [False, True])
def test_a_process_that_is_gone_or_silent_is_told_in_one_line(is_silent: bool) -> None:
    start(lose_the_other, is_silent)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            "[/a/gloo/pair.cc:5] Read error [10.0.0.2]:9: reset. This is",
            "Read error [10.0.0.2]:9: reset",
        ),
        ("[/a/gloo/x.cc:7] Timed out waiting 9ms for recv", "nothing was heard of it for 600 s"),
        (
            "Gloo failed with [/a/gloo/x.cc:7] timed out connecting: refused",
            "Gloo failed with timed out connecting: refused",
        ),
    ],
)
def test_of_what_pytorch_says_the_reason_stays(said: str, reason: str) -> None:
    with pytest.raises(LostProcessError) as told, joined("cpu"):
        raise RuntimeError(said)
    assert f"cannot be reached: {reason}. What it printed" in str(told.value)


def test_other_errors_stay_as_they_are() -> None:
    with pytest.raises(RuntimeError, match="a bug"), joined("cpu"):
        raise RuntimeError("a bug")


def work_for_long(_: Path, world: World) -> None:
    distributed.BEAT_S = 0.1

    def work() -> str:
        time.sleep(1.3 * PATIENCE_S)
        return f"from {world.rank}"

    assert world.from_first(work) == "from 0"


def be_patient(rank: int, folder: Path) -> None:
    distributed.PATIENCE = timedelta(seconds=PATIENCE_S)
    with joined("cpu") as world:
        work_for_long(folder, world)


def test_the_first_may_work_for_longer_than_a_process_may_be_silent(tmp_path: Path) -> None:
    start(be_patient, tmp_path)


def have_other_data(_: Path, world: World) -> None:
    world.require_same({"recipe": "a", "train.ids": "b"})
    expected = r"^process 1 on \S+ has another train\.ids than process 0 on \S+; copy the recipe"
    with pytest.raises(UnlikeProcessesError, match=expected):
        world.require_same({"recipe": "a", "train.ids": f"b{world.rank}"})
    with pytest.raises(UnlikeProcessesError, match=expected):
        world.require_same({"recipe": "a", **({"train.ids": "b"} if world.is_first else {})})


def test_processes_that_do_not_work_on_the_same_are_refused(tmp_path: Path) -> None:
    in_two_processes(have_other_data, tmp_path)


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
    with joined("cuda") as world:
        assert world.sum([1, 2]) == [1, 2]
    assert said == [1, "cpu:gloo,cuda:nccl", "cpu"]
