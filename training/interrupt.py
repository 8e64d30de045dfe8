"""Ctrl-C without tearing a training step in two."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class DeferredInterrupt:
    """Notes the first Ctrl-C instead of raising; a second one is raised at once, as always.

    Only the main thread gets signals; in any other this does nothing.

    Attributes:
        is_requested: whether Ctrl-C has been pressed.
    """

    def __init__(self) -> None:
        """Note nothing yet."""
        self.is_requested = False
        self._previous: Any = None

    def __enter__(self) -> DeferredInterrupt:
        """Begin to note."""
        if threading.current_thread() is threading.main_thread():
            self._previous = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, signal_number: int, frame: FrameType | None) -> None:
        self.is_requested = True
        self._restore()

    def _restore(self) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)
            self._previous = None

    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Put the former handler back."""
        self._restore()
