"""Pictures of a run: how training went, and what the translations of a test part are like.

Colours are those of Okabe and Ito 2008, which colour-blind readers can tell apart; every curve
differs from its neighbours in shape as well.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from training.report.record import Curve, RunLog, ScoredSentence
from translator.extras import require_extras

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
GREY = "#7F7F7F"
WIDTH, PANEL_HEIGHT, DPI = 8.0, 2.4, 110  # inches, inches, dots an inch
NUM_COLOURS = 64
MAX_EPOCH_MARKS = 20
LOG_SPAN = 3.0  # a narrower range has too few round numbers to be labelled on a log axis
LENGTH_GROUPS = 6
RATIO_LIMITS = (0.25, 4.0)
OPTIMIZATION_TITLES = {
    "rate": "learning rate",
    "grad_norm": "gradient norm\n(before clipping)",
    "tokens_per_s": "target tokens/s",
}
SCORE_TITLES = {
    "loss": "loss",
    "bleu": "BLEU",
    "chrf": "chrF",
    "ter": "TER (lower is better)",
    "lc_tok_bleu": "lower-cased tokenised BLEU",
    "spread": "pieces that the encoder attends to",
}


def plot_loss(log: RunLog, out: Path) -> None:
    """Draw training and dev loss over steps to a PNG file."""
    figure, [ax] = _panels(1, height=4.0)
    train, dev = log.curve("train", "loss"), log.curve("dev", "loss")
    if train.steps:
        _draw(ax, train, BLUE, "train")
    if dev.steps:
        best, step = log.best_on_dev("loss")
        ax.plot(dev.steps, dev.values, "o-", color=ORANGE, markersize=4, label="dev")
        label = f"lowest on dev: {best:.3f} at step {step:,}"
        ax.plot(step, best, "*", color=ORANGE, markersize=14, label=label)
    # late progress is small beside that of the first steps, and would be flat on a linear axis
    _make_logarithmic(ax, train.values + dev.values)
    ax.set_ylabel("loss (nats a target piece)")
    ax.legend()
    _finish_steps(log, [ax])
    _save(figure, out)


def plot_dev_scores(log: RunLog, names: Sequence[str], out: Path) -> None:
    """Draw the chosen dev scores over steps, a panel each, to a PNG file."""
    figure, axes = _panels(len(names))
    for name, colour, ax in zip(names, cycle(COLOURS), axes, strict=False):
        curve = log.curve("dev", name)
        best, step = log.best_on_dev(name)
        ax.plot(curve.steps, curve.values, "o-", color=colour, markersize=4)
        label = f"best: {best:.2f} at step {step:,}"
        ax.plot(step, best, "*", color=colour, markersize=14, label=label)
        ax.set_ylabel(f"dev {SCORE_TITLES.get(name, name)}")
        ax.legend(loc="best")
    _finish_steps(log, axes)
    _save(figure, out)


def plot_optimization(log: RunLog, out: Path) -> None:
    """Draw learning rate, gradient norm and speed over steps to a PNG file: those there are."""
    measured = log.measured("train")
    names = [name for name in OPTIMIZATION_TITLES if name in measured]
    figure, axes = _panels(len(names))
    for name, colour, ax in zip(names, cycle(COLOURS), axes, strict=False):
        curve = log.curve("train", name)
        _draw(ax, curve, colour, is_noisy=name != "rate")
        ax.set_ylabel(OPTIMIZATION_TITLES[name])
        if name == "grad_norm":
            _make_logarithmic(ax, curve.values)  # or a spike would flatten all else
        if name == "tokens_per_s":
            ax.yaxis.set_major_formatter("{x:,.0f}")
            ax.set_ylim(bottom=0)
    _finish_steps(log, axes)
    _save(figure, out)


def plot_sentences(sentences: Sequence[ScoredSentence], out: Path) -> None:
    """Draw lengths and scores of the sentences of one test part to a PNG file."""
    require_extras("matplotlib", "PIL")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 6.4), layout="constrained")
    axes = figure.subplots(2, 2)
    _draw_lengths(axes[0, 0], sentences)
    _draw_score_histogram(axes[0, 1], sentences)
    _draw_length_ratios(axes[1, 0], sentences)
    _draw_score_by_length(axes[1, 1], sentences)
    for ax in axes.flat:
        _frame(ax)
    _save(figure, out)


def _draw_lengths(ax: Axes, sentences: Sequence[ScoredSentence]) -> None:
    lengths = {
        "source": [len(s.source) for s in sentences],
        "reference": [len(s.reference) for s in sentences],
        "translation": [len(s.hypothesis) for s in sentences],
    }
    # a few giants would squeeze all others into one bar; they are counted in the last
    top = max(10.0, float(np.percentile(np.concatenate(list(lengths.values())), 99.5)))
    # whole numbers, or some bins would hold more lengths than others
    bins = np.arange(31) * max(1, round(top / 30))
    styles = zip(lengths.items(), (GREY, BLUE, ORANGE), ("--", "-", "-"), strict=True)
    for (label, values), colour, line in styles:
        counts, _ = np.histogram(np.minimum(values, bins[-1]), bins)
        ax.stairs(counts, bins, color=colour, linestyle=line, linewidth=1.5, label=label)
    ax.set(title="Lengths", xlabel="characters (last bin: and more)", ylabel="sentences")
    ax.legend()


def _draw_score_histogram(ax: Axes, sentences: Sequence[ScoredSentence]) -> None:
    scores = [s.chrf for s in sentences]
    middle = float(np.median(scores))
    ax.hist(scores, bins=np.linspace(0, 100, 26).tolist(), color=BLUE, edgecolor="white")
    ax.axvline(middle, color=ORANGE, linestyle="--", label=f"median {middle:.1f}")
    ax.set(title="Quality", xlabel="chrF of a sentence", ylabel="sentences", xlim=(0, 102))
    ax.legend()


def _draw_length_ratios(ax: Axes, sentences: Sequence[ScoredSentence]) -> None:
    lengths = [len(s.source) for s in sentences]
    ratios = np.clip([s.length_ratio for s in sentences], *RATIO_LIMITS)
    ax.scatter(lengths, ratios, s=9, color=BLUE, alpha=0.35, linewidths=0)
    ax.axhline(1.0, color=ORANGE, linestyle="--")
    ax.set_yscale("log", base=2)
    ax.set_yticks([0.25, 0.5, 1, 2, 4], ["≤ ¼", "½", "1", "2", "≥ 4"])
    ax.set_ylim(RATIO_LIMITS[0] / 1.1, RATIO_LIMITS[1] * 1.1)
    ax.set(title="Length ratio", xlabel="characters of the source")
    ax.set_ylabel("translation / reference")


def _draw_score_by_length(ax: Axes, sentences: Sequence[ScoredSentence]) -> None:
    """Median and quartiles of chrF in groups of equally many sentences, short to long."""
    ordered = sorted(sentences, key=lambda s: len(s.source))
    groups = [g for g in np.array_split(np.arange(len(ordered)), LENGTH_GROUPS) if len(g)]
    lengths = [np.median([len(ordered[i].source) for i in group]) for group in groups]
    low, middle, high = (
        np.array([np.percentile([ordered[i].chrf for i in group], share) for group in groups])
        for share in (25, 50, 75)
    )
    spread = [middle - low, high - middle]
    ax.errorbar(lengths, middle, yerr=spread, fmt="o-", color=BLUE, capsize=4)
    ax.set(title="Quality by length", xlabel="characters of the source", ylim=(0, 105))
    ax.set_ylabel("chrF, median and quartiles")


def _panels(count: int, height: float = PANEL_HEIGHT) -> tuple[Figure, list[Axes]]:
    """Return a figure without global state, and panels one below the other over the same steps."""
    require_extras("matplotlib", "PIL")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height * count + 0.6), layout="constrained")
    axes = figure.subplots(count, 1, squeeze=False, sharex=True)
    return figure, list(axes[:, 0])


def _draw(
    ax: Axes, curve: Curve, colour: str, label: str | None = None, is_noisy: bool = True
) -> None:
    """Draw a curve; a noisy one faintly, with its running mean on top."""
    if is_noisy:
        ax.plot(curve.steps, curve.values, color=colour, alpha=0.3, linewidth=0.8)
    smooth = running_mean(curve.values) if is_noisy else curve.values
    ax.plot(curve.steps, smooth, color=colour, label=label)


def running_mean(values: Sequence[float]) -> list[float]:
    """Return the mean around each value, over a sixtieth of them, less at both ends."""
    window = np.ones(min(len(values), 2 * (len(values) // 120) + 1))
    sums = np.convolve(values, window, "same")
    counts = np.convolve(np.ones(len(values)), window, "same")
    means: list[float] = (sums / counts).tolist()
    return means


def _finish_steps(log: RunLog, axes: Sequence[Axes]) -> None:
    """Label the steps below the last panel and the epochs above the first."""
    starts = log.epoch_starts()
    shown = starts[:: -(-len(starts) // MAX_EPOCH_MARKS)]
    for ax in axes:
        _frame(ax)
        for _, step in shown:
            ax.axvline(step, color=GREY, alpha=0.3, linewidth=0.6, zorder=0)
    axes[-1].set_xlabel("optimizer step")
    axes[-1].xaxis.set_major_formatter("{x:,.0f}")
    top = axes[0].secondary_xaxis("top")
    top.set_xticks([step for _, step in shown], [str(epoch) for epoch, _ in shown], fontsize=8)
    top.set_xlabel("epoch")


def _frame(ax: Axes) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", alpha=0.3)


def _make_logarithmic(ax: Axes, values: Sequence[float]) -> None:
    """Make the y axis logarithmic if `values` span enough, with ticks like 2 and 0.5 on it."""
    from matplotlib.ticker import LogLocator, NullFormatter

    if not 0 < LOG_SPAN * min(values) < max(values):
        return
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 1.5, 2.0, 3.0, 5.0, 7.0), numticks=12))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_minor_formatter(NullFormatter())


def _save(figure: Figure, out: Path) -> None:
    """Write a PNG file of few colours, a third of the usual size."""
    from PIL import Image

    rendered = io.BytesIO()
    figure.savefig(rendered, format="png", dpi=DPI)
    with Image.open(rendered) as picture:
        picture.convert("RGB").quantize(NUM_COLOURS).save(out, optimize=True)
