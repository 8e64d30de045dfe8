"""Memory that is used again, and blocks of it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from translator.runtime.kernels.records import aligned
from translator.search.rows import Array, round_up

SIZE_STEP = 1 << 14
"""Blocks of memory come in multiples of so many bytes, so that others can use them again."""

MOST_FREE = 1 << 26
"""Bytes that are kept for later; what is beyond goes back to the system."""

NOTHING = aligned(0, np.uint8)
"""What a block has that got no memory."""


class Pool:
    """Memory that is used again: what comes fresh from the system costs a fault for every page."""

    def __init__(self) -> None:
        """Begin with none."""
        self._free: dict[int, list[Array]] = defaultdict(list)
        self._num_free = 0

    def take(self, num_bytes: int) -> Array:
        """Return so many bytes or more."""
        rounded = round_up(num_bytes, SIZE_STEP)
        if self._free[rounded]:
            self._num_free -= rounded
            return self._free[rounded].pop()
        return aligned(rounded, np.uint8)

    def give(self, block: Array) -> None:
        """Take back what `take` returned; if that is too much, the largest blocks are let go."""
        self._free[block.size].append(block)
        self._num_free += block.size
        while self._num_free > MOST_FREE:
            largest = max(size for size, blocks in self._free.items() if blocks)
            self._free[largest].pop()
            self._num_free -= largest


class Block:
    """Memory from a pool, to which it returns when no one refers to it any more.

    Attributes:
        address: of its first byte.
    """

    def __init__(self, pool: Pool, num_bytes: int) -> None:
        """Take so many bytes."""
        self._pool = pool
        self.memory = NOTHING  # to give back if there is no memory left
        self.memory = pool.take(num_bytes)
        self.address = int(self.memory.ctypes.data)

    def __del__(self) -> None:
        """Give them back."""
        self._pool.give(self.memory)
