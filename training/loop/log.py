"""What a run tells: a progress bar, a log of JSON lines, and TensorBoard curves."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

from tqdm import tqdm

from training.config import TrainingConfig
from training.loop.state import TrainState
from training.objective.criterion import COLLAPSED
from translator.durable import telling
from translator.extras import require_extras
from translator.progress import SECONDS, progress_bar


class TrainingLog:
    """Shows and records the course of a run.

    `log.jsonl` gets one line every `every` steps and one a checkpoint; TensorBoard the same curves.
    """

    def __init__(
        self,
        folder: Path,
        config: TrainingConfig,
        every: int = 20,
        is_silent: bool = False,
        begin: TrainState | None = None,
    ) -> None:
        """Open the log in `folder`, appending to what is there; a silent one does nothing.

        The bar begins with the state `begin`.
        """
        require_extras("tensorboard")
        from torch.utils.tensorboard import SummaryWriter

        folder.mkdir(parents=True, exist_ok=True)
        self.every, self.is_silent = every, is_silent
        self._by_time = config.time_budget_s > 0
        self._stream = (folder / "log.jsonl").open("a", encoding="utf-8")
        self._end_cut_line()
        self._curves = None if is_silent else SummaryWriter(str(folder / "tensorboard"))
        self._bar = progress_bar(
            total=round(config.time_budget_s) or config.max_steps or None,
            initial=self._done(begin),
            unit=SECONDS if self._by_time else "steps",
            mininterval=1.0,
            disable=is_silent,
        )
        self._nll, self._targets, self._since = 0.0, 0, time.perf_counter()
        self._last_step: int | None = None

    def _end_cut_line(self) -> None:
        """End a line of which a process that was killed has written the beginning only."""
        path = Path(self._stream.name)
        if path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            self._stream.write("\n")

    def __enter__(self) -> TrainingLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def step(
        self, state: TrainState, nll: float, num_targets: int, rate: float, norm: float
    ) -> None:
        """Record optimizer steps, one or several at a time.

        `nll` is their summed loss, in nats; `rate` and `norm` are those of the last one.
        """
        self._nll += nll
        self._targets += num_targets
        self._bar.update(self._done(state) - self._bar.n)
        before = state.step - 1 if self._last_step is None else self._last_step
        self._last_step = state.step
        if state.step // self.every == before // self.every or self.is_silent:
            return
        now = time.perf_counter()
        loss, tokens_per_s = self._nll / self._targets, self._targets / (now - self._since)
        self._nll, self._targets, self._since = 0.0, 0, now
        self._bar.set_postfix_str(
            f"{f'step {state.step} · ' if self._by_time else ''}"
            f"epoch {state.epoch + 1} · loss {loss:.3f} · ppl {math.exp(min(loss, 20)):.1f} · "
            f"{tokens_per_s:,.0f} tokens/s"
            f"{f' · {state.num_skipped} skipped' if state.num_skipped else ''}",
            refresh=False,
        )
        values = {"loss": loss, "tokens_per_s": tokens_per_s, "rate": rate, "grad_norm": norm}
        values["skipped"] = state.num_skipped
        self._record("train", state, values)

    def _done(self, state: TrainState | None) -> int:
        if state is None:
            return 0
        return round(state.run_seconds) if self._by_time else state.step

    def dev(self, state: TrainState, scores: dict[str, float]) -> None:
        """Record the dev scores of a checkpoint."""
        self._record("dev", state, scores)
        shown = " · ".join(f"{name} {value:.3f}" for name, value in scores.items())
        best = " · best" if state.best_step == state.step else ""
        self.note(f"step {state.step} · dev {shown}{best}")
        if scores.get("spread", COLLAPSED) < COLLAPSED:
            self.note(
                "warning: a layer of the encoder attends to one piece only, and can hardly learn; "
                "set a higher weight decay (of muon: training.muon_weight_decay) or a lower rate"
            )
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
        with telling(Path(self._stream.name)):
            self._stream.write(json.dumps(line) + "\n")
            self._stream.flush()
        for name, value in values.items():
            if self._curves is None:
                break
            self._curves.add_scalar(f"{kind}/{name}", value, state.step)

    def close(self) -> None:
        """Flush and close everything."""
        self._bar.close()
        self._stream.close()
        if self._curves:
            self._curves.close()
