"""Whatever is switched on, and however a run ends, continuing it changes nothing."""

from __future__ import annotations

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

from tests.disk import FragileDisk
from tests.streams import write_encoded
from tests.toy import toy_lines, toy_sides
from tests.toyrun import toy_run
from tests.trainers import MakeTrainer, cut_at
from training.config import SubwordsConfig
from training.data.encoded import EncodedCorpus
from training.data.subword_sampling import SubwordSampler
from training.data.subwords import train_tokenizer
from training.loop.state import (
    TrainState,
    checkpoint_path,
    list_checkpoints,
    load_latest,
    load_state,
    prune,
    save_state,
)
from training.loop.trainer import Trainer
from translator.durable import tidy
from translator.tokens.tokenizer import Tokenizer


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


def test_nothing_is_done_otherwise(make_trainer: MakeTrainer) -> None:
    whole = make_trainer("whole").train()
    cut_at(make_trainer("cut"), 7)
    assert make_trainer("cut").state.step == 4, "three steps are lost, and repeated exactly"
    torch.rand(5)  # the state of the generators must come from the checkpoint
    assert_same(make_trainer("cut").train(), whole)


def test_with_unigram_sampling(make_trainer: MakeTrainer, tokenizer: Tokenizer) -> None:
    """And with Muon, accumulation, and workers that make the batches."""
    settings: dict[str, Any] = {"optimizer": "muon", "accumulate": 2}

    def make(folder: str, workers: int) -> Trainer:
        sampler = SubwordSampler(tokenizer, unigram_alpha=0.2)
        return with_sampling(make_trainer(folder, workers=workers, **settings), sampler)

    whole = make("whole", 0).train()
    cut_at(make("cut", 2), 7)
    assert_same(make("cut", 2).train(), whole)
    plain = make_trainer("plain", **settings).train()
    assert not torch.equal(plain.ema["embedding.weight"], whole.ema["embedding.weight"])


def test_with_bpe_dropout(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    config = SubwordsConfig(vocab_size=330, algorithm="bpe")
    bpe = train_tokenizer(toy_lines(300), ["de", "en"], config)
    corpus = write_encoded(tmp_path / "bpe", bpe, toy_sides(60, seed=0), ["de-en", "en-de"])

    def make(folder: str) -> Trainer:
        trainer = make_trainer(folder)
        trainer.inputs = replace(trainer.inputs, train=corpus)
        return with_sampling(trainer, SubwordSampler(bpe, bpe_dropout=0.2))

    whole = make("whole").train()
    cut_at(make("cut"), 6)
    assert_same(make("cut").train(), whole)


def test_while_a_checkpoint_is_written(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    """Each call that touches the disk may be the last one: the run goes on, to the same bits."""
    whole = make_trainer("whole").train()
    cut_at(make_trainer("begun"), 7)
    cut_at(make_trainer("longer"), 9)
    states = {
        step: load_state(checkpoint_path(tmp_path / name, step))
        for step, name in ((4, "begun"), (8, "longer"))
    }

    def write(folder: str) -> None:
        save_state(tmp_path / folder, states[8])
        prune(tmp_path / folder, 1, states[8])

    disk = FragileDisk()
    shutil.copytree(tmp_path / "begun", tmp_path / "counted")
    with disk.spun_up():
        write("counted")
    assert {"write", "fsync", "replace", "rmtree"} <= {*disk.calls}
    outcomes = {}
    for number, call in enumerate(disk.calls):
        shutil.copytree(tmp_path / "begun", tmp_path / f"cut {number}")
        with FragileDisk(number).spun_up():
            write(f"cut {number}")
        tidy(tmp_path / f"cut {number}")
        state, warnings = load_latest(tmp_path / f"cut {number}")
        assert state is not None
        assert warnings == [], call
        assert_same(state, states[state.step])
        outcomes[state.step] = f"cut {number}"
    assert outcomes.keys() == {4, 8}
    for folder in outcomes.values():
        assert_same(make_trainer(folder).train(), whole)


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
