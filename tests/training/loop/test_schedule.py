from __future__ import annotations

from typing import Literal

import pytest

from training.config import TrainingConfig
from training.loop.schedule import learning_rate


def test_linear_rises_falls_and_reaches_zero_after_the_last_step() -> None:
    config = TrainingConfig(max_steps=100, warmup_steps=10, learning_rate=1.0, schedule="linear")
    assert learning_rate(1, config) == pytest.approx(0.1)
    assert learning_rate(10, config) == pytest.approx(1.0)
    assert learning_rate(55, config) == pytest.approx(46 / 91)
    assert 0 < learning_rate(100, config) < 0.02
    assert learning_rate(101, config) == 0.0


@pytest.mark.parametrize("schedule", ["linear", "inverse_sqrt"])
@pytest.mark.parametrize(("warmup", "steps"), [(0, 50), (1, 50), (10, 50), (50, 50), (80, 50)])
def test_one_peak_and_never_negative(
    schedule: Literal["linear", "inverse_sqrt"], warmup: int, steps: int
) -> None:
    config = TrainingConfig(
        max_steps=steps, warmup_steps=warmup, learning_rate=0.3, schedule=schedule
    )
    rates = [learning_rate(step, config) for step in range(1, steps + 1)]
    peak = max(range(steps), key=rates.__getitem__)
    assert rates[: peak + 1] == sorted(rates[: peak + 1])
    assert rates[peak:] == sorted(rates[peak:], reverse=True)
    assert min(rates) > 0
    assert max(rates) == pytest.approx(0.3 * min(1.0, steps / max(warmup, 1)))


def test_inverse_square_root_is_the_equation_of_the_paper() -> None:
    d_model, warmup = 512, 4000
    peak = d_model**-0.5 * warmup**-0.5
    config = TrainingConfig(
        max_steps=100_000, warmup_steps=warmup, learning_rate=peak, schedule="inverse_sqrt"
    )
    for step in (1, 399, 4000, 4001, 77_777):
        expected = d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
        assert learning_rate(step, config) == pytest.approx(expected)


def test_wsd_rises_stays_and_falls_in_the_last_part() -> None:
    config = TrainingConfig(
        max_steps=99, warmup_steps=10, learning_rate=1.0, schedule="wsd", decay_share=0.2
    )
    assert learning_rate(5, config) == pytest.approx(0.5)
    assert {learning_rate(step, config) for step in range(10, 81)} == {1.0}
    assert learning_rate(90, config) == pytest.approx(0.5)
    assert learning_rate(100, config) == 0.0
    assert learning_rate(50, config, spent=0.9) == pytest.approx(0.5)


def test_wsd_without_decay_never_falls() -> None:
    config = TrainingConfig(
        max_steps=100, warmup_steps=10, learning_rate=0.7, schedule="wsd", decay_share=0.0
    )
    assert {learning_rate(step, config) for step in range(10, 101)} == {0.7}


def test_a_copy_of_a_trunk_begins_to_fall_where_it_leaves_the_trunk() -> None:
    left_at, share = 8000, 0.2
    copy = TrainingConfig(
        max_steps=int(left_at / (1 - share)), schedule="wsd", decay_share=share, warmup_steps=10
    )
    assert learning_rate(left_at, copy) == copy.learning_rate
    assert learning_rate(left_at + 2, copy) < copy.learning_rate
