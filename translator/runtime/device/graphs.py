"""Steps that have been captured once, and are replayed as one launch each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

log = logging.getLogger(__name__)

BACKENDS = [
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.MATH,
]
"""Of PyTorch's attention. cuDNN's makes a plan for every new shape, tens of milliseconds each."""


class Graphs:
    """Work of fixed shapes on one device, by key; for one thread.

    On a GPU, what has been called once is captured as a CUDA graph when it is called again: the
    first call prepares what capturing must not, such as libraries. Elsewhere it is simply called,
    as it is from then on where capturing has failed.
    """

    def __init__(self, device: torch.device) -> None:
        """Begin with none."""
        self._captures = device.type == "cuda"
        self._device, self._seen = device, set[Hashable]()
        self._graphs: dict[Hashable, torch.cuda.CUDAGraph] = {}
        self._pool = torch.cuda.graph_pool_handle() if self._captures else None
        self._stream: torch.cuda.Stream | None = None
        if self._captures:
            self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
            self._stream.wait_stream(torch.cuda.current_stream(device))  # which made the weights

    def __len__(self) -> int:
        """Return how many have been captured."""
        return len(self._graphs)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let everything inside happen in order, on the device's own stream, with our attention."""
        with torch.inference_mode(), sdpa_kernel(BACKENDS):
            if self._stream is None:
                yield
                return
            with torch.cuda.stream(self._stream):
                yield

    def run(self, key: Hashable, work: Callable[[], None]) -> None:
        """Do work whose shapes and addresses are told by its key; inside `at_work`."""
        if not self._captures:
            work()
        elif key in self._graphs:
            self._graphs[key].replay()
        elif key not in self._seen:
            self._seen.add(key)
            work()
        else:
            try:
                self._graphs[key] = self._captured(work)
            except RuntimeError as error:  # nothing has been done yet
                log.warning("steps are launched one by one, they cannot be captured: %s", error)
                self._captures = False
                work()
            else:
                self._graphs[key].replay()

    def _captured(self, work: Callable[[], None]) -> torch.cuda.CUDAGraph:
        """Return a graph of what work launches; other threads go on meanwhile."""
        graph = torch.cuda.CUDAGraph()
        graph.capture_begin(pool=self._pool, capture_error_mode="thread_local")
        try:
            work()
        finally:
            graph.capture_end()
        return graph

    def forget(self) -> None:
        """Let go of all graphs: what they point to is about to leave."""
        self._graphs.clear()
        self._seen.clear()
        if self._captures:
            self._pool = torch.cuda.graph_pool_handle()  # the former one leaves with its graphs
