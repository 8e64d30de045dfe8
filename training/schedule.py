"""The learning rate as a function of the step, or of the time spent."""

from __future__ import annotations

from training.config import TrainingConfig

COOLDOWN = 0.2  # last part of a time budget in which `inverse_sqrt` falls to zero


def learning_rate(step: int, config: TrainingConfig, spent: float | None = None) -> float:
    """Return the rate of optimizer step `step`, counted from 1.

    Rises linearly to `config.learning_rate` at `warmup_steps`; then falls with 1/√step
    (`inverse_sqrt`), or in a straight line (`linear`) that reaches zero one step after `max_steps`.
    With a time budget, time takes the place of steps, and either schedule reaches zero when the
    budget is spent.

    Args:
        step: counted from 1.
        config: the schedule.
        spent: share of the time budget that has passed, in [0, 1]; None without a budget.

    Source: Vaswani et al. 2017, §5.3, Eq. 3 (there scaled by D^-½; here by the peak itself).
    """
    warmup = max(config.warmup_steps, 1)
    risen = min(step / warmup, 1.0)
    if config.schedule == "inverse_sqrt":
        fallen = float((warmup / max(step, warmup)) ** 0.5)
        if spent is not None:
            fallen *= min((1 - spent) / COOLDOWN, 1.0)
    elif spent is not None:
        fallen = 1 - spent
    else:
        remaining = max(config.max_steps + 1 - step, 0)
        fallen = min(remaining / max(config.max_steps + 1 - warmup, 1), 1.0)
    return config.learning_rate * (min(risen, fallen) if spent is not None else risen * fallen)
