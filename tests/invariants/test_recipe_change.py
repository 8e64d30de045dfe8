"""A run folder never mixes the weights of one recipe with another recipe's name."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
import torch

from tests.toyrun import toy_run
from training.loop.state import load_latest
from translator.errors import TranslatorError

STAGES = ("prepare", "subwords", "train")
SHORT = ("training.max_steps=2", "training.checkpoint_every=2", "training.dev_sentences=1")


def train(folder: Path, *overrides: str) -> torch.Tensor:
    run = toy_run(folder, *SHORT, *overrides)
    for stage in STAGES:
        run.run(only=stage)
    state, _ = load_latest(folder / "run" / "checkpoints")
    assert state is not None
    return state.model["embedding.weight"]


@pytest.mark.parametrize(
    "change",
    ["seed=9", "subwords.algorithm='bpe'", "model.dropout=0.4", "data.directions=['de-en']"],
)
def test_another_recipe_is_refused_or_trained_anew(tmp_path: Path, change: str) -> None:
    before = train(tmp_path)
    with contextlib.suppress(TranslatorError):
        after = train(tmp_path, change)
        assert not torch.equal(after, before), "the old checkpoint was taken for the new recipe's"


def test_the_same_recipe_may_be_trained_for_longer(tmp_path: Path) -> None:
    before = train(tmp_path)
    after = train(tmp_path, "training.max_steps=4")
    assert not torch.equal(after, before)
    state, _ = load_latest(tmp_path / "run" / "checkpoints")
    assert state is not None
    assert state.step == 4
