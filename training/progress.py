"""What a run tells: a progress bar, a log of JSON lines, and TensorBoard curves."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

from tqdm import tqdm

from training.state import TrainState


class TrainingLog:
    """Shows and records the course of a run.

    `log.jsonl` gets one line every `every` steps and one a checkpoint; TensorBoard the same curves.
    """

    def __init__(self, folder: Path, max_steps: int, every: int = 20) -> None:
        """Open the log in `folder`, appending to what is there."""
        from torch.utils.tensorboard import SummaryWriter

        folder.mkdir(parents=True, exist_ok=True)
        self.every = every
        self._stream = (folder / "log.jsonl").open("a", encoding="utf-8")
        self._curves = SummaryWriter(str(folder / "tensorboard"))
        self._bar = tqdm(total=max_steps, unit="step", dynamic_ncols=True, mininterval=1.0)
        self._nll, self._targets, self._since = 0.0, 0, time.perf_counter()

    def __enter__(self) -> TrainingLog:
        """Return self."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def step(
        self, state: TrainState, nll: float, num_targets: int, rate: float, norm: float
    ) -> None:
        """Record one optimizer step: its summed `nll` in nats, rate and gradient norm."""
        self._nll += nll
        self._targets += num_targets
        self._bar.update(state.step - self._bar.n)
        if state.step % self.every:
            return
        now = time.perf_counter()
        loss, tokens_per_s = self._nll / self._targets, self._targets / (now - self._since)
        self._nll, self._targets, self._since = 0.0, 0, now
        self._bar.set_postfix_str(
            f"epoch {state.epoch + 1} · loss {loss:.3f} · ppl {math.exp(min(loss, 20)):.1f} · "
            f"{tokens_per_s:,.0f} tokens/s"
        )
        values = {"loss": loss, "tokens_per_s": tokens_per_s, "rate": rate, "grad_norm": norm}
        self._record("train", state, values)

    def dev(self, state: TrainState, scores: dict[str, float]) -> None:
        """Record the dev scores of a checkpoint."""
        self._record("dev", state, scores)
        shown = " · ".join(f"{name} {value:.3f}" for name, value in scores.items())
        best = " · best" if state.best_step == state.step else ""
        self.note(f"step {state.step} · dev {shown}{best}")
        self._since = time.perf_counter()
        self._nll, self._targets = 0.0, 0

    @staticmethod
    def note(text: str) -> None:
        """Print a line above the progress bar."""
        tqdm.write(text)

    def _record(self, kind: str, state: TrainState, values: dict[str, float]) -> None:
        line: dict[str, Any] = {"kind": kind, "step": state.step, "epoch": state.epoch}
        line |= {name: round(value, 6) for name, value in values.items()}
        line["train_seconds"] = round(state.train_seconds, 1)
        self._stream.write(json.dumps(line) + "\n")
        self._stream.flush()
        for name, value in values.items():
            self._curves.add_scalar(f"{kind}/{name}", value, state.step)

    def close(self) -> None:
        """Flush and close everything."""
        self._bar.close()
        self._stream.close()
        self._curves.close()
