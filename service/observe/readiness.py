"""Whether translations get done: the engine takes turns while sentences wait for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from translator.translate.models.face import AnyTranslator

STUCK_S = 10.0
"""A turn takes some hundredths of a second."""


class Readiness:
    """Looks at an engine's progress each time that it is asked."""

    def __init__(
        self, translator: AnyTranslator, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Watch one translator."""
        self._translator, self._clock = translator, clock
        self._lock = threading.Lock()
        self._turns = -1
        self._waiting_since_s: float | None = None

    def look(self) -> str:
        """Return what is wrong; empty if nothing is.

        An engine is stuck when sentences wait, and at every look for ten seconds it has finished no
        turn since the look before. So looks must come more often than that: the worker's own watch
        sees to it.
        """
        if not self._translator.is_alive:
            return "the translation engine has stopped; restart the server"
        done = self._translator.statistics()
        now_s = self._clock()
        with self._lock:
            if done.turns != self._turns or not done.queued + done.running:
                self._turns, self._waiting_since_s = done.turns, None
            elif self._waiting_since_s is None:
                self._waiting_since_s = now_s
            since_s = self._waiting_since_s
        if since_s is None or now_s - since_s < STUCK_S:
            return ""
        return f"the engine has finished nothing for {now_s - since_s:.0f} s; restart the server"
