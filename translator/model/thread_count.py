"""How many threads some work is worth: small products wait longer for a team than they take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

WORK_PER_THREAD = 8_000_000
"""Multiply-adds that each thread should have to do; measured, see `benchmark/NOTES.md`."""


@contextmanager
def threads_worth(work: int) -> Iterator[None]:
    """Use no more of the calling thread's CPU threads than `work` is worth.

    Args:
        work: multiply-adds.
    """
    most = torch.get_num_threads()
    worth = max(1, min(most, work // WORK_PER_THREAD))
    if worth == most:
        yield
        return
    torch.set_num_threads(worth)
    try:
        yield
    finally:
        torch.set_num_threads(most)
