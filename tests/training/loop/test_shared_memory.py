"""Memory that processes share; `tests/invariants/test_distributed.py` trains with it."""

from __future__ import annotations

import errno
import os

import pytest

from training.loop.shared_memory import _memory, all_are_neighbours


@pytest.mark.parametrize(
    ("local", "everywhere", "expected"), [("2", "2", True), ("2", "4", False), ("", "2", False)]
)
def test_neighbours_are_processes_of_one_machine(
    monkeypatch: pytest.MonkeyPatch, local: str, everywhere: str, expected: bool
) -> None:
    monkeypatch.setenv("LOCAL_WORLD_SIZE", local)
    monkeypatch.setenv("WORLD_SIZE", everywhere)
    assert all_are_neighbours() == expected


def test_without_memory_files_no_one_is_a_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delattr(os, "memfd_create")
    assert not all_are_neighbours()


def test_too_little_memory_is_told_and_nothing_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    before = set(os.listdir("/proc/self/fd"))
    assert _memory(1 << 16) is None
    assert set(os.listdir("/proc/self/fd")) == before
