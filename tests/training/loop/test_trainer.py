"""The trainer: what it reads, when it ends, what it tells and keeps."""

from __future__ import annotations

import itertools
import json
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import torch
from torch import Tensor

from tests.streams import write_encoded
from tests.trainers import MakeTrainer, poison
from training.config import TrainingConfig
from training.data.encoded import EncodedCorpus, make_batch
from training.data.loader import plans
from training.data.on_device import RowBatch
from training.data.subword_sampling import SubwordSampler
from training.loop import trainer as trainer_module
from training.loop.log import TrainingLog
from training.loop.optimizer import learning_rate
from training.loop.state import STATE, TrainState, list_checkpoints, load_state
from training.loop.trainer import SIGNALS, Trainer, TrainingError, deferred_interrupt
from translator.model.attention import MultiHeadedAttention
from translator.model.dropout import Dropout
from translator.tokens.tokenizer import Tokenizer


def without_dropout(trainer: Trainer) -> Trainer:
    for module in trainer.model.modules():
        if isinstance(module, Dropout):
            module.probability = 0.0
        elif isinstance(module, MultiHeadedAttention):
            module.dropout = 0.0
    return trainer


def spy_on_clipping(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, list[Tensor]]]:
    """Record every step's gradients before and after they are clipped."""
    seen: list[dict[str, list[Tensor]]] = []
    clip = torch.nn.utils.clip_grad_norm_

    def spy(parameters: Any, *args: Any, **kwargs: Any) -> Tensor:
        kept = [p for p in parameters if p.grad is not None]
        before = [p.grad.clone() for p in kept]
        norm = clip(kept, *args, **kwargs)
        seen.append({"before": before, "after": [p.grad.clone() for p in kept]})
        return norm

    monkeypatch.setattr(torch.nn.utils, "clip_grad_norm_", spy)
    return seen


def norm_of(gradients: list[Tensor]) -> float:
    return float(torch.cat([g.flatten() for g in gradients]).norm())


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def test_a_step_of_several_micro_batches_has_the_gradient_of_one_large_batch(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = spy_on_clipping(monkeypatch)
    without_dropout(make_trainer("parts", max_steps=1, accumulate=3)).train()
    whole = without_dropout(make_trainer("whole"))
    parts = list(itertools.islice(iter(whole.sampler), 3))
    pairs = [whole.inputs.train[int(i)] for part in parts for i in part]
    batch = make_batch(pairs, whole.inputs.tokenizer.pad_id, whole.inputs.tokenizer.bos_id)
    (whole.criterion(batch).smoothed / batch.num_targets).backward()
    expected = [p.grad for p in whole.model.parameters() if p.grad is not None]
    assert len(seen) == 1
    assert len(seen[0]["before"]) == len(expected) > 20
    for mine, theirs in zip(seen[0]["before"], expected, strict=True):
        torch.testing.assert_close(mine, theirs, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("clip_norm", [0.0, 0.01])
def test_the_gradient_is_clipped_unless_clipping_is_off(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch, clip_norm: float
) -> None:
    seen = spy_on_clipping(monkeypatch)
    make_trainer(max_steps=2, clip_norm=clip_norm).train()
    for step in seen:
        before, after = norm_of(step["before"]), norm_of(step["after"])
        assert before > 0.01
        assert after == pytest.approx(clip_norm or before, rel=1e-3)


def test_every_step_runs_at_the_rate_of_its_number(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(max_steps=5, checkpoint_every=1)
    trainer.train()
    for step, path in enumerate(list_checkpoints(trainer.folder), start=1):
        groups = load_state(path).optimizer["adamw"]["param_groups"]
        assert {group["lr"] for group in groups} == {learning_rate(step, trainer.config)}


def test_the_moving_average_follows_its_recursion(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(max_steps=4, checkpoint_every=1, ema_decay=0.25)
    average = {name: tensor.clone() for name, tensor in trainer.model.state_dict().items()}
    trainer.train()
    for step, path in enumerate(list_checkpoints(trainer.folder), start=1):
        state = load_state(path)
        decay = min(0.25, step / (step + 9))  # 1/10, 2/11, 3/12, then 0.25
        for name, tensor in state.model.items():
            average[name] = decay * average[name] + (1 - decay) * tensor
            torch.testing.assert_close(state.ema[name], average[name], atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("ema_decay", [0.0, 0.9])
def test_the_dev_set_is_scored_with_the_weights_that_would_be_served(
    make_trainer: MakeTrainer, ema_decay: float
) -> None:
    trainer = make_trainer(max_steps=4, ema_decay=ema_decay, label_smoothing=0.2)
    given: list[dict[str, Tensor]] = []

    def score(weights: Mapping[str, Tensor]) -> dict[str, float]:
        given.append({name: tensor.clone() for name, tensor in weights.items()})
        return {"bleu": 1.0, "chrf": 2.0}

    trainer.inputs = replace(trainer.inputs, score_dev=score)
    trainer.train()
    state = load_state(list_checkpoints(trainer.folder)[-1])
    expected = state.ema if ema_decay else state.model
    assert given[0].keys() == expected.keys()
    assert all(torch.equal(given[0][name], expected[name]) for name in expected)

    trainer.model.load_state_dict(expected)
    dev, tokenizer = trainer.inputs.dev, trainer.inputs.tokenizer
    batch = make_batch([dev[i] for i in range(len(dev))], tokenizer.pad_id, tokenizer.bos_id)
    with torch.inference_mode():
        plain = trainer.criterion.eval()(batch).nll / batch.num_targets
    line = lines(trainer.folder)[-1]
    assert (line["kind"], line["bleu"], line["chrf"]) == ("dev", 1.0, 2.0)
    assert line["loss"] == pytest.approx(plain.item(), abs=1e-4)


@pytest.mark.parametrize(("metric", "best_step"), [("chrf", 2), ("bleu", 4)])
def test_the_best_checkpoint_is_kept_beside_the_last(
    make_trainer: MakeTrainer, metric: str, best_step: int
) -> None:
    trainer = make_trainer(
        max_steps=10,
        checkpoint_every=2,
        keep_checkpoints=1,
        average_checkpoints=1,
        dev_metric=metric,
    )
    chrf, bleu = iter([9.0, 8.0, 7.0, 6.0, 5.0]), iter([1.0, 3.0, 2.0, 3.0, 0.0])
    trainer.inputs = replace(
        trainer.inputs, score_dev=lambda weights: {"chrf": next(chrf), "bleu": next(bleu)}
    )
    state = trainer.train()
    assert (state.best_step, state.best_score) == (best_step, 9.0 if metric == "chrf" else 3.0)
    assert [load_state(p).step for p in list_checkpoints(trainer.folder)] == [best_step, 10]


def test_patience_survives_a_restart(make_trainer: MakeTrainer) -> None:
    make_trainer(max_steps=6, checkpoint_every=2).train()  # best at step 2, two without progress
    resumed = make_trainer(max_steps=100, checkpoint_every=2, patience=3)
    assert resumed.state.stale_checkpoints == 2
    assert resumed.train().step == 8
    assert make_trainer(max_steps=100, checkpoint_every=2, patience=3).train().step == 8


def test_a_damaged_checkpoint_costs_steps_but_no_accuracy(
    make_trainer: MakeTrainer, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = make_trainer("whole")
    whole.train()
    damaged = list_checkpoints(whole.folder)[-1] / STATE
    damaged.write_bytes(damaged.read_bytes()[:1000])
    resumed = make_trainer("whole")
    assert resumed.state.step == 8
    shown = capsys.readouterr().out
    assert "step-0000012/state.pt: truncated or altered" in shown
    assert "using an earlier checkpoint" in shown
    assert "continuing from step 8" in shown
    resumed.train()
    for name, tensor in whole.model.state_dict().items():
        assert torch.equal(resumed.model.state_dict()[name], tensor), name


def test_the_books_count_real_targets_and_whole_epochs(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(max_steps=1)
    num_batches = len(list(trainer.sampler.batches(0)))
    state = make_trainer("epoch", max_steps=num_batches, checkpoint_every=1000).train()
    assert state.target_tokens == int(trainer.inputs.train.lengths[1].sum())
    assert (state.epoch, state.position) == (0, num_batches)
    assert state.train_seconds > 0


def test_a_run_that_is_done_does_nothing_more(make_trainer: MakeTrainer, tmp_path: Path) -> None:
    make_trainer(max_steps=4).train()
    files = {p: p.stat().st_mtime_ns for p in (tmp_path / "checkpoints").glob("step-*/*")}
    again = make_trainer(max_steps=4)
    assert again.train().step == 4
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "checkpoints").glob("step-*/*")} == files


def test_a_step_without_a_finite_gradient_is_skipped(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    poison(monkeypatch, {2})
    trainer = make_trainer(max_steps=6, checkpoint_every=1)
    state = trainer.train()
    assert (state.step, state.num_skipped, state.position) == (6, 1, 7)
    assert "step 3, epoch 1, batch 3: loss or gradient is not finite; skipped (1)" in (
        capsys.readouterr().out
    )
    for checkpoint in map(load_state, list_checkpoints(trainer.folder)):
        [rate] = {group["lr"] for group in checkpoint.optimizer["adamw"]["param_groups"]}
        assert rate == learning_rate(checkpoint.step, trainer.config), "the schedule stands still"
    steps = {int(s["step"]) for s in state.optimizer["adamw"]["state"].values()}
    assert steps == {6}, "the optimizer has not seen the step"


def test_too_many_of_them_end_the_run(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison(monkeypatch, {1, 3, 4, 5})
    trainer = make_trainer(max_steps=9, max_skipped=3)
    with pytest.raises(TrainingError, match=r"step 3, .*batch 6: 3 steps in a row .*learning_rate"):
        trainer.train()


def test_a_time_budget_ends_the_run_at_rate_zero(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    trainer = make_trainer(max_steps=3, time_budget="2m", checkpoint_every=1000)
    rates: list[float] = []
    monkeypatch.setattr(trainer.optimizers, "set_rate", rates.append)
    state = trainer.train()
    assert state.step > 3, "time counts, not steps"
    assert 120 <= state.run_seconds < 160
    assert rates[-1] == 0.0
    assert max(rates) == max(rates[:5])
    falling = rates[5:]
    assert falling == sorted(falling, reverse=True)


def test_a_time_budget_counts_all_sittings(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    first = make_trainer(max_steps=10, checkpoint_every=1000).train()
    assert 0 < first.run_seconds < 100
    second = make_trainer(time_budget="2m", checkpoint_every=1000).train()
    assert 120 <= second.run_seconds < 160
    assert second.step > first.step


def test_a_run_is_saved_between_checkpoints(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    whole = make_trainer("whole", checkpoint_every=12).train()
    trainer = make_trainer("killed", checkpoint_every=12, save_every="10s")
    step, saved = trainer._step, [list_checkpoints(trainer.folder)]

    def killed_in_step_9(*arguments: Any) -> bool:
        if trainer.state.step == 9:
            raise MemoryError
        saved.append(list_checkpoints(trainer.folder))
        return step(*arguments)

    monkeypatch.setattr(trainer, "_step", killed_in_step_9)
    with pytest.raises(MemoryError):
        trainer.train()
    assert all(len(paths) <= 1 for paths in saved), "a newer one takes the place of the older"
    steps = [int(path.name[5:]) for [path] in filter(None, saved)]
    assert 3 <= min(steps) < max(steps) < 9
    weights = make_trainer("killed", checkpoint_every=12).train().weights
    assert all(torch.equal(weights[name], whole.weights[name]) for name in weights)


def test_a_run_is_not_saved_between_checkpoints_if_it_should_not_be(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count(step=1000)
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    saved = Mock()
    monkeypatch.setattr(trainer_module, "save_state", saved)
    make_trainer(max_steps=8, checkpoint_every=8, save_every="").train()
    saved.assert_called_once()


def test_the_moving_average_may_be_switched_on_later(make_trainer: MakeTrainer) -> None:
    make_trainer(max_steps=4, ema_decay=0.0).train()
    resumed = make_trainer(max_steps=8, ema_decay=0.9)
    start = {name: tensor.clone() for name, tensor in resumed.model.state_dict().items()}
    assert all(torch.equal(resumed.state.ema[name], start[name]) for name in start)
    assert resumed.train().ema


def test_a_run_without_an_end_has_a_constant_rate_until_something_else_ends_it(
    make_trainer: MakeTrainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = make_trainer(max_steps=0, schedule="wsd", decay_share=0.0, patience=2)
    rates: list[float] = []
    monkeypatch.setattr(trainer.optimizers, "set_rate", rates.append)
    assert trainer.train().step == 12, "dev scores do not rise after the first checkpoint"
    assert set(rates[3:]) == {trainer.config.learning_rate}


def test_evaluation_leaves_no_trace(make_trainer: MakeTrainer) -> None:
    rare = make_trainer("rare", checkpoint_every=12)
    rare.train()
    frequent = make_trainer("frequent", checkpoint_every=3)
    frequent.train()
    ours, theirs = rare.model.state_dict(), frequent.model.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


CPU = torch.device("cpu")


def test_with_shapes_the_same_pairs_are_gathered(make_trainer: MakeTrainer) -> None:
    trainer = make_trainer(max_batch_tokens=300)
    inputs, config = trainer.inputs, trainer.config
    shapes = inputs.shapes(config)
    assert shapes is not None
    sampler = inputs.sampler(config, 1, shapes)
    [first, *_] = inputs.sampler(config, 1, shapes).batches(0)
    step = next(inputs.steps(plans(sampler, 1, 0, 1), CPU, shapes, 0))
    assert isinstance(step.batches[0], RowBatch)
    assert step.batches[0].num_targets == inputs.train.lengths[1, first].sum()
    assert step.batches[0].to(CPU).src.shape == shapes.of(inputs.train.lengths[:, first])


def test_words_that_are_split_anew_have_no_shapes(
    make_trainer: MakeTrainer, tokenizer: Tokenizer
) -> None:
    trainer = make_trainer()
    corpus = trainer.inputs.train
    sampler = SubwordSampler(tokenizer, unigram_alpha=0.2)
    resampled = EncodedCorpus(corpus.streams, corpus.eos_id, sampler)
    assert replace(trainer.inputs, train=resampled).shapes(trainer.config) is None


def test_positions_of_the_widest_shape_are_there_beforehand(
    make_trainer: MakeTrainer, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    sides = {"de": ["x " * 700], "en": ["y"]}
    corpus = write_encoded(tmp_path / "long", tokenizer, sides, ["de-en"])
    trainer = make_trainer()
    model = trainer.inputs.model
    before = model.embedding.positions(900).clone()
    shapes = replace(trainer.inputs, train=corpus).shapes(trainer.config)
    assert shapes is not None
    assert len(model.embedding.position_table) == shapes.widths[-1] > 700
    assert torch.equal(model.embedding.positions(900), before)


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    """Let Ctrl-C interrupt, as it does where the tests do not run in the background."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_is_only_noted(number: signal.Signals) -> None:
    before = [signal.getsignal(each) for each in SIGNALS]
    with deferred_interrupt() as interrupt:
        assert not interrupt.is_set()
        signal.raise_signal(number)
        assert interrupt.is_set()
    assert [signal.getsignal(each) for each in SIGNALS] == before


def test_the_second_one_interrupts_at_once() -> None:
    with deferred_interrupt() as interrupt:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert interrupt.is_set()


def test_handlers_are_put_back_after_an_error() -> None:
    before = [signal.getsignal(each) for each in SIGNALS]
    with pytest.raises(RuntimeError), deferred_interrupt():
        raise RuntimeError
    assert [signal.getsignal(each) for each in SIGNALS] == before


def test_in_another_thread_nothing_is_noted() -> None:
    found: list[object] = []

    def enter() -> None:
        with deferred_interrupt() as interrupt:
            found.extend([interrupt.is_set(), signal.getsignal(signal.SIGINT)])

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == [False, before]


TEN_STEPS = TrainingConfig(max_steps=10)


def test_the_loss_is_a_mean_over_pieces_and_not_over_steps(tmp_path: Path) -> None:
    with TrainingLog(tmp_path, TEN_STEPS, every=2) as log:
        for step, (nll, count) in enumerate([(30.0, 10), (10.0, 30), (5.0, 5), (5.0, 5)], start=1):
            log.step(TrainState(step=step, epoch=3), nll, count, rate=0.1 * step, norm=2.5)
    first, second = lines(tmp_path)
    assert (first["kind"], first["step"], first["epoch"]) == ("train", 2, 3)
    assert (first["loss"], first["rate"], first["grad_norm"]) == (1.0, 0.2, 2.5)
    assert first["tokens_per_s"] > 0
    assert (second["step"], second["loss"]) == (4, 1.0)


def test_dev_scores_are_logged_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with TrainingLog(tmp_path, TEN_STEPS) as log:
        log.dev(TrainState(step=4, best_step=4), {"loss": 2.0, "bleu": 30.5})
        log.dev(TrainState(step=8, best_step=4), {"loss": 1.0, "bleu": 29.5})
    assert [(line["kind"], line["step"], line["bleu"]) for line in lines(tmp_path)] == [
        ("dev", 4, 30.5),
        ("dev", 8, 29.5),
    ]
    shown = capsys.readouterr().out
    assert "step 4 · dev loss 2.000 · bleu 30.500 · best" in shown
    assert "step 8 · dev loss 1.000 · bleu 29.500\n" in shown


def test_a_second_sitting_appends_and_curves_are_written(tmp_path: Path) -> None:
    for step in (1, 2):
        with TrainingLog(tmp_path, TEN_STEPS, every=1) as log:
            log.step(TrainState(step=step), 1.0, 1, rate=0.1, norm=1.0)
    assert [line["step"] for line in lines(tmp_path)] == [1, 2]
    assert len(list((tmp_path / "tensorboard").glob("events.*"))) >= 1


@pytest.mark.parametrize(
    ("config", "shown"),
    [
        (TEN_STEPS, "4/10 steps, 00:00 so far"),
        (TrainingConfig(max_steps=10, time_budget="3m"), "108/180 s, 00:00 so far"),
    ],
)
def test_the_bar_of_a_sitting_begins_where_the_last_one_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], config: TrainingConfig, shown: str
) -> None:
    state = TrainState(step=4, run_seconds=108.2)
    with TrainingLog(tmp_path, config, begin=state):
        pass
    first, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith(shown)


def test_a_line_is_on_disk_before_the_log_is_closed(tmp_path: Path) -> None:
    with TrainingLog(tmp_path, TEN_STEPS, every=1) as log:
        log.step(TrainState(step=1), 1.0, 1, rate=0.1, norm=1.0)
        assert len(lines(tmp_path)) == 1
