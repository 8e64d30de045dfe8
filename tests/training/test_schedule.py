from __future__ import annotations

import pytest

from training.config import TrainingConfig
from training.schedule import learning_rate


def test_linear_rises_falls_and_reaches_zero_after_the_last_step() -> None:
    config = TrainingConfig(max_steps=100, warmup_steps=10, learning_rate=1.0, schedule="linear")
    assert learning_rate(1, config) == pytest.approx(0.1)
    assert learning_rate(10, config) == pytest.approx(1.0)
    assert learning_rate(55, config) == pytest.approx(46 / 91)
    assert 0 < learning_rate(100, config) < 0.02
    assert learning_rate(101, config) == 0.0


def test_inverse_square_root_meets_warm_up_at_the_peak() -> None:
    config = TrainingConfig(
        max_steps=100, warmup_steps=16, learning_rate=2.0, schedule="inverse_sqrt"
    )
    assert learning_rate(8, config) == pytest.approx(1.0)
    assert learning_rate(16, config) == pytest.approx(2.0)
    assert learning_rate(64, config) == pytest.approx(1.0)


def test_no_warm_up() -> None:
    config = TrainingConfig(max_steps=10, warmup_steps=0, learning_rate=1.0)
    assert learning_rate(1, config) == pytest.approx(1.0)
