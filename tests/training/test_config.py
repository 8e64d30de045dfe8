"""The settings of model and training refuse what cannot work, and say what would."""

from __future__ import annotations

from typing import Any

import pytest

from training.config import ARCHITECTURE, ArchitectureConfig, TrainingConfig
from translator.errors import ConfigError


@pytest.mark.parametrize(
    ("budget", "seconds"), [("", 0), ("25m", 1500), ("1h30m", 5400), ("90s", 90), ("2h5s", 7205)]
)
def test_time_budgets_are_read(budget: str, seconds: float) -> None:
    assert TrainingConfig(max_steps=1, time_budget=budget).time_budget_s == seconds
    assert TrainingConfig(max_steps=1, save_every=budget).save_every_s == seconds


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"time_budget": "25"}, "time_budget: must look like 25m or 1h30m, got '25'"),
        ({"save_every": "often"}, "save_every: must look like 25m or 1h30m, got 'often'"),
        ({"workers": -1}, "workers: must not be negative, got -1"),
        ({"label_smoothing": 1.0}, "label_smoothing: must be in [0, 1), got 1.0"),
        ({"clip_norm": -1.0}, "clip_norm: must not be negative, got -1"),
        ({"learning_rate": 0.0}, "learning_rate: must be positive, got 0.0"),
        ({"accumulate": 0}, "accumulate: must be at least 1, got 0"),
        ({"max_steps": -1}, "max_steps: must be at least 1, or 0 for no end, got -1"),
        ({"average_checkpoints": 9}, "must not exceed keep_checkpoints = 5, got 9"),
    ],
)
def test_bad_values_are_named(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        TrainingConfig(**{"max_steps": 1, **settings})
    assert len(caught.value.problems) == 1
    assert problem in caught.value.problems[0]


def test_a_run_without_an_end_has_a_constant_rate() -> None:
    endless: dict[str, Any] = {"max_steps": 0, "schedule": "wsd", "decay_share": 0.0}
    assert TrainingConfig(**endless).max_steps == 0
    others: list[dict[str, Any]] = [
        {"schedule": "linear"},
        {"schedule": "inverse_sqrt"},
        {"decay_share": 0.2},
    ]
    for other in others:
        with pytest.raises(ConfigError, match=r'set schedule = "wsd" and decay_share = 0\.0'):
            TrainingConfig(**(endless | other))


def test_what_an_architecture_does_not_say_has_defaults() -> None:
    config = ArchitectureConfig(d_ff=64)
    assert config.given == {"d_ff": 64}
    whole = config.with_vocabulary(100, 0)
    assert (whole.d_ff, whole.d_model, whole.vocab_size) == (64, ARCHITECTURE["d_model"], 100)
