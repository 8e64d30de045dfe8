"""What a run left in its folder is read, whatever is missing or damaged."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from training.config import TrainingConfig
from training.loop.progress import TrainingLog
from training.loop.state import TrainState
from training.report.record import RunLog, mapping, read_record


def test_an_empty_folder_lacks_everything(tmp_path: Path) -> None:
    record = read_record(tmp_path)
    assert (record.recipe, record.card) == ({}, {})
    assert [what.split(" (")[0] for what in record.missing] == [
        *("the recipe", "the course of training", "what cleaning dropped", "test scores"),
        "the card of the exported model",
    ]


def test_what_is_there_is_read(tmp_path: Path) -> None:
    for folder in ("checkpoints", "scores", "model", "data"):
        (tmp_path / folder).mkdir()
    (tmp_path / "recipe.toml").write_text('name = "toy"\n')
    line = {"kind": "train", "step": 2, "loss": 1.0, "tokens_per_s": 10.0, "train_seconds": 3.0}
    (tmp_path / "checkpoints" / "log.jsonl").write_text(json.dumps(line) + "\n{half\n")
    (tmp_path / "scores" / "scores.json").write_text('{"a": {"bleu": 1.0}, "b": 3}')
    (tmp_path / "model" / "card.json").write_text('{"training": {"target_tokens": 7}}')
    (tmp_path / "data" / "report.json").write_text("[]")
    record = read_record(tmp_path)
    assert (record.name, record.target_tokens) == ("toy", 7)
    assert record.scores == {"a": {"bleu": 1.0}}
    assert record.missing == (
        "log.jsonl has damaged lines, left out here: 1",
        "training is not finished: what follows is how it stands",
        "dev scores: there has been no checkpoint yet",
        "what cleaning dropped (data/report.json: is not a JSON object)",
    )


def test_without_a_card_the_target_tokens_are_estimated(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    line = {"kind": "train", "step": 2, "tokens_per_s": 10.0, "train_seconds": 3.0}
    (tmp_path / "checkpoints" / "log.jsonl").write_text(json.dumps(line) + "\n")
    assert read_record(tmp_path).target_tokens == pytest.approx(30.0)


@pytest.mark.parametrize("value", [None, 3, "a", [1]])
def test_what_is_no_table_counts_as_an_empty_one(value: object) -> None:
    assert mapping(value) == {}


def rows(*lines: dict[str, object]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def train(step: int, loss: float, epoch: int = 0) -> dict[str, object]:
    return {"kind": "train", "step": step, "epoch": epoch, "loss": loss, "train_seconds": step}


def dev(step: int, **scores: float) -> dict[str, object]:
    return {"kind": "dev", "step": step, "epoch": 0, "train_seconds": step, **scores}


def test_what_the_trainer_writes_is_read_back(tmp_path: Path) -> None:
    with TrainingLog(tmp_path, TrainingConfig(max_steps=4), every=2) as log:
        for step in (1, 2, 3, 4):
            state = TrainState(step=step, epoch=step // 3, train_seconds=2.0 * step)
            log.step(state, 6.0, 3, rate=0.1, norm=0.5)
        log.dev(state, {"loss": 1.5, "bleu": 30.0, "chrf": 50.0})
    read = RunLog.parse((tmp_path / "log.jsonl").read_text())
    assert read.num_damaged == 0
    assert read.measured("train") == ["loss", "tokens_per_s", "rate", "grad_norm", "skipped"]
    assert read.measured("dev") == ["loss", "bleu", "chrf"]
    assert (read.curve("train", "loss").steps, read.curve("train", "loss").values) == (
        [2, 4],
        [2.0, 2.0],
    )
    assert read.lines[-1].train_seconds == 8.0
    assert read.epoch_starts() == [(1, 2), (2, 4)]


def test_a_resumed_run_undoes_the_steps_it_repeats() -> None:
    before = rows(train(2, 9.0), dev(2, bleu=1.0), train(4, 8.0), dev(4, bleu=2.0), train(6, 7.0))
    resumed = RunLog.parse(before + rows(train(4, 8.5), dev(4, bleu=2.5)))
    assert [(line.kind, line.step) for line in resumed.lines] == [
        ("train", 2),
        ("dev", 2),
        ("train", 4),
        ("dev", 4),
    ]
    assert resumed.curve("train", "loss").values == [9.0, 8.5]
    assert resumed.curve("dev", "bleu").values == [1.0, 2.5]


def test_a_line_of_a_later_step_keeps_what_was_before() -> None:
    read = RunLog.parse(rows(train(2, 9.0), dev(2, bleu=1.0), train(3, 8.0)))
    assert [line.step for line in read.lines] == [2, 2, 3]


@pytest.mark.parametrize(
    "damaged", ['{"kind": "train", "st', "[]", '{"step": 4}', '{"kind": "dev", "step": null}', "3"]
)
def test_damaged_lines_are_counted_and_left_out(damaged: str) -> None:
    read = RunLog.parse(rows(train(2, 9.0)) + damaged)
    assert read.num_damaged == 1
    assert [line.step for line in read.lines] == [2]


def test_unknown_kinds_and_odd_values_do_no_harm() -> None:
    skipped: dict[str, object] = {"kind": "skipped", "step": 1, "reason": "not finite"}
    odd = train(4, math.nan) | {"note": "text", "rate": 0.5, "nested": {"loss": 1.0}}
    read = RunLog.parse(rows(train(2, 9.0), skipped, odd))
    assert read.num_damaged == 0
    assert [line.step for line in read.lines] == [2, 4]
    assert read.curve("train", "loss").steps == [2]
    assert read.measured("train") == ["loss", "rate"]


def test_the_best_is_the_lowest_loss_and_the_highest_score() -> None:
    read = RunLog.parse(
        rows(dev(2, loss=3.0, chrf=40.0), dev(4, loss=2.0, chrf=50.0), dev(6, loss=2.5, chrf=50.0))
    )
    assert read.best_on_dev("loss") == (2.0, 4)
    assert read.best_on_dev("chrf") == (50.0, 4)


def test_target_tokens_follow_from_speed_and_time() -> None:
    fast = train(2, 9.0) | {"tokens_per_s": 100.0, "train_seconds": 10.0}
    slow = train(4, 9.0) | {"tokens_per_s": 50.0, "train_seconds": 30.0}
    assert RunLog.parse(rows(fast, slow)).target_tokens() == 100 * 10 + 50 * 20
