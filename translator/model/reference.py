"""The Transformer of `transformer.py` beside an engine, in memory only while someone needs it.

An engine computes with weights that it has arranged for itself. Few ask for more: those who look
into the layers, and a search that reads its translations back.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Callable

from translator.model.transformer import Transformer

REST_S = 60.0
"""How long a model stays after it was last asked for."""


class Reference:
    """A model in evaluation mode, which is read again when it is wanted; safe to use from threads.

    It stays in memory until `let_go`, and after that for `REST_S` each time.
    """

    def __init__(self, read: Callable[[], Transformer], rest_s: float = REST_S) -> None:
        """Read a model, now and whenever it is wanted again.

        Args:
            read: returns the model, in evaluation mode.
            rest_s: how long it stays after it was last asked for, in seconds.
        """
        self._read, self._rest_s = read, rest_s
        self._lock = threading.Lock()
        self._model: Transformer | None = read()
        self._timer: threading.Timer | None = None
        self._is_let_go = False

    @classmethod
    def of(cls, model: Transformer) -> Reference:
        """Return a reference to a model that is in memory anyway."""
        return cls(lambda: model)

    @property
    def num_bytes(self) -> int:
        """Memory of its weights now; 0 while it is not here."""
        model = self._model
        return 0 if model is None else sum(weight.nbytes for weight in model.parameters())

    def get(self) -> Transformer:
        """Return the model.

        Raises:
            ModelDirectoryError: it cannot be read again: its file has changed or gone.
        """
        with self._lock:
            if self._model is None:
                self._model = self._read()
            if self._is_let_go:
                self._leave_later()
            return self._model

    def let_go(self) -> None:
        """Let the model leave memory: the engine does without it."""
        with self._lock:
            self._model, self._is_let_go = None, True
        give_back_freed_memory()

    def _leave_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._rest_s, self._leave)
        self._timer.daemon = True
        self._timer.start()

    def _leave(self) -> None:
        with self._lock:
            self._model = None
        give_back_freed_memory()


def give_back_freed_memory() -> None:
    """Let the system have what was freed: glibc would keep a third of a model's weights."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
