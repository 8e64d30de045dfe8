"""Training on a GPU: target pieces a second from the start on, eager, recorded and compiled.

Text is made up from a seed: random pieces in sentences as long as those of news and subtitles. A
row begins with a fresh model. `from the start` counts from the first line of the row on, the model
made, text copied, shapes recorded and layers compiled within it; `then` is the second half of its
time. Synchronisations are those that PyTorch sees in twenty steps, without the one that asks how
they went. On a CPU a tiny model shows that everything works.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.autograd.profiler_util import FunctionEvent
from torch.profiler import ProfilerActivity, profile

from tests.benchmarks.arguments import print_header, print_row
from tests.benchmarks.decoding.subject import FORMS
from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus, Stream, TokenStore
from training.data.loader import StepBatches, plans
from training.data.on_device import DeviceText, Shapes, load_rows
from training.data.sampler import BatchSampler
from training.loop.distributed import World
from training.loop.optimizer import learning_rate, make_optimizers
from training.loop.update import StepNumbers, Update
from training.machine import STEPS_UNASKED, Handling, prepare
from training.objective.criterion import Criterion
from translator.config import ModelConfig
from translator.model.transformer import make_model

PAD, EOS, BOS, TAG, FIRST_PIECE = 0, 3, 2, 4, 5
SEED = 1
NUM_WATCHED, NUM_PROFILED = 20, 3  # steps; to read many of a GPU's events takes long
LAUNCHING = ("cudaLaunch", "cuLaunch", "cudaGraphLaunch")
SYNCHRONISING = ("aten::_local_scalar_dense", "aten::nonzero", "aten::masked_select")
"""Operations for which the CPU would wait for a GPU."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sizes:
    """Of the model, the text and a step; `seconds` is how long rows take."""

    model: ModelConfig
    num_pairs: int
    max_batch_tokens: int
    seconds: dict[str, float]


FULL = Sizes(
    model=FORMS["d512"],
    num_pairs=300_000,
    max_batch_tokens=32_768,
    seconds={"eager": 15.0, "graphs": 15.0, "graphs, compiled": 50.0},
)
TINY = Sizes(
    model=ModelConfig(
        vocab_size=500,
        d_model=32,
        d_ff=64,
        num_heads=2,
        num_encoder_layers=1,
        num_decoder_layers=1,
        pad_id=PAD,
    ),
    num_pairs=2_000,
    max_batch_tokens=1_024,
    seconds={"eager": 5.0},
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this part is told."""
    parser.add_argument(
        "--training-seconds", type=float, help="of each row; by default 15 to 50, 5 on a CPU"
    )


def run(options: argparse.Namespace) -> None:
    """Measure, and print a table."""
    device = torch.device(options.device)
    sizes = TINY if device.type == "cpu" else FULL
    prepare(device)
    with tempfile.TemporaryDirectory() as folder:
        corpus = made_up(Path(folder), sizes)
        print_header(
            *("", "first step after", "target pieces a second, from the start", "then"),
            *("launches a step", f"synchronisations in {NUM_WATCHED} steps", "memory"),
        )
        for name, seconds in sizes.seconds.items():
            row = Row(corpus, sizes, device, name)
            row.measure(options.training_seconds or seconds)
            del row
            gc.collect()
            if device.type == "cuda":
                torch.cuda.empty_cache()
                torch.cuda.reset_peak_memory_stats()
    if device.type == "cpu":
        print("\nOn a CPU there are no graphs to record; `launches` are operations of PyTorch.")


class Row:
    """One way to train, measured."""

    def __init__(
        self, corpus: EncodedCorpus, sizes: Sizes, device: torch.device, name: str
    ) -> None:
        """Make a model, and copy the text to the device."""
        self.started_s = time.perf_counter()
        self.name, self.device = name, device
        self.config = TrainingConfig(
            max_steps=100_000,
            max_batch_tokens=sizes.max_batch_tokens,
            optimizer="muon",
            ema_decay=0.998,
            compile="compiled" in name,
        )
        handling = Handling(
            ask_every=STEPS_UNASKED, gathers=True, records=name.startswith("graphs")
        )
        torch.manual_seed(SEED)
        model = make_model(sizes.model).to(device).train()
        criterion = Criterion(model, self.config, picks_real=handling.may_wait)
        world = World(device)
        optimizers = make_optimizers(model, self.config, world, handling.records)
        ema = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        self.update = Update(criterion, criterion, optimizers, self.config, world, handling, ema)
        self.steps = steps_of(corpus, sizes.max_batch_tokens, device)
        self.num_steps = 0

    def take(self) -> None:
        """Take a step."""
        step = next(self.steps)
        self.num_steps += 1
        numbers = StepNumbers(
            rate=learning_rate(self.num_steps, self.config),
            num_targets=sum(batch.num_targets for batch in step.batches),
            ema_decay=self.config.ema_decay,
        )
        self.update.take(step.batches, numbers)

    def measure(self, seconds: float) -> None:
        """Train for so long, watch some steps, and print the row."""
        self.take()
        num_targets = self.update.tally.read().num_targets
        first_s = time.perf_counter() - self.started_s
        marks = [(first_s, num_targets)]
        while len(marks) < 3 or marks[-1][0] < seconds:
            for _ in range(STEPS_UNASKED if self.device.type == "cuda" else 5):
                self.take()
            counts = self.update.tally.read()
            assert not counts.num_skipped
            num_targets += counts.num_targets
            marks.append((time.perf_counter() - self.started_s, num_targets))
        end_s, total = marks[-1]
        middle_s, before = max((mark for mark in marks if mark[0] <= end_s / 2), default=marks[0])
        num_launches, num_waits = self.watched()
        memory = torch.cuda.max_memory_allocated() / 1e9 if self.device.type == "cuda" else 0.0
        print_row(
            self.name,
            f"{first_s:.1f} s",
            f"{total / end_s:,.0f}",
            f"{(total - before) / (end_s - middle_s):,.0f}",
            f"{num_launches:,.0f}",
            num_waits,
            f"{memory:.1f} GB" if memory else "-",
        )

    def watched(self) -> tuple[float, int]:
        """Return launches a step, and how often the CPU waited in some steps."""
        is_cuda = self.device.type == "cuda"
        activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if is_cuda else [])]
        with profile(activities=activities, acc_events=True) as recorded:
            for _ in range(NUM_PROFILED if is_cuda else NUM_WATCHED):
                self.take()
        events = recorded.events() or []
        if not is_cuda:
            waits = sum(map(is_question, events))
            return sum(map(is_operation, events)) / NUM_WATCHED, waits
        launched = sum(event.name.startswith(LAUNCHING) for event in events) / NUM_PROFILED
        torch.cuda.set_sync_debug_mode("warn")
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            for _ in range(NUM_WATCHED):
                self.take()
        torch.cuda.set_sync_debug_mode("default")
        return launched, sum("synchroniz" in str(one.message) for one in found)


def is_operation(event: FunctionEvent) -> bool:
    """Whether an event is an operation that calls no other one."""
    return event.name.startswith("aten::") and not event.cpu_children


def is_question(event: FunctionEvent) -> bool:
    """Whether an operation on a CPU is one that would wait for a GPU.

    AdamW's own kernel for CPUs reads numbers that its kernel for GPUs leaves where they are.
    """
    if event.name not in SYNCHRONISING:
        return False
    parent = event.cpu_parent
    while parent is not None and parent.name != "aten::_fused_adamw_":
        parent = parent.cpu_parent
    return parent is None


def made_up(folder: Path, sizes: Sizes) -> EncodedCorpus:
    """Return pairs of random pieces; a target is about as long as its source."""
    generator = np.random.default_rng(SEED)
    source = np.clip(generator.gamma(2.2, 11.0, sizes.num_pairs), 3, 240)
    target = np.clip(source * generator.lognormal(0.0, 0.2, sizes.num_pairs), 3, 240)
    for side, lengths in (("source", source), ("target", target)):
        ends = np.cumsum(lengths.astype(np.int64))
        ids = generator.integers(FIRST_PIECE, sizes.model.vocab_size, ends[-1]).tolist()
        starts = [0, *ends[:-1].tolist()]
        TokenStore.write(
            folder / side, (ids[a:b] for a, b in zip(starts, ends.tolist(), strict=True))
        )
    stream = Stream(
        source=TokenStore(folder / "source"), target=TokenStore(folder / "target"), tag_ids=(TAG,)
    )
    return EncodedCorpus([stream], EOS)


def steps_of(
    corpus: EncodedCorpus, max_batch_tokens: int, device: torch.device
) -> Iterator[StepBatches]:
    """Yield batches as the trainer reads them on a GPU."""
    shapes = Shapes.fitting(corpus.lengths, max_batch_tokens)
    text = DeviceText(corpus, shapes, device, pad_id=PAD, bos_id=BOS)
    sampler = BatchSampler(corpus.lengths, max_batch_tokens, SEED, group=shapes.group)
    return load_rows(text, plans(sampler, 1, 0, 1))
