"""Trainers on a toy corpus."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.disk import PowerCut
from tests.small_models import small_config
from tests.streams import write_encoded
from tests.toy import toy_sides
from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus
from training.loop.distributed import World
from training.loop.trainer import Trainer, TrainerInputs
from training.machine import Handling
from training.objective.criterion import Criterion
from translator.model.transformer import make_model
from translator.tokens.tokenizer import Tokenizer

MakeTrainer = Callable[..., Trainer]


@pytest.fixture
def corpus(tmp_path: Path, tokenizer: Tokenizer) -> EncodedCorpus:
    sides = toy_sides(60, seed=1)
    return write_encoded(tmp_path / "train", tokenizer, sides, ["de-en", "en-de"])


def toy_trainer(
    folder: Path,
    tokenizer: Tokenizer,
    corpus: EncodedCorpus,
    world: World,
    seed: int = 1,
    handling: Handling | None = None,
    dev: EncodedCorpus | None = None,
    **settings: object,
) -> Trainer:
    """Return a trainer of a tiny model; `settings` are of its TrainingConfig."""
    torch.manual_seed(seed)
    config = small_config(tokenizer, dropout=0.2, attention_dropout=0.1, activation_dropout=0.1)
    inputs = TrainerInputs(
        model=make_model(config),
        tokenizer=tokenizer,
        train=corpus,
        dev=dev or corpus,
        score_dev=lambda weights: {"bleu": 0.0, "chrf": float(len(weights))},
    )
    defaults: dict[str, object] = {
        "max_steps": 12,
        "max_batch_tokens": 200,
        "warmup_steps": 3,
        "ema_decay": 0.9,
        "bf16": False,
        "checkpoint_every": 4,
    }
    training = TrainingConfig(**(defaults | settings))  # type: ignore[arg-type]
    return Trainer(inputs, training, folder, seed, world, handling)


@pytest.fixture
def make_trainer(tmp_path: Path, tokenizer: Tokenizer, corpus: EncodedCorpus) -> MakeTrainer:
    few = toy_sides(8, seed=2)
    dev = write_encoded(tmp_path / "dev", tokenizer, few, ["de-en", "en-de"])

    def make(
        folder: str = "checkpoints",
        seed: int = 1,
        handling: Handling | None = None,
        device: str = "cpu",
        **settings: object,
    ) -> Trainer:
        world, path = World(torch.device(device)), tmp_path / folder
        return toy_trainer(path, tokenizer, corpus, world, seed, handling, dev, **settings)

    return make


def poison(monkeypatch: pytest.MonkeyPatch, calls_to_poison: set[int]) -> None:
    """Make the loss of some batches, counted from 0, NaN."""
    forward, calls = Criterion.forward, itertools.count()

    def poisoned(self: Criterion, *arguments: Any) -> Any:
        loss = forward(self, *arguments)
        is_bad = self.training and next(calls) in calls_to_poison
        return replace(loss, smoothed=loss.smoothed * float("nan")) if is_bad else loss

    monkeypatch.setattr(Criterion, "forward", poisoned)


def cut_at(trainer: Trainer, step: int) -> None:
    """Train until the power fails before `step`."""
    whole_step = trainer._step

    def failing(*arguments: Any) -> bool:
        if trainer.state.step == step:
            raise PowerCut
        return whole_step(*arguments)

    trainer._step = failing  # type: ignore[assignment,method-assign]
    with pytest.raises(PowerCut):
        trainer.train()
