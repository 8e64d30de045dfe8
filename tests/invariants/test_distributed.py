"""Two processes do what one does: the same gradient, the same replicas, one writer."""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, distributed
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel

from tests.processes import in_two_processes
from tests.toy import toy_pairs
from tests.trainers import toy_trainer
from training.data.encoded import EncodedCorpus, Stream
from training.data.token_store import TokenStore
from training.loop.distributed import World
from training.loop.optimizer import SharedMuon
from training.loop.progress import TrainingLog
from training.loop.shared_memory import SharedMemory, all_are_neighbours
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
            cut._step(batches, log, DeferredNothing())  # type: ignore[arg-type]
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


class DeferredNothing:
    is_requested = False


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
