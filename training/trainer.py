"""The training loop: batches in, checkpoints out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from training.config import TrainingConfig
from training.consistency import consistency_loss, two_views, weights
from training.data import BatchSampler, EncodedCorpus, TrainBatch, length_buckets, make_batch
from training.interrupt import DeferredInterrupt
from training.loss import LossSum, label_smoothed_loss
from training.optimizer import make_optimizers
from training.progress import TrainingLog
from training.schedule import learning_rate
from training.state import (
    TrainState,
    capture_rng,
    load_latest,
    prune,
    restore_rng,
    save_state,
)
from translator.model.transformer import Transformer
from translator.tokenizer import Tokenizer

DevScorer = Callable[[Mapping[str, Tensor]], dict[str, float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainerInputs:
    """What a trainer works on.

    Attributes:
        model: freshly initialised, or to be fine-tuned.
        tokenizer: gives the special ids.
        train: pairs to learn from.
        dev: pairs whose loss is watched.
        score_dev: translates the dev set with given weights and returns `bleu` and `chrf`.
    """

    model: Transformer
    tokenizer: Tokenizer
    train: EncodedCorpus
    dev: EncodedCorpus
    score_dev: DevScorer


class Trainer:
    """Optimises a model until `max_steps`, or until the dev score stops rising."""

    def __init__(
        self, inputs: TrainerInputs, config: TrainingConfig, folder: Path, seed: int, device: str
    ) -> None:
        """Prepare, and continue from the newest checkpoint in `folder` if there is one."""
        self.config, self.folder, self.inputs = config, folder, inputs
        self.device = torch.device(device)
        self.model = inputs.model.to(self.device)
        self.optimizer = make_optimizers(self.model, config)
        self.sampler = BatchSampler(inputs.train.lengths, config.max_batch_tokens, seed)
        self.state = TrainState()
        torch.manual_seed(seed)
        self._resume()

    def _resume(self) -> None:
        state, warnings = load_latest(self.folder)
        for warning in warnings:
            TrainingLog.note(f"{warning}; using an earlier checkpoint")
        if state is None:
            if self.config.ema_decay:
                self.state.ema = {n: t.clone() for n, t in self.model.state_dict().items()}
            return
        self.state = state
        self.model.load_state_dict(state.model)
        self.optimizer.load_state_dict(state.optimizer)
        self.state.ema = {name: tensor.to(self.device) for name, tensor in state.ema.items()}
        self.sampler.restore(state.epoch, state.position)
        restore_rng(state.rng)
        TrainingLog.note(f"continuing from step {state.step}")

    def train(self) -> TrainState:
        """Run to the end; return the final state.

        Ctrl-C is obeyed after the step in hand, with a checkpoint from which the run continues
        exactly; a second Ctrl-C at once, without one.

        Raises:
            KeyboardInterrupt: after Ctrl-C.
            CheckpointError: a checkpoint could not be written.
        """
        batches = self._batches()
        self.model.train()
        log = TrainingLog(self.folder, self.config.max_steps)
        with log, DeferredInterrupt() as interrupt:
            while self.state.step < self.config.max_steps and not self._is_stale():
                self._step(batches, log)
                is_last = self.state.step == self.config.max_steps
                if is_last or self.state.step % self.config.checkpoint_every == 0:
                    self._checkpoint(log)
                if interrupt.is_requested:
                    self._save()
                    log.note(f"interrupted; step {self.state.step} is saved: run again to continue")
                    raise KeyboardInterrupt
        return self.state

    def _is_stale(self) -> bool:
        return 0 < self.config.patience <= self.state.stale_checkpoints

    def _batches(self) -> Iterator[TrainBatch]:
        tokenizer = self.inputs.tokenizer
        multiple_of = 8 if self.device.type == "cuda" else 1
        for indices in self.sampler:
            pairs = [self.inputs.train[int(i)] for i in indices]
            yield make_batch(pairs, tokenizer.pad_id, tokenizer.bos_id, multiple_of)

    def _step(self, batches: Iterator[TrainBatch], log: TrainingLog) -> None:
        """One optimizer step: the gradient of the summed loss over all its target pieces."""
        started = time.perf_counter()
        micro_batches = [next(batches) for _ in range(self.config.accumulate)]
        num_targets = sum(batch.num_targets for batch in micro_batches)
        rate = learning_rate(self.state.step + 1, self.config)
        self.optimizer.set_rate(rate)
        nll = 0.0
        for batch in micro_batches:
            loss = batch_loss(
                self.model, batch.to(self.device), self.config, self.inputs.tokenizer.unk_id
            )
            (loss.smoothed / num_targets).backward()  # type: ignore[no-untyped-call]
            nll += float(loss.nll)
        norm = torch.nn.utils.clip_grad_norm_(
            self.model.parameters(), self.config.clip_norm or float("inf")
        )
        self.optimizer.step()
        self._update_average()
        self._count(num_targets, time.perf_counter() - started)
        log.step(self.state, nll, num_targets, rate, float(norm))

    def _update_average(self) -> None:
        if not self.config.ema_decay:
            return
        # a young average follows closely, so that the random start is soon forgotten
        decay = min(self.config.ema_decay, (self.state.step + 1) / (self.state.step + 10))
        with torch.no_grad():
            for name, tensor in self.model.state_dict().items():
                self.state.ema[name].lerp_(tensor, 1 - decay)

    def _count(self, num_targets: int, seconds: float) -> None:
        self.state.step += 1
        self.state.epoch, self.state.position = self.sampler.epoch, self.sampler.position
        self.state.target_tokens += num_targets
        self.state.train_seconds += seconds

    def _save(self) -> None:
        self.state.model = self.model.state_dict()
        self.state.optimizer = self.optimizer.state_dict()
        self.state.rng = capture_rng()
        save_state(self.folder, self.state)

    def _checkpoint(self, log: TrainingLog) -> None:
        """Score the dev set, save, and drop what is no longer needed."""
        self.state.model = self.model.state_dict()
        rng = capture_rng()
        scores = {"loss": self._dev_loss(), **self.inputs.score_dev(self.state.weights)}
        restore_rng(rng)
        score = scores[self.config.dev_metric]
        self.state.dev_scores[self.state.step] = score
        if score > self.state.best_score:
            self.state.best_score, self.state.best_step = score, self.state.step
            self.state.stale_checkpoints = 0
        else:
            self.state.stale_checkpoints += 1
        self._save()
        prune(self.folder, self.config.keep_checkpoints, self.state)
        log.dev(self.state, scores)

    def _dev_loss(self) -> float:
        """Return the plain negative log-likelihood a target piece of the dev set, in nats."""
        current = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        self.model.load_state_dict(self.state.weights)
        self.model.eval()
        dev, tokenizer = self.inputs.dev, self.inputs.tokenizer
        order = torch.arange(len(dev)).numpy()
        nll, num_targets = 0.0, 0
        with torch.inference_mode():
            for indices in length_buckets(dev.lengths, self.config.max_batch_tokens, order):
                pairs = [dev[int(i)] for i in indices]
                batch = make_batch(pairs, tokenizer.pad_id, tokenizer.bos_id).to(self.device)
                nll += float(batch_loss(self.model, batch, self.config).nll)
                num_targets += batch.num_targets
        self.model.load_state_dict(current)
        self.model.train()
        return nll / num_targets


def batch_loss(
    model: Transformer, batch: TrainBatch, config: TrainingConfig, unk_id: int = 1
) -> LossSum:
    """Return the summed loss of one micro-batch, in bfloat16 where `config` says so.

    In training mode the consistency loss belongs to it, if `config` asks for it.
    """
    is_twofold = model.training and config.consistency != "none"
    pad_id, weight = model.config.pad_id, model.embedding.weight
    if is_twofold:
        batch = two_views(batch, config.cut, unk_id, pad_id)
    with torch.autocast(batch.src.device.type, torch.bfloat16, enabled=config.bf16):
        memory = model.encode(batch.src, batch.src_mask)
        states = model.decode(batch.tgt_in, memory, batch.src_mask)
        common = {"pad_id": pad_id, "smoothing": config.label_smoothing}
        if not is_twofold:
            return label_smoothed_loss(states, weight, batch.tgt_out, **common)
        parts = weights(config.consistency, config.consistency_weight)
        return consistency_loss(states, weight, batch.tgt_out, **common, parts=parts)
