"""Batches made ahead, in worker processes if wanted, in an order that a checkpoint resumes."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch.utils.data import DataLoader, Dataset

from training.data.encoded import EncodedCorpus, TrainBatch, make_batch
from training.data.sampler import BatchSampler
from translator.tokens.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class StepPlan:
    """Which pairs one process uses in one step.

    Attributes:
        epoch, position: of the sampler, after the step.
        micro_batches: indices of pairs, and a key that no other batch of the run has.
    """

    epoch: int
    position: int
    micro_batches: list[tuple[list[int], str]]


class Batch(Protocol):
    """A micro-batch, wherever it is made."""

    @property
    def num_targets(self) -> int:
        """Real target ids, EOS included."""
        ...

    def to(self, device: torch.device) -> TrainBatch:
        """Return its tensors on `device`."""
        ...


@dataclass(frozen=True, slots=True)
class StepBatches:
    """The micro-batches of one process for one step; `epoch` and `position` as in the plan."""

    epoch: int
    position: int
    batches: Sequence[Batch]


def plans(sampler: BatchSampler, accumulate: int, rank: int, num_ranks: int) -> Iterator[StepPlan]:
    """Yield what process `rank` of `num_ranks` uses in each step, `accumulate` batches at a time.

    A step takes the next `accumulate · num_ranks` batches of the sampler, dealt out in turn.
    """
    stream = iter(sampler)
    while True:
        mine = []
        for number in range(accumulate * num_ranks):
            indices = next(stream)
            if number % num_ranks == rank:
                key = f"{sampler.seed}/{sampler.epoch}/{sampler.position}"
                mine.append((indices.tolist(), key))
        yield StepPlan(sampler.epoch, sampler.position, mine)


class _Batches(Dataset[StepBatches]):
    def __init__(self, corpus: EncodedCorpus, tokenizer: Tokenizer, multiple_of: int) -> None:
        self.corpus, self.multiple_of = corpus, multiple_of
        self.pad_id, self.bos_id = tokenizer.pad_id, tokenizer.bos_id

    def __getitem__(self, plan: StepPlan) -> StepBatches:
        batches = [
            make_batch(self.corpus.pairs(indices, key), self.pad_id, self.bos_id, self.multiple_of)
            for indices, key in plan.micro_batches
        ]
        return StepBatches(plan.epoch, plan.position, batches)


def load(
    corpus: EncodedCorpus,
    tokenizer: Tokenizer,
    step_plans: Iterator[StepPlan],
    *,
    multiple_of: int = 1,
    workers: int = 0,
) -> Iterator[StepBatches]:
    """Yield the batches of each plan, in order; there is no end of plans.

    Widths are rounded up to a multiple of `multiple_of`. So many processes as `workers` make
    batches ahead; with 0, each is made when it is needed.
    """
    loader = DataLoader(
        _Batches(corpus, tokenizer, multiple_of),
        sampler=step_plans,
        batch_size=None,
        num_workers=workers,
        worker_init_fn=_leave_interrupts_alone if workers else None,
        generator=torch.Generator(),  # or it would draw from the one that dropout uses
    )
    return iter(loader)


def _leave_interrupts_alone(_: int) -> None:
    """Leave Ctrl-C to the training process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
