"""An update: loss, gradient and average, step by step or recorded."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
import torch
from torch import Tensor

from tests import tape
from tests.launches import Captured
from tests.trainers import MakeTrainer
from training.data.loader import StepBatches
from training.data.on_device import RowBatch
from training.loop import update
from training.loop.trainer import Trainer
from training.loop.update import Counts, RecordingError, StepGraphs, StepNumbers, Tally, record
from training.machine import Handling
from training.objective import loss

AS_ON_A_GPU = Handling(ask_every=100, gathers=True)
RECORDED = replace(AS_ON_A_GPU, records=True)


def refused(*_: object) -> None:
    raise AssertionError("waits for the device")


def numbers_of(step: StepBatches, number: int = 0) -> StepNumbers:
    total = sum(batch.num_targets for batch in step.batches)
    return StepNumbers(rate=1e-3 * (number + 1), num_targets=total, ema_decay=0.8 + number / 100)


def everything(trainer: Trainer) -> dict[str, Tensor]:
    """Return all tensors that a step changes, by name."""
    found = dict(trainer.model.state_dict())
    found |= {f"ema {name}": tensor for name, tensor in trainer.state.ema.items()}
    for kind, optimizer in trainer.optimizers.named.items():
        for place, state in enumerate(optimizer.state.values()):
            found |= {f"{kind} {place} {name}": tensor for name, tensor in state.items()}
    return found


def copied(trainer: Trainer) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in everything(trainer).items()}


def steps_of(trainer: Trainer) -> Iterator[StepBatches]:
    trainer.model.train()
    return trainer._steps()


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_no_step_waits_for_the_device(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch, optimizer: str
) -> None:
    trainer = make_trainer(handling=AS_ON_A_GPU, optimizer=optimizer)
    steps = steps_of(trainer)
    for name in ("tolist", "numpy", "item", "cpu"):
        monkeypatch.setattr(Tensor, name, refused, raising=False)
    for number in range(3):
        step = next(steps)
        with Captured():
            trainer.update.take(step.batches, numbers_of(step, number))
    monkeypatch.undo()
    assert trainer.update.tally.read().num_targets > 0


class Descent(torch.optim.Optimizer):
    """Stands for AdamW, whose one kernel there is for real devices only."""

    def __init__(self, groups: Any, lr: float, **_: object) -> None:
        super().__init__(groups, {"lr": lr})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.sub_(parameter.grad, alpha=group["lr"])


@pytest.mark.parametrize("settings", [{}, {"optimizer": "muon"}], ids=str)
def test_nothing_of_a_step_lies_on_the_cpu(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    """On a device without numbers, all that asks for one fails, and all that mixes in the CPU's."""
    monkeypatch.setattr(torch.optim, "AdamW", Descent)
    monkeypatch.setattr(torch, "autocast", lambda *_, **__: nullcontext())
    monkeypatch.setattr(loss, "_autocast_dtype", lambda _: torch.float32)
    trainer = make_trainer(handling=AS_ON_A_GPU, device="meta", **settings)
    step = next(steps_of(trainer))
    [batch] = step.batches
    assert isinstance(batch, RowBatch)
    on_device = replace(batch, rows=batch.rows.to("meta"))
    trainer.update.prepare(numbers_of(step))
    with Captured("meta"):
        trainer.update._work([on_device])
    with Captured("meta"), pytest.raises(AssertionError, match=r"tensors on \['cpu', 'meta'\]"):
        trainer.update._work([batch])


def test_the_loss_of_a_cpu_would_wait_for_a_gpu(make_trainer: MakeTrainer) -> None:
    """So the test above can fail."""
    trainer = make_trainer()
    step = next(steps_of(trainer))
    with Captured(), pytest.raises(AssertionError, match="waits for the device"):
        trainer.update.take(step.batches, numbers_of(step))
    with Captured(), pytest.raises(AssertionError, match="waits for the device"):
        float(torch.ones(()))


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_step_without_a_finite_gradient_changes_nothing(
    make_trainer: MakeTrainer, optimizer: str, bad: float
) -> None:
    trainer = make_trainer(handling=AS_ON_A_GPU, optimizer=optimizer)
    steps = steps_of(trainer)
    step = next(steps)
    trainer.update.take(step.batches, numbers_of(step))
    before = copied(trainer)
    forward = trainer.criterion.forward

    def poisoned(*arguments: Any) -> Any:
        loss = forward(*arguments)
        return replace(loss, smoothed=loss.smoothed * bad)

    trainer.criterion.forward = poisoned  # type: ignore[method-assign,assignment]
    step = next(steps)
    trainer.update.take(step.batches, numbers_of(step))
    after = everything(trainer)
    assert len(after) == len(before) > 60
    for name, tensor in before.items():
        assert torch.equal(after[name], tensor), name
    assert trainer.update.tally.read().num_skipped == 1
    trainer.criterion.forward = forward  # type: ignore[method-assign]
    step = next(steps)
    trainer.update.take(step.batches, numbers_of(step))
    assert not torch.equal(everything(trainer)["embedding.weight"], before["embedding.weight"])
    assert all(tensor.isfinite().all() for tensor in everything(trainer).values())


@pytest.mark.parametrize("settings", [{}, {"optimizer": "muon"}], ids=str)
def test_a_step_that_is_played_back_is_the_step(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    """Rate, number of targets, batch and random numbers are those of each step."""
    made: list[StepGraphs] = []

    def graphs(work: Any) -> StepGraphs:
        made.append(StepGraphs(work, partial(recorded, trainers)))
        return made[-1]

    trainers: list[Trainer] = []
    monkeypatch.setattr(update, "StepGraphs", graphs)
    found = []
    for name in ("played", "each-done"):
        trainer = make_trainer(name, handling=RECORDED, max_batch_tokens=128, **settings)
        if name == "each-done":
            trainer.update._graphs = None
        trainers[:] = [trainer]
        torch.manual_seed(5)
        steps = steps_of(trainer)
        for number in range(12):
            step = next(steps)
            trainer.update.take(step.batches, numbers_of(step, number))
        found.append((copied(trainer), trainer.update.tally.read()))
    assert 1 <= len(made[0]) <= 4, "most steps were played back"
    (played, counts), (done, expected) = found
    assert counts == expected
    for name, tensor in done.items():
        assert torch.equal(played[name], tensor), name


def recorded(trainers: list[Trainer], work: Any, pool: Any) -> tape.Tape:
    def persistent() -> list[Tensor]:
        [trainer] = trainers
        return [*everything(trainer).values(), trainer.update.tally._numbers]

    return tape.record(work, persistent)


def add(tally: Tally, nll: float, num_targets: int, norm: float) -> None:
    found = torch.tensor(norm)
    tally.add(
        torch.tensor(nll, dtype=torch.float64), torch.tensor(num_targets), found, found.isfinite()
    )


def test_it_adds_up_and_begins_anew_once_it_is_read() -> None:
    tally = Tally(torch.device("cpu"))
    add(tally, 2.5, 3, norm=1.0)
    add(tally, 0.25, 4, norm=0.5)
    assert tally.read() == Counts(2.75, 7, 0, 0, 0.5)
    assert tally.read() == Counts(0.0, 0, 0, 0, 0.5)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_skipped_step_counts_for_nothing_but_itself(bad: float) -> None:
    tally = Tally(torch.device("cpu"))
    add(tally, 2.5, 3, norm=1.0)
    add(tally, bad, 4, norm=bad)
    assert tally.read() == Counts(2.5, 3, 1, 1, 1.0)


def test_those_in_a_row_are_counted_across_questions() -> None:
    tally = Tally(torch.device("cpu"))
    for norm in (math.nan, math.nan, 1.0, math.nan):
        add(tally, 1.0, 1, norm)
    assert tally.read().most_in_a_row == 2
    add(tally, 1.0, 1, math.nan)
    assert tally.read().most_in_a_row == 2, "one before the question, one behind it"
    add(tally, 1.0, 1, 1.0)
    assert tally.read().most_in_a_row == 0


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
    found = [(value, width) for value, width, _ in seen]
    assert found == [(0, 8), (1, 8), (2, 16), (3, 8), (4, 16)]
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
