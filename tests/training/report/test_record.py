"""What a run left in its folder is read leniently, and its pictures are drawn."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from PIL import Image, ImageColor

from training.config import TrainingConfig
from training.loop.log import TrainingLog
from training.loop.state import TrainState
from training.report.plots import (
    BLUE,
    ORANGE,
    plot_dev_scores,
    plot_loss,
    plot_optimization,
    plot_sentences,
    running_mean,
)
from training.report.record import (
    RunLog,
    list_parts,
    read_record,
    read_sentences,
    score_sentences,
    selections,
)
from translator.errors import InputError


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
    curve = read.curve("train", "loss")
    assert (curve.steps, curve.values) == ([2, 4], [2.0, 2.0])
    assert read.lines[-1].train_seconds == 8.0
    assert read.epoch_starts() == [(1, 2), (2, 4)]


def test_a_resumed_run_undoes_the_steps_it_repeats() -> None:
    before = rows(train(2, 9.0), dev(2, bleu=1.0), train(4, 8.0), dev(4, bleu=2.0), train(6, 7.0))
    resumed = RunLog.parse(before + rows(train(4, 8.5), dev(4, bleu=2.5)))
    found = [(line.kind, line.step) for line in resumed.lines]
    assert found == [("train", 2), ("dev", 2), ("train", 4), ("dev", 4)]
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


def write(folder: Path, **sides: list[str]) -> None:
    for side, lines in sides.items():
        suffix = "" if side == "hyp" else f".{side}"
        (folder / f"toy.test.de-en{suffix}.txt").write_text("".join(line + "\n" for line in lines))


def test_a_part_is_read_line_by_line(tmp_path: Path) -> None:
    write(tmp_path, src=["ein Hund", "zwei"], ref=["a dog", "two"], hyp=["a dog", ""])
    (tmp_path / "scores.json").write_text("{}")
    assert list_parts(tmp_path) == ["toy.test.de-en"]
    first, second = read_sentences(tmp_path, "toy.test.de-en")
    found = (first.line, first.source, first.reference, first.hypothesis)
    assert found == (1, "ein Hund", "a dog", "a dog")
    assert first.chrf == pytest.approx(100.0)
    assert first.length_ratio == 1.0
    assert (second.line, second.chrf, second.length_ratio) == (2, 0.0, 0.0)


def test_sides_that_are_not_aligned_are_refused(tmp_path: Path) -> None:
    write(tmp_path, src=["eins", "zwei"], ref=["one", "two"], hyp=["one"])
    with pytest.raises(InputError, match="2 sources, 2 references and 1 translations are not"):
        read_sentences(tmp_path, "toy.test.de-en")


def test_selections_take_the_extremes_and_longer_ones_among_equals() -> None:
    sources = ["aaa", "b" * 20, "c" * 10, "d" * 12]
    references = ["one", "a tall tree", "dog", "the black cat"]
    hypotheses = ["one", "a tall tree", "a dog and a dog and a dog", "q"]
    chosen = selections(score_sentences(sources, references, hypotheses), 2)
    assert {reason: [s.line for s in sentences] for reason, sentences in chosen.items()} == {
        "Worst by chrF": [4, 3],
        "Best by chrF": [2, 1],
        "Longest": [2, 4],
        "Most shortened": [4, 2],
        "Most lengthened": [3, 2],
    }


def log(*lines: dict[str, object]) -> RunLog:
    return RunLog.parse(rows(*lines))


def train_line(step: int, **values: float) -> dict[str, object]:
    return {"kind": "train", "step": step, "epoch": step // 3, **values}


def shows(path: Path, colour: str) -> bool:
    wanted = ImageColor.getrgb(colour)
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        assert picture.width == 880
        colours = picture.convert("RGB").getcolors(maxcolors=1000) or []
    return any(
        max(abs(a - b) for a, b in zip(rgb, wanted, strict=True)) < 12
        for _, rgb in colours
        if isinstance(rgb, tuple)
    )


def test_the_loss_of_train_and_dev_is_drawn(tmp_path: Path) -> None:
    lines = [train_line(step, loss=9.0 / step) for step in range(1, 9)]
    plot_loss(log(*lines), tmp_path / "train.png")
    assert shows(tmp_path / "train.png", BLUE)
    assert not shows(tmp_path / "train.png", ORANGE)
    plot_loss(log(*lines, {"kind": "dev", "step": 8, "loss": 2.0}), tmp_path / "both.png")
    assert shows(tmp_path / "both.png", ORANGE)
    assert (tmp_path / "both.png").stat().st_size < 60_000


def test_every_dev_score_has_a_panel(tmp_path: Path) -> None:
    run = log(
        {"kind": "dev", "step": 1, "bleu": 1.0, "new": 1.0},
        {"kind": "dev", "step": 2, "bleu": 2.0, "new": 1.0},
    )
    plot_dev_scores(run, ["bleu"], tmp_path / "one.png")
    plot_dev_scores(run, ["bleu", "new"], tmp_path / "two.png")
    with Image.open(tmp_path / "one.png") as one, Image.open(tmp_path / "two.png") as two:
        assert two.height > 1.6 * one.height


def test_optimization_shows_what_was_measured(tmp_path: Path) -> None:
    lines = [train_line(s, rate=1e-3, grad_norm=s**3, tokens_per_s=4000.0 + s) for s in range(1, 5)]
    plot_optimization(log(*lines), tmp_path / "all.png")
    plot_optimization(log(train_line(1, rate=1e-3)), tmp_path / "rate.png")
    with Image.open(tmp_path / "all.png") as whole, Image.open(tmp_path / "rate.png") as rate:
        assert whole.height > 2 * rate.height


@pytest.mark.parametrize("values", [[0.0, 0.0], [1e-9, 1e9], [-1.0, 5.0]])
def test_odd_losses_are_drawn_without_a_warning(tmp_path: Path, values: list[float]) -> None:
    lines = [train_line(step, loss=value) for step, value in enumerate(values)]
    plot_loss(log(*lines), tmp_path / "odd.png")
    assert (tmp_path / "odd.png").is_file()


def test_a_thousand_epochs_are_thinned_out(tmp_path: Path) -> None:
    plot_loss(log(*(train_line(3 * step, loss=1.0) for step in range(1000))), tmp_path / "long.png")
    assert (tmp_path / "long.png").stat().st_size < 60_000


@pytest.mark.parametrize("count", [1, 40])
def test_sentences_few_or_many_are_drawn(tmp_path: Path, count: int) -> None:
    texts = [f"{'a long ' * (place % 5)}sentence {place}" for place in range(count)]
    hypotheses = ["", *texts[1:]]
    plot_sentences(score_sentences(texts, texts, hypotheses), tmp_path / "s.png")
    assert shows(tmp_path / "s.png", BLUE)
    assert shows(tmp_path / "s.png", ORANGE)


def test_a_running_mean_keeps_short_curves_and_smooths_long_ones() -> None:
    assert running_mean([1.0, 5.0, 3.0]) == [1.0, 5.0, 3.0]
    zigzag = [0.0, 3.0] * 60
    means = running_mean(zigzag)  # of three
    assert len(means) == 120
    assert means[0] == pytest.approx(1.5)
    assert means[1] == pytest.approx(1.0)
    assert means[2] == pytest.approx(2.0)
