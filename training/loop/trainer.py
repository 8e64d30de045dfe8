"""The training loop: batches in, checkpoints out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.optim.swa_utils import get_ema_multi_avg_fn

from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus
from training.data.loader import StepBatches, load, plans
from training.data.sampler import BatchSampler, Share
from training.loop.distributed import World
from training.loop.interrupt import DeferredInterrupt
from training.loop.optimizer import make_optimizers
from training.loop.progress import TrainingLog
from training.loop.schedule import learning_rate
from training.loop.state import (
    CheckpointError,
    TrainState,
    capture_rng,
    load_latest,
    prune,
    restore_rng,
    save_state,
)
from training.objective.criterion import Criterion
from translator.errors import TranslatorError
from translator.model.transformer import Transformer
from translator.tokens.tokenizer import Tokenizer

DevScorer = Callable[[Mapping[str, Tensor]], dict[str, float]]


class TrainingError(TranslatorError):
    """Training cannot go on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainerInputs:
    """What a trainer works on.

    Attributes:
        model: freshly initialised, or to be fine-tuned.
        tokenizer: gives the special ids.
        train: pairs to learn from.
        dev: pairs whose loss is watched.
        score_dev: translates the dev set with given weights and returns `bleu` and `chrf`.
        shares: how often the parts of `train` are seen; all alike if None.
    """

    model: Transformer
    tokenizer: Tokenizer
    train: EncodedCorpus
    dev: EncodedCorpus
    score_dev: DevScorer
    shares: list[Share] | None = None


class Trainer:
    """Optimises a model until the steps or the time are used up, or the dev score stops rising."""

    def __init__(
        self, inputs: TrainerInputs, config: TrainingConfig, folder: Path, seed: int, world: World
    ) -> None:
        """Prepare, and continue from the newest checkpoint in `folder` if there is one.

        Raises:
            CheckpointError: there are checkpoints, but all are damaged.
        """
        self.config, self.folder, self.inputs, self.world = config, folder, inputs, world
        self.model = inputs.model.to(world.device)
        self.criterion = Criterion(self.model, config)
        self.parallel = world.parallel(self.criterion)
        self.optimizers = make_optimizers(self.model, config, world)
        self.sampler = BatchSampler(
            inputs.train.lengths, config.max_batch_tokens, seed, inputs.shares
        )
        self.state = TrainState()
        self._skipped_in_a_row = 0
        self._clock = time.perf_counter()
        self._spent = 0.0  # share of the time budget, the same for all processes
        self._is_save_due = False  # the same for all processes, too
        self._saved_at_s = 0.0
        torch.manual_seed(seed + world.rank)
        if config.bf16 and not self.criterion.is_bf16:
            self._note("this CPU has no instructions for bfloat16: training in float32")
        self._resume()

    def _resume(self) -> None:
        state, warnings = self.world.from_first(lambda: load_latest(self.folder))
        for warning in warnings:
            self._note(f"{warning}; using an earlier checkpoint")
        if state is None and warnings:
            raise CheckpointError(
                f"{self.folder}: no checkpoint is whole; put a copy back, or delete the folder to "
                "start anew"
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

        Ctrl-C is obeyed after the step in hand, with a checkpoint from which the run continues
        exactly; a second Ctrl-C at once, without one.

        Raises:
            KeyboardInterrupt: after Ctrl-C.
            CheckpointError: a checkpoint could not be written.
            TrainingError: too many steps in a row had no finite gradient.
        """
        steps = self._steps()
        self.model.train()
        self._clock = time.perf_counter()
        log = TrainingLog(self.folder, self.config, is_silent=not self.world.is_first)
        with log, DeferredInterrupt() as interrupt:
            while not self._is_over():
                before = self.state.step
                should_stop = self._step(next(steps), log, interrupt)
                is_due = self.state.step % self.config.checkpoint_every == 0
                if self._is_over() or (is_due and self.state.step > before):
                    self._checkpoint(log)
                elif self._is_save_due and not should_stop:
                    self._save()
                    self._count_time()
                if should_stop or (self.world.count == 1 and interrupt.is_requested):
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
        """Yield what this process reads in each step."""
        config, world = self.config, self.world
        return load(
            self.inputs.train,
            self.inputs.tokenizer,
            plans(self.sampler, config.accumulate, world.rank, world.count),
            multiple_of=8 if world.device.type == "cuda" else 1,
            workers=config.workers,
        )

    def _step(self, step: StepBatches, log: TrainingLog, interrupt: DeferredInterrupt) -> bool:
        """Take one optimizer step, down the gradient of the loss summed over all its target pieces.

        Returns:
            whether some process has been asked to stop.
        """
        started = time.perf_counter()
        mine = sum(batch.num_targets for batch in step.batches)
        seconds = self.state.run_seconds if self.world.is_first else 0.0  # one clock for all
        total, stops, run_seconds = self.world.sum([mine, interrupt.is_requested, seconds])
        budget = self.config.time_budget_s
        self._spent = min(run_seconds / budget, 1.0) if budget else 0.0
        self._is_save_due = 0 < self.config.save_every_s <= run_seconds - self._saved_at_s
        rate = learning_rate(self.state.step + 1, self.config, self._spent if budget else None)
        self.optimizers.set_rate(rate)
        share = self._spent if budget else self.state.step / max(self.config.max_steps, 1)
        self.criterion.rounding.is_on = 1 - share <= self.config.int8_share > 0
        nll = self._accumulate_gradient(step, total)
        norm = torch.nn.utils.clip_grad_norm_(
            self.model.parameters(), self.config.clip_norm or float("inf")
        )
        self.state.epoch, self.state.position = step.epoch, step.position
        if self._is_usable(float(norm), log):
            self.optimizers.step()
            self._update_average()
            self.state.step += 1
            self.state.target_tokens += int(total)
            self.state.train_seconds += time.perf_counter() - started
            log.step(self.state, nll, int(total), rate, float(norm))
        self._count_time()
        return stops > 0

    def _accumulate_gradient(self, step: StepBatches, num_targets: float) -> float:
        """Add up the gradients of all micro-batches; return their summed loss in nats."""
        nll = 0.0
        for number, batch in enumerate(step.batches, start=1):
            is_last = number == len(step.batches)
            with self.world.unsynchronised(self.parallel, is_last):
                loss = self.parallel(batch.to(self.world.device))
                # the mean over processes that DDP takes is made a sum again
                (loss.smoothed * (self.world.count / num_targets)).backward()
            nll += float(loss.nll)
        return self.world.sum([nll])[0]

    def _is_usable(self, norm: float, log: TrainingLog) -> bool:
        """Whether the gradient is finite; if not, it is forgotten, and counted.

        Raises:
            TrainingError: that has happened too often in a row.
        """
        if math.isfinite(norm):
            self._skipped_in_a_row = 0
            return True
        self.optimizers.zero_grad()
        self.state.num_skipped += 1
        self._skipped_in_a_row += 1
        place = f"step {self.state.step + 1}, epoch {self.state.epoch + 1}"
        place += f", batch {self.state.position}"
        log.note(f"{place}: loss or gradient is not finite; skipped ({self.state.num_skipped})")
        if self._skipped_in_a_row >= self.config.max_skipped:
            raise TrainingError(
                f"{place}: {self._skipped_in_a_row} steps in a row had no finite gradient; lower "
                "training.learning_rate, or set training.bf16=false, and run again: it continues "
                "from the last checkpoint"
            )
        return False

    def _update_average(self) -> None:
        if not self.config.ema_decay:
            return
        # a young average follows closely, so that the random start is soon forgotten
        decay = min(self.config.ema_decay, (self.state.step + 1) / (self.state.step + 10))
        current = self.model.state_dict()
        averages = [self.state.ema[name] for name in current]
        average = get_ema_multi_avg_fn(decay)  # type: ignore[no-untyped-call]
        average(averages, list(current.values()), None)

    def _count_time(self) -> None:
        now = time.perf_counter()
        self.state.run_seconds += now - self._clock
        self._clock = now

    def _save(self) -> None:
        self.state.rng = self.world.gather(capture_rng())
        self.state.optimizer = self.optimizers.state_dict()
        if self.world.is_first:
            self.state.model = self.model.state_dict()
            save_state(self.folder, self.state)
            prune(self.folder, self.config.keep_checkpoints, self.state)
        self._saved_at_s = self.state.run_seconds

    def _checkpoint(self, log: TrainingLog) -> None:
        """Score the dev set, and save."""
        self.state.stale_checkpoints = self.world.from_first(lambda: self._score(log))
        self._save()
        self._count_time()

    def _score(self, log: TrainingLog) -> int:
        """Score the dev set; return how many checkpoints ago the score was best."""
        self.state.model = self.model.state_dict()
        rng = capture_rng()
        scores = {**self._dev_figures(), **self.inputs.score_dev(self.state.weights)}
        restore_rng(rng)
        self._judge(scores[self.config.dev_metric])
        log.dev(self.state, scores)
        return self.state.stale_checkpoints

    def _judge(self, score: float) -> None:
        """Note the dev score of this step, and whether it is the best so far."""
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
        found = self.criterion.corpus_figures(self.inputs.dev, self.inputs.tokenizer.bos_id)
        self.model.load_state_dict(current)
        return found
