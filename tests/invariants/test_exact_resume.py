"""Whatever is switched on, and however a run ends, continuing it changes nothing."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.streams import write_encoded
from tests.toy import toy_pairs
from tests.toyrun import toy_run
from tests.trainers import MakeTrainer
from training.data.config import SubwordsConfig
from training.data.encoded import EncodedCorpus
from training.data.subword_sampling import SubwordSampler
from training.data.subwords import train_tokenizer
from training.loop import state as state_module
from training.loop.state import TrainState, list_checkpoints, load_latest
from training.loop.trainer import Trainer
from translator.tokens.tokenizer import Tokenizer


class PowerCut(BaseException):
    """Ends everything at once, as a power cut would: no one cleans up."""


def with_sampling(trainer: Trainer, sampler: SubwordSampler) -> Trainer:
    corpus = trainer.inputs.train
    train = EncodedCorpus(corpus.streams, corpus.eos_id, sampler)
    trainer.inputs = replace(trainer.inputs, train=train)
    return trainer


def assert_same(first: TrainState, second: TrainState) -> None:
    for name in ("model", "ema"):
        ours, theirs = getattr(first, name), getattr(second, name)
        assert ours.keys() == theirs.keys()
        for key, tensor in ours.items():
            assert torch.equal(tensor, theirs[key]), (name, key)
    assert (first.step, first.epoch, first.position) == (second.step, second.epoch, second.position)
    assert first.target_tokens == second.target_tokens


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


EVERYTHING = {"accumulate": 2, "int8_share": 0.5}


@pytest.mark.parametrize("settings", [{}, {"optimizer": "muon"}, EVERYTHING], ids=str)
def test_with_unigram_sampling(
    make_trainer: MakeTrainer, tokenizer: Tokenizer, settings: dict[str, Any]
) -> None:
    def make(folder: str, workers: int) -> Trainer:
        sampler = SubwordSampler(tokenizer, unigram_alpha=0.2)
        return with_sampling(make_trainer(folder, workers=workers, **settings), sampler)

    whole = make("whole", 0).train()
    for workers in (0, 2):
        cut_at(make(f"cut {workers}", workers), 7)
        resumed = make(f"cut {workers}", workers)
        assert resumed.state.step == 4
        assert_same(resumed.train(), whole)
    plain = make_trainer("plain", **settings).train()
    assert not torch.equal(plain.ema["embedding.weight"], whole.ema["embedding.weight"])


def test_with_bpe_dropout(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    pairs = toy_pairs(300, random.Random(0))
    lines = [line for pair in pairs for line in pair]
    bpe = train_tokenizer(lines, ["de", "en"], SubwordsConfig(vocab_size=330, algorithm="bpe"))

    sides = {"de": [de for de, _ in pairs[:60]], "en": [en for _, en in pairs[:60]]}
    corpus = write_encoded(tmp_path / "bpe", bpe, sides, ["de-en", "en-de"])

    def make(folder: str) -> Trainer:
        trainer = make_trainer(folder)
        trainer.inputs = replace(trainer.inputs, train=corpus)
        return with_sampling(trainer, SubwordSampler(bpe, bpe_dropout=0.2))

    whole = make("whole").train()
    cut_at(make("cut"), 6)
    assert_same(make("cut").train(), whole)


@pytest.mark.parametrize("moment", range(5))
def test_while_a_checkpoint_is_written(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """Each call that touches the disk, from the second checkpoint on, may be the last one."""
    whole = make_trainer("whole").train()
    trainer = make_trainer("cut")
    calls = itertools.count()

    def fragile(function: Any) -> Any:
        def call(*arguments: Any, **settings: Any) -> Any:
            if trainer.state.step >= 8 and next(calls) == moment:
                raise PowerCut
            return function(*arguments, **settings)

        return call

    with monkeypatch.context() as patch:
        for name in ("write_durably", "_sync_directory"):
            patch.setattr(state_module, name, fragile(getattr(state_module, name)))
        patch.setattr(Path, "rename", fragile(Path.rename))
        patch.setattr(shutil, "rmtree", fragile(shutil.rmtree))
        with pytest.raises(PowerCut):
            trainer.train()
    assert_same(make_trainer("cut").train(), whole)


def test_with_another_batch_of_random_numbers_nothing_would_be_equal(
    make_trainer: MakeTrainer,
) -> None:
    """The comparison above can fail: losing the generator's state changes the weights."""
    whole = make_trainer("whole").train()
    cut_at(make_trainer("cut"), 7)
    resumed = make_trainer("cut")
    torch.manual_seed(99)
    assert not torch.equal(
        resumed.train().model["embedding.weight"], whole.model["embedding.weight"]
    )


SETTINGS = (
    *("training.max_steps=200", "training.checkpoint_every=20", "training.dev_sentences=2"),
    *("training.unigram_alpha=0.3", "training.workers=2", "training.ema_decay=0.9"),
    *("model.dropout=0.1", "training.max_batch_tokens=300", "model.d_model=32", "model.d_ff=64"),
)
COMMAND = """
import sys
from pathlib import Path
from tests.toyrun import toy_run
toy_run(Path(sys.argv[1]), *sys.argv[2:]).run(only="train")
"""


@pytest.mark.slow
def test_killed_without_warning(tmp_path: Path) -> None:
    """`kill -9` of a real process and its workers, three times at moments of no one's choosing."""
    states, prepared = [], tmp_path / "prepared"
    prepared.mkdir()
    for stage in ("prepare", "subwords"):
        toy_run(prepared, *SETTINGS).run(only=stage)
    for name in ("whole", "killed"):
        folder = tmp_path / name
        shutil.copytree(prepared, folder)
        checkpoints = folder / "run" / "checkpoints"
        for number in range(3 if name == "killed" else 0):
            kill_soon(folder, checkpoints, random.Random(number).uniform(0.0, 0.3))
        if name == "killed":
            assert 20 <= max(int(path.name[5:]) for path in list_checkpoints(checkpoints)) < 200
        toy_run(folder, *SETTINGS).run(only="train")
        state, _ = load_latest(checkpoints)
        assert state is not None
        states.append(state)
    assert_same(*states)


def kill_soon(folder: Path, checkpoints: Path, delay_s: float) -> None:
    """Start training, wait until it has written another checkpoint and a little, and kill it."""
    before = len(list(checkpoints.glob("log.jsonl"))) and read_dev_steps(checkpoints)
    environment = os.environ | {"OMP_NUM_THREADS": str(torch.get_num_threads())}
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(folder), *SETTINGS],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 240
    while read_dev_steps(checkpoints) <= before:
        assert process.poll() is None, "training ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(delay_s)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def read_dev_steps(checkpoints: Path) -> int:
    """Return how many checkpoints the log speaks of."""
    log = checkpoints / "log.jsonl"
    return log.read_text().count('"kind": "dev"') if log.exists() else 0
