"""Wait for what another thread does."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMEOUT_S = 60


def wait_until(is_reached: Callable[[], bool]) -> None:
    """Return as soon as something is so; fail if that takes too long."""
    end_s = time.monotonic() + TIMEOUT_S
    while not is_reached():
        assert time.monotonic() < end_s
        time.sleep(0.001)
