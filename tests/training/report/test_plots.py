"""Pictures show the curves they are given, stay small, and bear odd runs without a warning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageColor

from training.report.plots import (
    BLUE,
    ORANGE,
    plot_dev_scores,
    plot_loss,
    plot_optimization,
    plot_sentences,
    running_mean,
)
from training.report.record import RunLog
from training.report.sentences import score_sentences


def log(*lines: dict[str, object]) -> RunLog:
    return RunLog.parse("".join(json.dumps(line) + "\n" for line in lines))


def train(step: int, **values: float) -> dict[str, object]:
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
    lines = [train(step, loss=9.0 / step) for step in range(1, 9)]
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
    lines = [train(s, rate=1e-3, grad_norm=s**3, tokens_per_s=4000.0 + s) for s in range(1, 5)]
    plot_optimization(log(*lines), tmp_path / "all.png")
    plot_optimization(log(train(1, rate=1e-3)), tmp_path / "rate.png")
    with Image.open(tmp_path / "all.png") as whole, Image.open(tmp_path / "rate.png") as rate:
        assert whole.height > 2 * rate.height


@pytest.mark.parametrize("values", [[0.0, 0.0], [1e-9, 1e9], [-1.0, 5.0]])
def test_odd_losses_are_drawn_without_a_warning(tmp_path: Path, values: list[float]) -> None:
    lines = [train(step, loss=value) for step, value in enumerate(values)]
    plot_loss(log(*lines), tmp_path / "odd.png")
    assert (tmp_path / "odd.png").is_file()


def test_a_thousand_epochs_are_thinned_out(tmp_path: Path) -> None:
    plot_loss(log(*(train(3 * step, loss=1.0) for step in range(1000))), tmp_path / "long.png")
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
