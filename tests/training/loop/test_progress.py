"""The log: means over target pieces, one line at a time, and nothing lost on a restart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from training.config import TrainingConfig
from training.loop.progress import TrainingLog
from training.loop.state import TrainState

TEN_STEPS = TrainingConfig(max_steps=10)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


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


def test_a_line_is_on_disk_before_the_log_is_closed(tmp_path: Path) -> None:
    with TrainingLog(tmp_path, TEN_STEPS, every=1) as log:
        log.step(TrainState(step=1), 1.0, 1, rate=0.1, norm=1.0)
        assert len(lines(tmp_path)) == 1
