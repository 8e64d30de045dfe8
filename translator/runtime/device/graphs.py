"""Steps that have been captured once, and are replayed as one launch each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress

import torch

log = logging.getLogger(__name__)

MOST_GRAPHS = 1000
"""That are kept: each takes memory, and there could be more shapes in a long life."""


def new_stream(device: torch.device) -> torch.cuda.Stream | None:
    """Return a GPU's stream on which work can be captured, behind all that is under way there.

    A model has one for all that it does: PyTorch gives out the same 32 again and again, and what a
    thread launches must not end up in another's capture.
    """
    if device.type != "cuda":
        return None
    stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    stream.wait_stream(torch.cuda.current_stream(device))  # which made the weights
    return stream


class Graphs:
    """Work of fixed shapes on one device, by key; of one thread at a time.

    On a GPU, what has been called once is captured as a CUDA graph when it is called again: the
    first call prepares what capturing must not, such as libraries. Elsewhere it is simply called,
    as it is from then on where capturing has failed.
    """

    def __init__(self, stream: torch.cuda.Stream | None) -> None:
        """Begin with none, for what happens on a `new_stream`; without one, nothing is captured."""
        self._stream, self._captures = stream, stream is not None
        self._seen, self._graphs = set[Hashable](), dict[Hashable, torch.cuda.CUDAGraph]()
        self._pool = torch.cuda.graph_pool_handle() if self._captures else None

    def __len__(self) -> int:
        return len(self._graphs)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let everything inside happen in order, on the model's own stream."""
        with torch.inference_mode():
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
            if len(self) >= MOST_GRAPHS:
                self.forget()
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
        except BaseException:
            with suppress(RuntimeError):  # it says no more than that there was an error
                graph.capture_end()
            raise
        graph.capture_end()
        return graph

    def forget(self) -> None:
        """Let go of all graphs: what they point to is about to leave."""
        self._graphs.clear()
        self._seen.clear()
        if self._captures:
            self._pool = torch.cuda.graph_pool_handle()  # the former one leaves with its graphs
