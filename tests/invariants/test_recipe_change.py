"""A run folder never mixes the weights of one recipe with another recipe's name."""

from __future__ import annotations

import contextlib
import shutil
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


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, torch.Tensor]:
    """Return the folder of a run, and what it has learned."""
    folder = tmp_path_factory.mktemp("trained")
    return folder, train(folder)


@pytest.mark.parametrize(
    "change",
    ["seed=9", "subwords.algorithm='bpe'", "model.dropout=0.4", "data.directions=['de-en']"],
)
def test_another_recipe_is_refused_or_trained_anew(
    trained: tuple[Path, torch.Tensor], tmp_path: Path, change: str
) -> None:
    folder, before = trained
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    with contextlib.suppress(TranslatorError):
        after = train(tmp_path, change)
        assert not torch.equal(after, before), "the old checkpoint was taken for the new recipe's"
