"""The learning rate as a function of the step, or of the time spent."""

from __future__ import annotations

from training.config import TrainingConfig

COOLDOWN = 0.2  # last part of a time budget in which `inverse_sqrt` falls to zero


def learning_rate(step: int, config: TrainingConfig, spent: float | None = None) -> float:
    """Return the rate of optimizer step `step`, counted from 1.

    Rises linearly to `config.learning_rate` at `warmup_steps`. Then it falls with 1/√step
    (`inverse_sqrt`), in a straight line (`linear`), or stays and falls in a straight line in the
    last `decay_share` of the run (`wsd`). The lines reach zero one step after `max_steps`. With a
    time budget, time takes the place of steps, and every schedule reaches zero when the budget is
    spent.

    Args:
        step: counted from 1.
        config: the schedule.
        spent: share of the time budget that has passed, in [0, 1]; None without a budget.

    Source: Vaswani et al. 2017, §5.3, Eq. 3 (there scaled by D^-½; here by the peak itself);
        Hu et al. 2024, §4.1 (`wsd`).
    """
    warmup = max(config.warmup_steps, 1)
    risen = min(step / warmup, 1.0)
    end = config.max_steps + 1
    left = max(end - step, 0) / end if spent is None else 1 - spent
    if config.schedule == "inverse_sqrt":
        fallen = float((warmup / max(step, warmup)) ** 0.5)
        if spent is not None:
            fallen *= min(left / COOLDOWN, 1.0)
    elif config.schedule == "wsd":
        fallen = min(left / config.decay_share, 1.0) if config.decay_share else 1.0
    elif spent is not None:
        fallen = left
    else:
        fallen = min(left * end / max(end - warmup, 1), 1.0)
    return config.learning_rate * (min(risen, fallen) if spent is not None else risen * fallen)
