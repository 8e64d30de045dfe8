"""Training does the same whether interrupted, split into micro-batches, or neither."""

from __future__ import annotations

import itertools
import signal

import pytest
import torch
from torch import Tensor

from tests.trainers import MakeTrainer
from training.data.encoded import make_batch
from training.loop.state import load_latest
from training.loop.trainer import Trainer


def weights(trainer: Trainer) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in trainer.model.state_dict().items()}


def assert_bit_equal(first: dict[str, Tensor], second: dict[str, Tensor]) -> None:
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name


@pytest.mark.parametrize("stop_at", [4, 8])
def test_a_resumed_run_is_the_uninterrupted_run(make_trainer: MakeTrainer, stop_at: int) -> None:
    whole = make_trainer("whole")
    whole.train()

    class PowerCut(Exception):
        pass

    cut = make_trainer("cut")
    step = cut._step

    def failing_step(*args: object) -> None:
        if cut.state.step == stop_at + 2:  # two steps are lost, and must be repeated exactly
            raise PowerCut
        step(*args)  # type: ignore[arg-type]

    cut._step = failing_step  # type: ignore[assignment,method-assign]
    with pytest.raises(PowerCut):
        cut.train()
    resumed = make_trainer("cut")
    assert resumed.state.step == stop_at
    torch.rand(5)  # the state of the generators must come from the checkpoint
    resumed = make_trainer("cut")
    resumed.train()
    assert resumed.state.step == whole.state.step == 12
    assert_bit_equal(weights(resumed), weights(whole))
    assert_bit_equal(resumed.state.ema, whole.state.ema)


def test_ctrl_c_writes_a_checkpoint(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer("stopped", checkpoint_every=100)
    step = trainer._step

    def interrupted(*args: object) -> bool:
        if trainer.state.step == 3:
            signal.raise_signal(signal.SIGINT)
        return step(*args)  # type: ignore[arg-type]

    trainer._step = interrupted  # type: ignore[assignment,method-assign]
    with pytest.raises(KeyboardInterrupt):
        trainer.train()
    state, warnings = load_latest(trainer.folder)
    assert state is not None
    assert (state.step, warnings) == (4, []), "the step in hand is finished first"


def test_accumulated_gradients_equal_those_of_one_large_batch(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer()
    trainer.model.eval()  # no dropout: the parts must add up exactly
    batches = [step.batches[0] for step in itertools.islice(trainer._steps(), 4)]
    total = sum(batch.num_targets for batch in batches)
    assert len({batch.num_targets for batch in batches}) > 1, "the parts must be unequal"
    for batch in batches:
        loss = trainer.criterion(batch).smoothed / total
        loss.backward()
    accumulated = [p.grad.clone() for p in trainer.model.parameters() if p.grad is not None]
    trainer.model.zero_grad()

    sampler_start = make_trainer("other")
    indices = [i for b in itertools.islice(iter(sampler_start.sampler), 4) for i in b]
    tokenizer = trainer.inputs.tokenizer
    large = make_batch(
        [trainer.inputs.train[int(i)] for i in indices], tokenizer.pad_id, tokenizer.bos_id
    )
    assert large.num_targets == total
    (trainer.criterion(large).smoothed / total).backward()
    together = [p.grad for p in trainer.model.parameters() if p.grad is not None]
    assert len(together) == len(accumulated) > 20
    for mine, expected in zip(accumulated, together, strict=True):
        torch.testing.assert_close(mine, expected, atol=1e-6, rtol=1e-5)


def test_the_loss_falls(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(max_steps=60, checkpoint_every=60, learning_rate=3e-3)
    before = trainer._dev_figures()["loss"]
    trainer.train()
    assert trainer._dev_figures()["loss"] < before - 1.0


def test_early_stopping_counts_checkpoints_without_progress(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(max_steps=100, checkpoint_every=2, patience=3)
    state = trainer.train()
    assert state.step == 2 + 3 * 2  # the score never rises after the first checkpoint
    assert state.best_step == 2


def test_evaluation_leaves_no_trace(make_trainer: MakeTrainer) -> None:
    rare = make_trainer("rare", checkpoint_every=12)
    rare.train()
    frequent = make_trainer("frequent", checkpoint_every=1)
    frequent.train()
    assert_bit_equal(weights(rare), weights(frequent))
