"""Many processes train one model as one would: started, joined, and told of each other's end."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, distributed, nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel

from tests.processes import in_two_processes, start
from tests.toy import toy_pairs
from tests.toyrun import RECIPE, write_corpus
from tests.trainers import toy_trainer
from training.data.encoded import EncodedCorpus, Stream, TokenStore
from training.loop import distributed as joining
from training.loop.distributed import (
    LostProcessError,
    SharedMemory,
    UnlikeProcessesError,
    World,
    _memory,
    all_are_neighbours,
    joined,
    train_in_processes,
)
from training.loop.log import TrainingLog
from training.loop.optimizer import SharedMuon
from training.loop.state import list_checkpoints, load_latest
from training.loop.trainer import Trainer
from training.loop.update import StepNumbers
from translator.tokens.tokenizer import Tokenizer

ALONE = World(torch.device("cpu"))


@pytest.fixture
def folder(tmp_path: Path, tokenizer: Tokenizer) -> Path:
    """A folder from which any process can make the same trainer."""
    pairs = toy_pairs(60, random.Random(1))
    (tmp_path / "tokenizer.model").write_bytes(tokenizer.serialized)
    for place, language in enumerate(("de", "en")):
        TokenStore.write(tmp_path / language, (tokenizer.encode(pair[place]) for pair in pairs))
    return tmp_path


def trainer_in(folder: Path, name: str, world: World, **settings: Any) -> Trainer:
    tokenizer = Tokenizer.load(folder / "tokenizer.model")
    stream = Stream(
        source=TokenStore(folder / "de"),
        target=TokenStore(folder / "en"),
        tag_ids=(tokenizer.tag_id("en"),),
    )
    corpus = EncodedCorpus([stream], tokenizer.eos_id)
    return toy_trainer(folder / name, tokenizer, corpus, world, **settings)


def gradient(trainer: Trainer) -> dict[str, Tensor]:
    """Return the gradient of the first step, before it is clipped."""
    step = next(trainer._steps())
    mine = sum(batch.num_targets for batch in step.batches)
    trainer.criterion.eval()  # no dropout: the parts must add up exactly
    [total] = trainer.world.sum([mine])
    trainer.update.prepare(StepNumbers(rate=0.0, num_targets=total, ema_decay=0.0))
    trainer.update.gradient(step.batches)
    return {n: p.grad.clone() for n, p in trainer.model.named_parameters() if p.grad is not None}


def save_gradient(folder: Path, world: World) -> None:
    exchanges: list[int] = []

    # torch checks a hook's annotations, which must not be strings: so it has none
    def counted(group, bucket):  # type: ignore[no-untyped-def]
        exchanges.append(bucket.index())
        return allreduce_hook(group, bucket)

    def counted_mean(self: SharedMemory, gradient: Tensor, number: int) -> Tensor:
        exchanges.append(number)
        return mean(self, gradient, number)

    mean, SharedMemory.mean = SharedMemory.mean, counted_mean  # type: ignore[method-assign]
    trainer = trainer_in(folder, "two", world, accumulate=2)
    assert isinstance(trainer.parallel, DistributedDataParallel)
    if not all_are_neighbours():
        trainer.parallel.register_comm_hook(None, counted)
    torch.save(gradient(trainer), folder / f"gradient-{world.rank}.pt")
    assert sorted(exchanges) == sorted(set(exchanges)), "each bucket is exchanged once a step"
    assert exchanges


@pytest.mark.parametrize("neighbours", [True, False])
def test_the_gradient_is_that_of_one_process_with_all_batches(
    folder: Path, neighbours: bool
) -> None:
    in_two_processes(save_gradient, folder, neighbours=neighbours)
    alone = trainer_in(folder, "one", ALONE, accumulate=4)
    sizes = [batch.num_targets for batch in next(alone._steps()).batches]
    assert len(set(sizes)) > 1, "the batches must be unequal"
    expected = gradient(trainer_in(folder, "one", ALONE, accumulate=4))
    for rank in (0, 1):
        found = torch.load(folder / f"gradient-{rank}.pt", weights_only=True)
        assert found.keys() == expected.keys()
        for name, tensor in expected.items():
            torch.testing.assert_close(found[name], tensor, atol=1e-6, rtol=1e-5)


def hold_up_the_first(world: World) -> None:
    """Let the first process read late, so that the other one goes on before that."""
    barrier = distributed.barrier

    def slow_barrier(*_: Any, **__: Any) -> None:
        barrier()
        if world.is_first:
            time.sleep(0.01)

    distributed.barrier = slow_barrier


def exchange_often(_: Path, world: World) -> None:
    gradients = SharedMemory(world.rank, world.count)
    hold_up_the_first(world)
    for turn in range(20):
        found = gradients.mean(torch.full((1000,), float(turn + world.rank)), 0)
        assert torch.equal(found, torch.full((1000,), turn + 0.5))
    for number in (0, 1):  # other lengths, other buckets
        found = gradients.mean(torch.full((10,), float(number + world.rank)), number)
        assert torch.equal(found, torch.full((10,), number + 0.5))
    share_often(world)


def share_often(world: World) -> None:
    memory = SharedMemory(world.rank, world.count)
    for turn in range(20):
        parts = [[torch.zeros(2, 3), torch.zeros(5)], [torch.zeros(4)]]
        for tensor in parts[world.rank]:
            tensor.fill_(turn + world.rank)
        memory.share(parts)
        found = [tensor.unique().tolist() for part in parts for tensor in part]
        assert found == [[turn], [turn], [turn + 1]]


def without_memory(folder: Path, world: World) -> None:
    def fail(*_: object) -> None:
        raise OSError

    os.posix_fallocate = fail
    exchange_often(folder, world)


@pytest.mark.parametrize("function", [exchange_often, without_memory])
def test_gradients_are_averaged_and_each_gets_what_the_others_have_computed(
    tmp_path: Path, function: Any
) -> None:
    in_two_processes(function, tmp_path)


def train_with_muon(folder: Path, world: World) -> None:
    trainer = trainer_in(folder, "muon", world, optimizer="muon", keep_checkpoints=5)
    is_shared = isinstance(trainer.optimizers.named["muon"], SharedMuon)
    assert is_shared == all_are_neighbours()
    trainer.train()
    resumed = trainer_in(folder, "muon", world, optimizer="muon", max_steps=14)
    assert resumed.state.step == 12
    weights = resumed.train().model
    if world.is_first:
        name = "shared" if is_shared else "each-alone"
        torch.save({"weights": weights, "muon": resumed.state.optimizer["muon"]}, folder / name)


def test_muon_gives_the_same_bits_however_its_matrices_are_divided(folder: Path) -> None:
    in_two_processes(train_with_muon, folder)
    shutil.move(folder / "muon", folder / "muon-shared")
    in_two_processes(train_with_muon, folder, neighbours=False)
    shared, alone = (torch.load(folder / name) for name in ("shared", "each-alone"))
    assert shared["muon"]["param_groups"] == alone["muon"]["param_groups"]
    momenta = [
        [s["momentum_buffer"] for s in it["muon"]["state"].values()] for it in (shared, alone)
    ]
    for first, second in zip(*momenta, strict=True):
        assert torch.equal(first, second)
    for name, weight in alone["weights"].items():
        assert torch.equal(shared["weights"][name], weight), name


def train_and_cut(folder: Path, world: World) -> None:
    whole = trainer_in(folder, "whole", world)
    whole.train()
    cut = trainer_in(folder, "cut", world)
    for step, batches in zip(range(6), cut._steps(), strict=False):
        if step == 4:
            cut._save()
        with TrainingLog(cut.folder, cut.config, is_silent=True) as log:
            cut._step(batches, log, threading.Event())
    resumed = trainer_in(folder, "cut", world)
    assert resumed.state.step == 4, "two steps were lost"
    resumed.train()
    for name, tensor in whole.model.state_dict().items():
        assert torch.equal(resumed.model.state_dict()[name], tensor), name
        both = [torch.empty_like(tensor) for _ in range(2)]
        distributed.all_gather(both, tensor)
        assert torch.equal(*both), f"{name}: replicas differ"
    dropout = torch.rand(1)
    both = [torch.empty_like(dropout) for _ in range(2)]
    distributed.all_gather(both, dropout)
    assert not torch.equal(*both), "each process drops other units"


def test_replicas_stay_equal_and_resume_exactly(folder: Path) -> None:
    in_two_processes(train_and_cut, folder)
    state, _ = load_latest(folder / "whole")
    assert state is not None
    assert (state.step, len(state.rng)) == (12, 2)
    assert len(list_checkpoints(folder / "whole")) == 3
    assert (folder / "whole" / "log.jsonl").read_text().count('"kind": "dev"') == 3


def skip_together(folder: Path, world: World) -> None:
    trainer = trainer_in(folder, "skipping", world, max_steps=4)
    forward = type(trainer.criterion).forward
    calls = []

    def poisoned(self: Any, *arguments: Any) -> Any:
        loss = forward(self, *arguments)
        calls.append(loss)
        if world.rank == 1 and len(calls) == 2:  # only one of the two processes
            object.__setattr__(loss, "smoothed", loss.smoothed * float("nan"))
        return loss

    type(trainer.criterion).forward = poisoned  # type: ignore[assignment,method-assign]
    state = trainer.train()
    assert (state.step, state.num_skipped) == (4, 1)
    assert all(torch.isfinite(tensor).all() for tensor in trainer.model.state_dict().values())


def test_all_processes_skip_what_one_cannot_use(folder: Path) -> None:
    in_two_processes(skip_together, folder)


def test_a_run_can_continue_with_fewer_processes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_two_processes(train_six, folder)
    resumed = trainer_in(folder, "fewer", ALONE)
    assert resumed.state.step == 6
    assert "saved by 2 processes: other random numbers now" in capsys.readouterr().out
    assert resumed.train().step == 12


def train_six(folder: Path, world: World) -> None:
    trainer_in(folder, "fewer", world, max_steps=6).train()


def train_in_separate_folders(folder: Path, world: World) -> None:
    schedule = {"schedule": "inverse_sqrt"}  # the same rates wherever the run ends
    whole = trainer_in(folder, "whole", world, **schedule).train()
    for max_steps in (6, 12):
        name = f"machine-{world.rank}"
        resumed = trainer_in(folder, name, world, max_steps=max_steps, **schedule)
        assert resumed.state.step == max_steps - 6
        resumed.train()
    for name, tensor in whole.weights.items():
        assert torch.equal(resumed.state.weights[name], tensor), name


def test_only_the_first_machine_needs_the_checkpoints(folder: Path) -> None:
    in_two_processes(train_in_separate_folders, folder, neighbours=False)
    assert list_checkpoints(folder / "machine-0")
    assert not list_checkpoints(folder / "machine-1")


@pytest.mark.parametrize("count", [None, "1"])
def test_without_others_a_process_is_alone(
    monkeypatch: pytest.MonkeyPatch, count: str | None
) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    if count:
        monkeypatch.setenv("WORLD_SIZE", count)
    with joined("cpu") as world:
        assert world == ALONE
        assert world.is_first
        assert not torch.distributed.is_initialized()


def test_alone_there_is_nothing_to_exchange() -> None:
    module = nn.Linear(2, 2)
    assert ALONE.parallel(module) is module
    assert ALONE.sum([1, 0.5]) == [1, 0.5]
    mine = [torch.ones(1)]
    assert ALONE.gather(mine) == [mine]
    assert ALONE.from_first(lambda: 3) == 3
    ALONE.require_same({"recipe": "a"})
    with ALONE.unsynchronised(module, is_last=False):
        pass


TIMEOUT_S = 4
"""Also the time within which both must have joined, on a machine that has much to do."""


def lose_the_other(rank: int, is_silent: bool) -> None:
    """Be process 1, which goes away in the middle, or process 0, which must notice."""
    joining.PATIENCE = timedelta(seconds=TIMEOUT_S)
    silence = f"nothing was heard of it for {TIMEOUT_S} s"
    reason = silence if is_silent and rank == 0 else r"\w[^\n]*"
    expected = rf"^another process of this run has ended, or cannot be reached: {reason}\. What it "
    with pytest.raises(LostProcessError, match=expected), joined("cpu") as world:
        exchange(world, is_silent)


def exchange(world: World, is_silent: bool) -> None:
    _, other = world.gather(os.getpid())
    if not world.is_first and not is_silent:
        os._exit(0)
    if not world.is_first:
        os.kill(other, signal.SIGSTOP)
    began = time.monotonic()
    try:
        world.sum([1.0])
    finally:
        if world.is_first:
            assert time.monotonic() - began < 10 * TIMEOUT_S
            if is_silent:
                os.kill(other, signal.SIGCONT)


@pytest.mark.parametrize("is_silent", [False, True])
def test_a_process_that_is_gone_or_silent_is_told_in_one_line(is_silent: bool) -> None:
    start(lose_the_other, is_silent)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("[/a/gloo/pair.cc:5] Read error [10.0.0.2]:9: no. This", "Read error [10.0.0.2]:9: no"),
        ("[/a/gloo/x.cc:7] Timed out waiting 9ms for recv", "nothing was heard of it for 600 s"),
        ("Gloo failed with [/a/gloo/x.cc:7] timed out: no", "Gloo failed with timed out: no"),
    ],
)
def test_of_what_pytorch_says_the_reason_stays(said: str, reason: str) -> None:
    with pytest.raises(LostProcessError) as told, joined("cpu"):
        raise RuntimeError(said)
    assert f"cannot be reached: {reason}. What it printed" in str(told.value)


def test_other_errors_stay_as_they_are() -> None:
    with pytest.raises(RuntimeError, match="a bug"), joined("cpu"):
        raise RuntimeError("a bug")


def work_for_long(_: Path, world: World) -> None:
    joining.BEAT_S = 0.1

    def work() -> str:
        time.sleep(1.3 * TIMEOUT_S)
        return f"from {world.rank}"

    assert world.from_first(work) == "from 0"


def be_patient(rank: int, folder: Path) -> None:
    joining.PATIENCE = timedelta(seconds=TIMEOUT_S)
    with joined("cpu") as world:
        work_for_long(folder, world)


def test_the_first_may_work_for_longer_than_a_process_may_be_silent(tmp_path: Path) -> None:
    start(be_patient, tmp_path)


def have_other_data(_: Path, world: World) -> None:
    world.require_same({"recipe": "a", "train.ids": "b"})
    expected = r"^process 1 on \S+ has another train\.ids than process 0 on \S+; copy the recipe"
    with pytest.raises(UnlikeProcessesError, match=expected):
        world.require_same({"recipe": "a", "train.ids": f"b{world.rank}"})
    with pytest.raises(UnlikeProcessesError, match=expected):
        world.require_same({"recipe": "a", **({"train.ids": "b"} if world.is_first else {})})


def test_processes_that_do_not_work_on_the_same_are_refused(tmp_path: Path) -> None:
    in_two_processes(have_other_data, tmp_path)


def test_on_gpus_the_cpu_exchanges_its_own_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No GPU is asked for a number that the CPU has."""
    said: list[Any] = []
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setattr(torch.cuda, "set_device", said.append)
    distributed = torch.distributed
    monkeypatch.setattr(distributed, "is_initialized", lambda: False)
    monkeypatch.setattr(distributed, "init_process_group", lambda name, **_: said.append(name))
    monkeypatch.setattr(distributed, "get_rank", lambda: 1)
    monkeypatch.setattr(distributed, "all_reduce", lambda total: said.append(total.device.type))
    with joined("cuda") as world:
        assert world.sum([1, 2]) == [1, 2]
    assert said == [1, "cpu:gloo,cuda:nccl", "cpu"]


@pytest.mark.parametrize(
    ("local", "everywhere", "expected"), [("2", "2", True), ("2", "4", False), ("", "2", False)]
)
def test_neighbours_are_processes_of_one_machine(
    monkeypatch: pytest.MonkeyPatch, local: str, everywhere: str, expected: bool
) -> None:
    monkeypatch.setenv("LOCAL_WORLD_SIZE", local)
    monkeypatch.setenv("WORLD_SIZE", everywhere)
    assert all_are_neighbours() == expected


def test_without_memory_files_no_one_is_a_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delattr(os, "memfd_create")
    assert not all_are_neighbours()


def test_too_little_memory_is_told_and_nothing_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    before = set(os.listdir("/proc/self/fd"))
    assert _memory(1 << 16) is None
    assert set(os.listdir("/proc/self/fd")) == before


LAUNCH_S = 240  # less than the time after which torchrun would kill them
TORCHRUN = ["-m", "torch.distributed.run", "--nproc-per-node", "2", "-m", "training", "train"]
OURS = ["-m", "training", "train"]
SETTINGS = (
    *("max_steps=100000", "checkpoint_every=100000", "dev_sentences=2", "warmup_steps=2"),
    *("max_batch_tokens=200",),
)


def write_run(folder: Path) -> list[str]:
    """Write a toy recipe, corpus and catalogue; return the arguments of every stage."""
    write_corpus(folder, train=60)
    (folder / "toy.toml").write_text(RECIPE.replace("vocab_size = 320", "vocab_size = 300"))
    lines = ["[toy]", 'description = "toy"', 'licence = "public domain"']
    for part in ("train", "dev", "test"):
        for code in ("de", "en"):
            lines += [f"[toy.files.{part}.{code}]", f'path = "{part}.{code}"']
    (folder / "mine.toml").write_text("\n".join(lines))
    places = {"--data": folder, "--catalogue": folder / "mine.toml", "--out": folder / "run"}
    arguments = [str(folder / "toy.toml"), "--device", "cpu"]
    arguments += [text for option, path in places.items() for text in (option, str(path))]
    return arguments + [f"--set=training.{setting}" for setting in SETTINGS]


def wait_for_steps(log: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + LAUNCH_S
    while not (log.exists() and '"kind": "train"' in log.read_text()):
        assert process.poll() is None, "training ended before it could be interrupted"
        assert time.monotonic() < deadline, "training has not begun"
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "extra", "code"), [(TORCHRUN, [], 1), (OURS, ["--processes", "2"], 130)]
)
def test_one_interrupt_to_the_group_saves_and_ends_both(
    tmp_path: Path, command: list[str], extra: list[str], code: int
) -> None:
    arguments = write_run(tmp_path)
    for stage in ("prepare", "subwords"):
        subprocess.run([sys.executable, "-m", "training", stage, *arguments], check=True)
    process = subprocess.Popen(
        [sys.executable, *command, *arguments, *extra],
        env=os.environ | {"OMP_NUM_THREADS": "1", "TORCH_ELASTIC_SHUTDOWN_TIMEOUT": "300"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        wait_for_steps(tmp_path / "run" / "checkpoints" / "log.jsonl", process)
        os.killpg(process.pid, signal.SIGINT)
        told, _ = process.communicate(timeout=LAUNCH_S)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
    assert process.returncode == code
    assert told.count("interrupted; step ") == 1, "the first process speaks for all"
    state, warnings = load_latest(tmp_path / "run" / "checkpoints")
    assert state is not None
    assert f"interrupted; step {state.step} is saved" in told
    assert (len(state.rng), warnings) == (2, [])
    assert len(list_checkpoints(tmp_path / "run" / "checkpoints")) == 1
    # torchrun ends with a traceback of its own, of which nothing is in this project
    assert told.count("Traceback") == (1 if command is TORCHRUN else 0)
    assert "training/loop" not in told.partition("Traceback")[2]


@pytest.mark.slow
def test_a_process_that_fails_is_one_line(tmp_path: Path) -> None:
    code = "import sys; from training.cli import main; sys.exit(main(sys.argv[1:]))"
    own = write_run(tmp_path)
    for stage in ("prepare", "subwords"):
        subprocess.run([sys.executable, "-m", "training", stage, *own], check=True)
    (tmp_path / "run" / "data" / "tokenizer.model").write_bytes(b"damaged")
    arguments = ["train", *own, "--processes", "2"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "not a SentencePiece model" in done.stderr
    assert done.stderr.strip().splitlines()[-1] == (
        "error: a training process failed; its own message is above"
    )


def test_what_the_launcher_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.launcher import api

    seen: list[object] = []

    class Launch:
        def __init__(self, config: api.LaunchConfig, entrypoint: str) -> None:
            seen.extend([config.nproc_per_node, config.max_restarts, entrypoint])

        def __call__(self, *arguments: str) -> None:
            seen.append(arguments)
            raise SignalException("interrupted", signal.SIGINT)

    monkeypatch.setattr(api, "elastic_launch", Launch)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("TORCH_ELASTIC_SHUTDOWN_TIMEOUT", "30")
    with pytest.raises(KeyboardInterrupt):
        train_in_processes(2, ["train", "r.toml"])
    assert seen == [2, 0, sys.executable, ("-m", "training", "train", "r.toml")]
