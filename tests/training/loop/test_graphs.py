"""Each shape is recorded once; from then on it is played back with the batch in the same memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any
from unittest.mock import Mock

import pytest
import torch

from training.data.on_device import RowBatch
from training.loop.graphs import RecordingError, StepGraphs, record

CPU = torch.device("cpu")


class Played:
    """Work that is done again."""

    def __init__(self, work: Callable[[], None], pool: Any) -> None:
        self.replay, self.shared = work, pool
        work()

    def pool(self) -> str:
        return "pool"


def batch(first: int, rows: int = 2, width: int = 8) -> RowBatch:
    return RowBatch(Mock(), torch.full((rows, 5), first), width, 1)


def test_a_shape_is_recorded_once_and_reads_from_one_place() -> None:
    seen: list[tuple[int, int, int]] = []
    recorded: list[Played] = []

    def work(batches: Sequence[RowBatch]) -> None:
        [one] = batches
        seen.append((int(one.rows[0, 0]), one.width, one.rows.data_ptr()))

    def make(work: Callable[[], None], pool: Any) -> Played:
        recorded.append(Played(work, pool))
        return recorded[-1]

    graphs = StepGraphs(work, make)
    for number, (rows, width) in enumerate([(2, 8), (2, 8), (1, 16), (2, 8), (1, 16)]):
        graphs.run(batch(number, rows, width), CPU)
    assert [(value, width) for value, width, _ in seen] == [
        (0, 8),
        (1, 8),
        (2, 16),
        (3, 8),
        (4, 16),
    ]
    assert len({place for _, width, place in seen if width == 8}) == 1
    assert len(graphs) == len(recorded) == 2
    assert [one.shared for one in recorded] == [None, "pool"], "all share the memory of the first"


def test_a_batch_that_was_recorded_is_not_changed_by_the_next() -> None:
    graphs, first = StepGraphs(lambda _: None, Played), batch(1)
    graphs.run(first, CPU)
    graphs.run(batch(2), CPU)
    assert (first.rows == 1).all()


def test_what_cannot_be_recorded_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    class Failing:
        def __init__(self, *_: object, **__: object) -> None: ...

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None:
            raise RuntimeError("operation not permitted when stream is capturing")

    for name in ("Stream", "current_stream", "CUDAGraph"):
        monkeypatch.setattr(torch.cuda, name, Mock())
    monkeypatch.setattr(torch.cuda, "stream", lambda _: nullcontext())
    monkeypatch.setattr(torch.cuda, "graph", Failing)
    with pytest.raises(RecordingError, match=r"not permitted .*training\.cuda_graphs=false"):
        record(lambda: calls.append(1), None)
    assert len(calls) == 2, "once as a step, once to record it"
