"""Ctrl-C, or a polite order to end, without tearing a training step in two."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType

Handler = Callable[[int, FrameType | None], object]

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class DeferredInterrupt:
    """Notes the first SIGINT or SIGTERM instead of obeying; a second one acts as always.

    Only the main thread gets signals; in any other this does nothing.

    Attributes:
        is_requested: whether one has come.
    """

    def __init__(self) -> None:
        self.is_requested = False
        self._previous: dict[signal.Signals, Handler | int | None] = {}

    def __enter__(self) -> DeferredInterrupt:
        if threading.current_thread() is threading.main_thread():
            self._previous = {number: signal.signal(number, self._note) for number in SIGNALS}
        return self

    def _note(self, signal_number: int, frame: FrameType | None) -> None:
        self.is_requested = True
        self._restore()

    def _restore(self) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._previous = {}

    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._restore()
