"""Steps recorded as CUDA graphs: played back, a step costs the CPU one call."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from training.data.encoded import moved
from training.data.on_device import RowBatch
from translator.errors import TranslatorError

TakeSteps = Callable[[Sequence[RowBatch]], None]


class RecordingError(TranslatorError):
    """A step cannot be recorded."""


class Recording(Protocol):
    """A recorded step."""

    def replay(self) -> None:
        """Do it again, on what then lies in the same memory."""
        ...

    def pool(self) -> Any:
        """Return the memory that it works in, for other recordings to share."""
        ...


def record(work: Callable[[], None], pool: Any) -> Recording:
    """Do `work`, then record it as a CUDA graph without doing it again.

    Random numbers are drawn on from where the device's generator stands at each replay: PyTorch
    registers that generator by itself.

    Raises:
        RecordingError: it does something that cannot be recorded.
    """
    stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This instance was constructed with capturable=True")
        work()  # a step like any other, which also makes what is made only once
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    try:
        # what other threads do meanwhile, such as pinning memory, may go on
        with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
            work()
    except RuntimeError as error:
        raise RecordingError(
            f"a step could not be recorded as a CUDA graph ({error}); run again with "
            "--set training.cuda_graphs=false"
        ) from error
    recording: Recording = graph
    return recording


class StepGraphs:
    """Records a step of each shape when it is first met, and plays it back from then on."""

    def __init__(
        self, work: TakeSteps, record: Callable[[Callable[[], None], Any], Recording] = record
    ) -> None:
        """Record `work`, which reads nothing from the CPU but its batch."""
        self._work, self._record = work, record
        self._recorded: dict[tuple[object, ...], tuple[Tensor, Recording]] = {}
        self._pool: Any = None

    def __len__(self) -> int:
        return len(self._recorded)

    def run(self, batch: RowBatch, device: torch.device) -> None:
        """Take a step.

        Args:
            batch: of one of the few shapes.
            device: that computes.
        """
        key = (*batch.rows.shape, batch.width)
        rows = moved(batch.rows, device)
        if key in self._recorded:
            place, recording = self._recorded[key]
            place.copy_(rows)
            recording.replay()
            return
        lasting = dataclasses.replace(batch, rows=rows.clone())
        recording = self._record(lambda: self._work([lasting]), self._pool)
        self._pool = recording.pool() if self._pool is None else self._pool
        self._recorded[key] = lasting.rows, recording
