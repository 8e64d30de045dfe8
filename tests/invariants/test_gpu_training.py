"""Training as on a GPU, on the CPU: asked seldom, text gathered, steps played back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.trainers import MakeTrainer, cut_at, poison
from training.loop import update
from training.loop.state import list_checkpoints, load_state
from training.loop.trainer import Trainer, TrainingError
from training.loop.update import StepGraphs
from training.machine import Handling

SELDOM = Handling(ask_every=100, gathers=True)
RECORDED = replace(SELDOM, records=True)


class Played:
    """Work that is done again, in place of a CUDA graph."""

    def __init__(self, work: Callable[[], None], _: Any) -> None:
        self.replay = work
        work()

    def pool(self) -> None:
        return None


@pytest.fixture(autouse=True)
def no_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update, "StepGraphs", partial(StepGraphs, record=Played))


def assert_same(first: dict[str, Tensor], second: dict[str, Tensor]) -> None:
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("handling", "optimizer"), [(SELDOM, "adamw"), (RECORDED, "adamw"), (RECORDED, "muon")]
)
def test_a_resumed_run_is_the_uninterrupted_run(
    make_trainer: MakeTrainer, handling: Handling, optimizer: str
) -> None:
    make = partial(make_trainer, handling=handling, max_batch_tokens=128, optimizer=optimizer)
    whole = make("whole")
    whole.train()
    cut_at(make("cut"), 10)
    assert make("cut").state.step == 8, "two steps are lost, and repeated exactly"
    torch.rand(5)
    resumed = make("cut")
    state = resumed.train()
    assert state.step == whole.state.step == 12
    assert state.target_tokens == whole.state.target_tokens
    assert_same(resumed.model.state_dict(), whole.model.state_dict())
    assert_same(state.ema, whole.state.ema)
    assert_same_optimizers(resumed, whole)


def assert_same_optimizers(first: Trainer, second: Trainer) -> None:
    for name, optimizer in first.optimizers.named.items():
        ours, theirs = optimizer.state.values(), second.optimizers.named[name].state.values()
        for mine, other in zip(ours, theirs, strict=True):
            assert_same(mine, other)


def test_asking_seldom_changes_nothing_but_the_number_of_questions(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for ask_every in (1, 3, 100):
        trainer = make_trainer(
            f"every-{ask_every}", handling=replace(SELDOM, ask_every=ask_every), max_steps=40,
            checkpoint_every=40,
        )  # fmt: skip
        read, questions = trainer.update.tally.read, list[int]()

        def counted(read: Any = read, questions: list[int] = questions) -> Any:
            questions.append(1)
            return read()

        monkeypatch.setattr(trainer.update.tally, "read", counted)
        state = trainer.train()
        found.append((state, len(questions), log_of(trainer.folder)))
    assert [count for _, count, _ in found] == [40, 14, 1]
    state, _, log = found[0]
    for other, _, other_log in found[1:]:
        # picking real positions out adds up in another order than giving padding no weight
        torch.testing.assert_close(other.model, state.model, atol=1e-4, rtol=1e-3)
        assert other.target_tokens == state.target_tokens
        assert (other.step, other.epoch, other.position) == (40, state.epoch, state.position)
        assert other_log[-1]["loss"] == pytest.approx(log[-1]["loss"], rel=1e-3)
    last, seldom = ([one for one in some if one["kind"] == "train"] for _, _, some in found[1:])
    assert [one["step"] for one in last] == [21, 40], "each 20 steps, once it is known"
    assert [one["step"] for one in seldom] == [40]
    assert_same(found[1][0].model, found[2][0].model)


def test_skipped_steps_are_known_before_anything_is_saved(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    poison(monkeypatch, {1, 2, 6})
    state = make_trainer(handling=SELDOM, keep_checkpoints=9).train()
    assert (state.step, state.num_skipped) == (12, 3)
    checkpoints = [load_state(path) for path in list_checkpoints(make_trainer().folder)]
    assert [one.step for one in checkpoints] == [4, 8, 12]
    for one in checkpoints:
        assert all(tensor.isfinite().all() for tensor in (one.model | one.ema).values())
        steps = {int(s["step"]) for s in one.optimizer["adamw"]["state"].values()}
        assert steps == {one.step}, "the optimizer has not seen those"
    shown = capsys.readouterr().out
    assert "before step 4, epoch 1, batch 4: loss or gradient of 2 is not finite; skipped (2)" in (
        shown
    )
    assert "before step 8, epoch 1" in shown


def test_too_many_of_them_end_the_run_before_a_checkpoint(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison(monkeypatch, {5, 6, 7})
    trainer = make_trainer(handling=SELDOM, max_skipped=3)
    with pytest.raises(TrainingError, match=r"before step 8, .*: 3 steps in a row had no finite"):
        trainer.train()
    assert [load_state(path).step for path in list_checkpoints(trainer.folder)] == [4]


def test_a_run_begun_on_a_cpu_goes_on_as_on_a_gpu(make_trainer: MakeTrainer) -> None:
    make_trainer(max_steps=4).train()
    state = make_trainer(handling=RECORDED, max_steps=8).train()
    assert state.step == 8
    back = make_trainer(max_steps=12)
    assert all(
        isinstance(group["lr"], float) and not group.get("capturable")
        for optimizer in back.optimizers.named.values()
        for group in optimizer.param_groups
    )
    assert back.train().step == 12


def test_words_that_are_split_anew_are_not_gathered(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = make_trainer()
    monkeypatch.setattr(trainer.inputs.train, "is_resampled", True)
    trainer = Trainer(trainer.inputs, trainer.config, trainer.folder, 1, trainer.world, RECORDED)
    assert trainer.train().step == 12
    assert trainer.update._graphs is not None
    assert len(trainer.update._graphs) == 0
