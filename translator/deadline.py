"""How long somebody waits for an answer: one value, passed on to all that is done for it."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass

Look = Callable[[], None]
"""Is called some ten times a second while something is waited for; what it raises ends the wait."""

Progress = Callable[[int, int], None]
"""Is told some ten times a second how many sentences are done, and of how many."""

LOOK_EVERY_S = 0.1


def idle() -> None:
    """Do nothing while waiting."""


def silent(done: int, total: int) -> None:
    """Tell no one."""


@dataclass(frozen=True, slots=True, eq=False)
class Deadline:
    """Until when somebody waits, by `time.monotonic`; None is as long as it takes."""

    at_s: float | None = None
    look: Look = idle
    tell: Progress = silent

    @classmethod
    def within(
        cls, timeout_s: float | None, look: Look = idle, tell: Progress = silent
    ) -> Deadline:
        """Return a deadline in so many seconds; None for as long as it takes."""
        return cls(None if timeout_s is None else time.monotonic() + timeout_s, look, tell)

    def left_s(self) -> float | None:
        """Return how many seconds are left, at least 0; None if there is no limit."""
        return None if self.at_s is None else max(0.0, self.at_s - time.monotonic())

    def looking(self, look: Look) -> Deadline:
        """Return the same deadline with another look."""
        return dataclasses.replace(self, look=look)

    def telling(self, tell: Progress) -> Deadline:
        """Return the same deadline that tells another one of the progress."""
        return dataclasses.replace(self, tell=tell)


NO_DEADLINE = Deadline()
"""Waits as long as it takes."""
