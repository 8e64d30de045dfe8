"""The learning rate as a function of the step."""

from __future__ import annotations

from training.config import TrainingConfig


def learning_rate(step: int, config: TrainingConfig) -> float:
    """Return the rate of optimizer step `step`, counted from 1.

    Rises linearly to `config.learning_rate` at `warmup_steps`; then falls with 1/√step
    (`inverse_sqrt`), or in a straight line that reaches zero one step after `max_steps` (`linear`).

    Source: Vaswani et al. 2017, §5.3, Eq. 3 (there scaled by D^-½; here by the peak itself).
    """
    warmup = max(config.warmup_steps, 1)
    if step < warmup:
        return config.learning_rate * step / warmup
    if config.schedule == "inverse_sqrt":
        return float(config.learning_rate * (warmup / step) ** 0.5)
    remaining = max(config.max_steps + 1 - step, 0)
    return float(config.learning_rate * remaining / max(config.max_steps + 1 - warmup, 1))
