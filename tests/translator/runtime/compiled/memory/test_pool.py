"""Memory that is used again."""

from __future__ import annotations

import pytest

from tests.cpu import NEEDS_INT8
from translator.runtime.compiled.memory import pool as pools
from translator.runtime.compiled.memory.pool import SIZE_STEP, Pool

pytestmark = NEEDS_INT8


def test_a_few_large_blocks_do_not_keep_small_ones_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MOST_FREE", 10 * SIZE_STEP)
    pool = Pool()
    large, small = [pool.take(5 * SIZE_STEP) for _ in range(2)], pool.take(1)
    for block in (*large, small):
        pool.give(block)
    assert pool.take(1) is small
    assert pool.take(5 * SIZE_STEP) is large[0]
    assert pool.take(5 * SIZE_STEP) is not large[1], "there was no room for all of them"
