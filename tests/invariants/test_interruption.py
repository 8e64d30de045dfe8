"""Ctrl-C at any moment, and the run continued from it is the run that was never stopped."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.trainers import MakeTrainer
from training.data.encoded import EncodedCorpus, EncodedPair
from training.loop.state import load_latest
from training.loop.trainer import Trainer
from training.objective.criterion import Criterion


class InterruptingCorpus(EncodedCorpus):
    """A corpus during the reading of which the user presses Ctrl-C, once."""

    def __init__(self, corpus: EncodedCorpus, at: int) -> None:
        super().__init__(corpus.streams, corpus.eos_id)
        self.left = at

    def pairs(self, indices: Sequence[int], key: str = "") -> list[EncodedPair]:
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)
        return super().pairs(indices, key)


def interrupt(trainer: Trainer) -> None:
    with pytest.raises(KeyboardInterrupt):
        trainer.train()


def assert_continues_exactly(make_trainer: MakeTrainer, **settings: Any) -> None:
    whole = make_trainer("whole", **settings)
    whole.train()
    resumed = make_trainer("stopped", **settings)
    resumed.train()
    assert resumed.state.step == whole.state.step
    for name, tensor in whole.model.state_dict().items():
        assert torch.equal(resumed.model.state_dict()[name], tensor), name
        assert torch.equal(resumed.state.ema[name], whole.state.ema[name]), name


@pytest.mark.parametrize(("accumulate", "at"), [(1, 1), (3, 8)])
def test_while_a_batch_is_made(make_trainer: MakeTrainer, accumulate: int, at: int) -> None:
    trainer = make_trainer("stopped", accumulate=accumulate)
    trainer.inputs = replace(trainer.inputs, train=InterruptingCorpus(trainer.inputs.train, at))
    interrupt(trainer)
    assert_continues_exactly(make_trainer, accumulate=accumulate)


def test_in_the_middle_of_a_step(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward, calls = Criterion.forward, []

    def interrupted(*args: Any) -> Any:
        loss = forward(*args)  # by now dropout has drawn its random numbers
        calls.append(loss)
        if len(calls) == 6:
            signal.raise_signal(signal.SIGINT)
        return loss

    with monkeypatch.context() as patched:
        patched.setattr(Criterion, "forward", interrupted)
        interrupt(make_trainer("stopped", checkpoint_every=1000))
    assert_continues_exactly(make_trainer, checkpoint_every=1000)


def test_while_the_dev_loss_is_measured(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer("stopped")
    trainer.inputs = replace(trainer.inputs, dev=InterruptingCorpus(trainer.inputs.dev, at=2))
    interrupt(trainer)  # at step 4, with the moving average in the model's place
    assert_continues_exactly(make_trainer)


def test_while_the_dev_set_is_translated(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer("stopped")

    def score(weights: Mapping[str, Tensor]) -> dict[str, float]:
        torch.manual_seed(99)  # scoring builds a model, which draws random numbers
        signal.raise_signal(signal.SIGINT)
        return {"bleu": 0.0, "chrf": 0.0}

    trainer.inputs = replace(trainer.inputs, score_dev=score)
    interrupt(trainer)
    assert_continues_exactly(make_trainer)


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
