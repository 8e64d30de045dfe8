"""The Transformer of `transformer.py` beside an engine, in memory only while it is needed.

An engine computes with its own arrangement of the weights. Only two uses need the model itself:
attention maps, and reading pairs where the runtime has no second pass.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Callable

import torch

from translator.model.int8 import Int8Model
from translator.model.transformer import Transformer

REST_S = 60.0
"""How long a model stays after it was last asked for."""


class Reference:
    """A model in evaluation mode, which is read again when it is needed; safe to use from threads.

    It stays in memory until `let_go`. After that, each use reads it and keeps it for `REST_S`.
    """

    def __init__(
        self,
        read: Callable[[], Transformer],
        rest_s: float = REST_S,
        int8: Int8Model | None = None,
    ) -> None:
        """Read a model, now and whenever it is needed again.

        Args:
            read: returns the model, in evaluation mode.
            rest_s: seconds that it stays in memory after its last use.
            int8: the same model with matrices in 8 bits, which an engine may use. It is kept until
                `let_go`, and the floats are read only when they are needed.
        """
        self._read, self._rest_s = read, rest_s
        self._lock = threading.Lock()
        self._int8 = int8
        self._model: Transformer | None = None if int8 else read()
        self._timer: threading.Timer | None = None
        self._is_let_go = False

    @classmethod
    def of(cls, model: Transformer) -> Reference:
        """Return a reference to a model that stays in memory."""
        return cls(lambda: model)

    @property
    def int8(self) -> Int8Model | None:
        """The model with matrices in 8 bits, if it was stored so and `let_go` was not called."""
        return self._int8

    @property
    def device(self) -> torch.device:
        """The device of the model; the CPU for matrices in 8 bits."""
        return torch.device("cpu") if self._int8 else self.get().embedding.weight.device

    @property
    def num_bytes(self) -> int:
        """Bytes that its weights take now; 0 while it is not in memory."""
        model, int8 = self._model, self._int8
        floats = 0 if model is None else sum(weight.nbytes for weight in model.parameters())
        return floats + (0 if int8 is None else int8.num_bytes)

    def get(self) -> Transformer:
        """Return the model.

        Raises:
            ModelDirectoryError: its file has changed or disappeared, so it cannot be read again.
        """
        with self._lock:
            if self._model is None:
                self._model = self._int8.floats() if self._int8 else self._read()
            if self._is_let_go:
                self._leave_later()
            return self._model

    def let_go(self) -> None:
        """Drop the model from memory, because the engine does not need it."""
        with self._lock:
            self._model, self._int8, self._is_let_go = None, None, True
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
    """Return freed memory to the system: glibc would keep a third of a model's weights."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
