"""The Transformer of `transformer.py` beside an engine, in memory only while it is needed.

An engine computes with its own arrangement of the weights. Only two uses need the model itself:
attention maps, and scores of known translations where the runtime has none. PyTorch is imported for
these only.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from translator.model.weights import Weights, weights_of

if TYPE_CHECKING:
    from translator.model.transformer import Transformer

REST_S = 60.0
"""How long a model stays after it was last asked for."""


class Reference:
    """A model in evaluation mode, whose weights are read again when it is needed.

    The weights stay in memory until `let_go`. After that, each use of the model reads them and
    keeps it for `REST_S`. Threads may use it at once.
    """

    def __init__(
        self,
        read: Callable[[], Weights],
        device: str = "cpu",
        rest_s: float = REST_S,
        make: Callable[[Weights], Transformer] = Weights.model,
    ) -> None:
        """Read the weights, now and whenever the model is needed again.

        It stays in memory for `rest_s` seconds after its last use.
        """
        self._read, self._make, self.device, self._rest_s = read, make, device, rest_s
        self._lock = threading.Lock()
        self._weights: Weights | None = read()
        self._model: Transformer | None = None
        self._timer: threading.Timer | None = None

    @classmethod
    def of(cls, model: Transformer) -> Reference:
        """Return a reference to a model that stays in memory."""
        device = str(model.embedding.weight.device)
        return cls(lambda: weights_of(model), device, make=lambda _: model)

    @property
    def weights(self) -> Weights:
        """The weights, as they are stored; read again after `let_go`."""
        return self._weights or self._read()

    @property
    def num_bytes(self) -> int:
        """Bytes that its weights take now; 0 while it is not in memory."""
        weights, model = self._weights, self._model
        found = 0 if weights is None else weights.num_bytes
        if model is not None and (weights is None or weights.is_int8):
            found += sum(weight.nbytes for weight in model.parameters())
        return found

    def get(self) -> Transformer:
        """Return the model.

        Raises:
            ModelDirectoryError: its file has changed or disappeared, so it cannot be read again.
        """
        with self._lock:
            if self._model is None:
                self._model = self._make(self.weights).to(self.device)
            if self._weights is None:
                self._leave_later()
            return self._model

    def let_go(self) -> None:
        """Drop weights and model from memory, because the engine does not need them."""
        with self._lock:
            self._weights = self._model = None
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
