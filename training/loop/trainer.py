"""The training loop: batches in, checkpoints out."""

from __future__ import annotations

import dataclasses
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus
from training.data.loader import StepBatches, StepPlan, load, plans
from training.data.on_device import DeviceText, Shapes, load_rows
from training.data.sampler import BatchSampler, Share
from training.loop.distributed import World
from training.loop.log import TrainingLog
from training.loop.optimizer import learning_rate, make_optimizers
from training.loop.state import (
    CheckpointError,
    TrainState,
    capture_rng,
    load_latest,
    prune,
    restore_rng,
    save_state,
)
from training.loop.update import Counts, StepNumbers, Update
from training.machine import Handling, handling_of
from training.objective.criterion import Criterion
from translator.errors import TranslatorError
from translator.model.embedding import Embedding
from translator.model.positions import FEW_POSITIONS
from translator.model.transformer import Transformer
from translator.tokens.tokenizer import Tokenizer

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def deferred_interrupt() -> Iterator[threading.Event]:
    """Note the first SIGINT or SIGTERM instead of obeying; a second one acts as always.

    Only the main thread gets signals; in any other this does nothing.
    """
    interrupt = threading.Event()
    is_main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in SIGNALS if is_main}

    def restore() -> None:
        for number, handler in handlers.items():
            signal.signal(number, handler)

    def note(*_: object) -> None:
        interrupt.set()
        restore()

    for number in handlers:
        signal.signal(number, note)
    try:
        yield interrupt
    finally:
        restore()


DevScorer = Callable[[Mapping[str, Tensor]], dict[str, float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainerInputs:
    """What a trainer works on.

    Attributes:
        score_dev: translates the dev set with given weights and returns `bleu` and `chrf`.
        shares: how often the parts of `train` are seen; all alike if None.
    """

    model: Transformer
    tokenizer: Tokenizer
    train: EncodedCorpus
    dev: EncodedCorpus
    score_dev: DevScorer
    shares: list[Share] | None = None

    def shapes(self, config: TrainingConfig) -> Shapes | None:
        """Return the shapes of batches that are gathered on a device.

        There are none if words are split anew each time: their number is known too late. The model
        gets all positions that are met, since to compute them on the way would hold up the device.
        """
        if self.train.is_resampled:
            return None
        tables = [module for module in self.model.modules() if isinstance(module, Embedding)]
        learned = [len(t.position_table) - t.config.position_offset for t in tables if t.is_learned]
        most = min(learned, default=None)
        shapes = Shapes.fitting(self.train.lengths, config.max_batch_tokens, most)
        if shapes.widths[-1] > FEW_POSITIONS:
            for table in tables:
                table.make_positions(shapes.widths[-1])
        return shapes

    def sampler(self, config: TrainingConfig, seed: int, shapes: Shapes | None) -> BatchSampler:
        """Return what chooses the pairs of each batch, in `shapes` if there are any."""
        group = shapes.group if shapes else None
        return BatchSampler(self.train.lengths, config.max_batch_tokens, seed, self.shares, group)

    def steps(
        self,
        step_plans: Iterator[StepPlan],
        device: torch.device,
        shapes: Shapes | None,
        workers: int,
    ) -> Iterator[StepBatches]:
        """Yield the batches of each plan: gathered on the device if they have `shapes`."""
        pad_id, bos_id = self.tokenizer.pad_id, self.tokenizer.bos_id
        if shapes:
            text = DeviceText(self.train, shapes, device, pad_id=pad_id, bos_id=bos_id)
            return load_rows(text, step_plans)
        multiple_of = 1 if device.type == "cpu" else 8
        return load(
            self.train, self.tokenizer, step_plans, multiple_of=multiple_of, workers=workers
        )


class TrainingError(TranslatorError):
    """Training cannot continue."""


class Trainer:
    """Optimises a model until the steps or the time are used up, or the dev score stops rising."""

    def __init__(
        self,
        inputs: TrainerInputs,
        config: TrainingConfig,
        folder: Path,
        seed: int,
        world: World,
        handling: Handling | None = None,
    ) -> None:
        """Prepare, and continue from the newest checkpoint in `folder` if there is one.

        `seed` is for the order of the pairs, and for dropout; `handling` says how steps run on the
        device, by default as suits it.

        Raises:
            CheckpointError: there are checkpoints, but all are damaged.
        """
        self.config, self.folder, self.inputs, self.world = config, folder, inputs, world
        handling = handling or handling_of(world.device, config.cuda_graphs)
        is_recorded = handling.records and world.count == config.accumulate == 1
        self.handling = dataclasses.replace(handling, records=is_recorded)
        self._shapes = inputs.shapes(config) if handling.gathers else None
        self.model = inputs.model.to(world.device)
        self.criterion = Criterion(self.model, config, picks_real=handling.may_wait)
        self.parallel = world.parallel(self.criterion)  # here all processes meet
        self.optimizers = make_optimizers(self.model, config, world, is_recorded)
        self.sampler = inputs.sampler(config, seed, self._shapes)
        self.state = TrainState()
        self._num_unasked = 0
        self._clock = time.perf_counter()
        self._spent = 0.0  # share of the time budget, the same for all processes
        self._is_save_due = False  # the same for all processes, too
        self._saved_at_s = 0.0
        torch.manual_seed(seed + world.rank)
        if config.bf16 and not self.criterion.is_bf16:
            self._note("this CPU has no instructions for bfloat16: training in float32")
        self._resume()
        self.update = Update(
            self.criterion,
            self.parallel,
            self.optimizers,
            config,
            world,
            self.handling,
            self.state.ema,
        )

    def _resume(self) -> None:
        state, warnings = self.world.from_first(lambda: load_latest(self.folder))
        for warning in warnings:
            self._note(f"{warning}; using an earlier checkpoint")
        if state is None and warnings:
            raise CheckpointError(
                f"{self.folder}: no checkpoint is complete; put a copy back, or delete the folder "
                "to start anew"
            )
        if state is not None:
            self.state = state
            self.model.load_state_dict(state.model)
            self.optimizers.load_state_dict(state.optimizer)
            self.sampler.restore(state.epoch, state.position)
            if len(state.rng) == self.world.count:
                restore_rng(state.rng[self.world.rank])
            else:
                self._note(f"saved by {len(state.rng)} processes: other random numbers now")
            self._note(f"continuing from step {state.step}")
        if self.config.ema_decay:
            start = self.state.ema or self.model.state_dict()
            self.state.ema = {
                name: tensor.to(self.world.device, copy=True) for name, tensor in start.items()
            }
        else:
            self.state.ema = {}

    def _note(self, text: str) -> None:
        if self.world.is_first:
            TrainingLog.note(text)

    def train(self) -> TrainState:
        """Run to the end; return the final state.

        Ctrl-C stops after the current step, with a checkpoint from which the run continues exactly.
        A second Ctrl-C stops at once, without a checkpoint.

        Raises:
            KeyboardInterrupt: after Ctrl-C.
            CheckpointError: a checkpoint could not be written.
            TrainingError: too many steps in a row had no finite gradient.
        """
        steps = self._steps()
        self.model.train()
        self._clock = time.perf_counter()
        is_silent = not self.world.is_first
        log = TrainingLog(self.folder, self.config, is_silent=is_silent, begin=self.state)
        with log, deferred_interrupt() as interrupt:
            while not self._is_over():
                before = self.state.step
                should_stop = self._step(next(steps), log, interrupt)
                is_due = self.state.step % self.config.checkpoint_every == 0
                if self._is_over() or (is_due and self.state.step > before):
                    self._checkpoint(log)
                elif self._is_save_due and not should_stop:
                    self._save()
                    self._count_time()
                if should_stop:
                    self._save()
                    self._note(
                        f"interrupted; step {self.state.step} is saved: run again to continue"
                    )
                    raise KeyboardInterrupt
        return self.state

    def _is_over(self) -> bool:
        if 0 < self.config.patience <= self.state.stale_checkpoints:
            return True
        if self.config.time_budget_s:
            return self._spent >= 1
        return 0 < self.config.max_steps <= self.state.step

    def _steps(self) -> Iterator[StepBatches]:
        config, world = self.config, self.world
        step_plans = plans(self.sampler, config.accumulate, world.rank, world.count)
        return self.inputs.steps(step_plans, world.device, self._shapes, config.workers)

    def _step(self, step: StepBatches, log: TrainingLog, interrupt: threading.Event) -> bool:
        """Take a step, and now and then read how the last ones went; return whether to stop."""
        started = time.perf_counter()
        mine = sum(batch.num_targets for batch in step.batches)
        seconds = self.state.run_seconds if self.world.is_first else 0.0  # one clock for all
        total, stops, run_seconds = self.world.sum([mine, interrupt.is_set(), seconds])
        numbers = self._numbers(total, run_seconds)
        self.update.take(step.batches, numbers)
        self.state.epoch, self.state.position = step.epoch, step.position
        self.state.step += 1
        self._num_unasked += 1
        should_stop = stops > 0 or (self.world.count == 1 and interrupt.is_set())
        counts = self._ask(log) if should_stop or self._must_ask() else None
        self.state.train_seconds += time.perf_counter() - started
        if counts is not None and counts.num_targets:
            log.step(self.state, counts.nll, counts.num_targets, numbers.rate, counts.norm)
        self._count_time()
        return should_stop

    def _numbers(self, num_targets: float, run_seconds: float) -> StepNumbers:
        config, step = self.config, self.state.step
        budget = config.time_budget_s
        self._spent = min(run_seconds / budget, 1.0) if budget else 0.0
        self._is_save_due = 0 < config.save_every_s <= run_seconds - self._saved_at_s
        return StepNumbers(
            rate=learning_rate(step + 1, config, self._spent if budget else None),
            num_targets=num_targets,
            # a young average follows closely, so that the random start is soon forgotten
            ema_decay=min(config.ema_decay, (step + 1) / (step + 10)),
        )

    def _must_ask(self) -> bool:
        """Whether the outcome of the steps so far must be known before the next one."""
        is_due = self.state.step % self.config.checkpoint_every == 0
        is_time = self._num_unasked >= self.handling.ask_every
        return is_time or is_due or self._is_save_due or self._is_over()

    def _ask(self, log: TrainingLog) -> Counts:
        """Wait for the device, and read how the steps since the last time went.

        Until then all of them count as taken. So a step after a skipped one may have the learning
        rate of a later step.

        Raises:
            TrainingError: too many in a row had no finite gradient.
        """
        counts = self.update.tally.read()
        self._num_unasked = 0
        last, self.state.step = self.state.step, self.state.step - counts.num_skipped
        self.state.target_tokens += counts.num_targets
        if counts.num_skipped:
            self.state.num_skipped += counts.num_skipped
            self._report_skipped(counts, last, log)
        [nll] = self.world.sum([counts.nll])
        return dataclasses.replace(counts, nll=nll)

    def _report_skipped(self, counts: Counts, last: int, log: TrainingLog) -> None:
        place = f"step {last}, epoch {self.state.epoch + 1}, batch {self.state.position}"
        fault = "loss or gradient is not finite"
        if self.handling.ask_every > 1:
            place = f"before {place}"
            fault = f"loss or gradient of {counts.num_skipped} is not finite"
        log.note(f"{place}: {fault}; skipped ({self.state.num_skipped})")
        if counts.most_in_a_row >= self.config.max_skipped:
            raise TrainingError(
                f"{place}: {counts.most_in_a_row} steps in a row had no finite gradient; lower "
                "training.learning_rate, or set training.bf16=false, and run again: it continues "
                "from the last checkpoint"
            )

    def _count_time(self) -> None:
        now = time.perf_counter()
        self.state.run_seconds += now - self._clock
        self._clock = now

    def _save(self) -> None:
        assert not self._num_unasked, "what is saved must be known to be finite"
        self.state.rng = self.world.gather(capture_rng())
        self.state.optimizer = self.optimizers.state_dict()
        if self.world.is_first:
            self.state.model = self.model.state_dict()
            save_state(self.folder, self.state)
            prune(self.folder, self.config.keep_checkpoints, self.state)
        self._saved_at_s = self.state.run_seconds

    def _checkpoint(self, log: TrainingLog) -> None:
        self.state.stale_checkpoints = self.world.from_first(lambda: self._score(log))
        self._save()
        self._count_time()

    def _score(self, log: TrainingLog) -> int:
        self.state.model = self.model.state_dict()
        rng = capture_rng()
        scores = {**self._dev_figures(), **self.inputs.score_dev(self.state.weights)}
        restore_rng(rng)
        self._judge(scores[self.config.dev_metric])
        log.dev(self.state, scores)
        return self.state.stale_checkpoints

    def _judge(self, score: float) -> None:
        """Record the dev score of this step, and whether it is the best so far."""
        self.state.dev_scores[self.state.step] = score
        if score > self.state.best_score:
            self.state.best_score, self.state.best_step = score, self.state.step
            self.state.stale_checkpoints = 0
        else:
            self.state.stale_checkpoints += 1

    def _dev_figures(self) -> dict[str, float]:
        """Return loss and spread of attention on the dev set, under the averaged weights."""
        current = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        self.model.load_state_dict(self.state.weights)
        figures = self.criterion.corpus_figures(self.inputs.dev, self.inputs.tokenizer.bos_id)
        self.model.load_state_dict(current)
        return figures
