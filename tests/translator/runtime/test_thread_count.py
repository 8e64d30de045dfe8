"""Threads are taken for work that is worth them, and given back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from translator.runtime.thread_count import WORK_PER_THREAD, threads_worth


@pytest.fixture(autouse=True)
def three_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("work", "threads"),
    [
        (0, 1),
        (WORK_PER_THREAD, 1),
        (2 * WORK_PER_THREAD - 1, 1),
        (2 * WORK_PER_THREAD, 2),
        (3 * WORK_PER_THREAD, 3),
        (100 * WORK_PER_THREAD, 3),
    ],
)
def test_every_thread_has_enough_to_do(work: int, threads: int) -> None:
    with threads_worth(work):
        assert torch.get_num_threads() == threads
    assert torch.get_num_threads() == 3


def test_threads_come_back_after_an_error() -> None:
    with pytest.raises(RuntimeError, match="in between"), threads_worth(0):
        raise RuntimeError("in between")
    assert torch.get_num_threads() == 3
