"""Whether translations get done: the engine takes turns while sentences wait for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from translator.translate.face import AnyTranslator

STUCK_S = 10.0
"""A turn takes some hundredths of a second."""


class Readiness:
    """Looks at an engine's progress each time that it is asked."""

    def __init__(
        self, translator: AnyTranslator, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._translator, self._clock = translator, clock
        self._lock = threading.Lock()
        self._turns: dict[str, int] = {}
        self._waiting_since_s: dict[str, float] = {}

    def look(self) -> str:
        """Return what is wrong; empty if nothing is.

        Each engine is looked at by itself. One is stuck when sentences wait, and at every look for
        ten seconds it has finished no turn since the look before. So looks must come more often
        than that: the worker's own watch sees to it.
        """
        if not self._translator.is_alive:
            return "the translation engine has stopped; restart the server"
        engines = self._translator.engines()
        now_s = self._clock()
        with self._lock:
            self._waiting_since_s = {
                name: self._waiting_since_s.get(name, now_s)
                for name, done in engines.items()
                if done.turns == self._turns.get(name) and done.queued + done.running
            }
            self._turns = {name: done.turns for name, done in engines.items()}
            longest_s = max((now_s - since for since in self._waiting_since_s.values()), default=-1)
        if longest_s < STUCK_S:
            return ""
        return f"the engine has finished nothing for {longest_s:.0f} s; restart the server"
