"""How much is left of a time that is for several things, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable


def remaining(timeout_s: float | None) -> Callable[[], float | None]:
    """Return a function that says how much of a time is left; None if there is no limit."""
    end_s = None if timeout_s is None else time.monotonic() + timeout_s
    return lambda: None if end_s is None else max(0.0, end_s - time.monotonic())
