"""The kernels' rates are rates: of so many products in so much time."""

from __future__ import annotations

import pytest

from tests.cpu import NEEDS_INT8

pytestmark = NEEDS_INT8


@pytest.mark.parametrize("precision", ["int8", "float32"])
def test_a_rate_is_what_one_call_multiplies_by_its_time(
    precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from translator.cli import kernel_rate

    class Clock:
        now_s = 0.0

        @classmethod
        def perf_counter(cls) -> float:
            return cls.now_s

    def multiply(*_: object) -> None:
        Clock.now_s += 0.05

    monkeypatch.setattr(kernel_rate, "time", Clock)
    monkeypatch.setattr(kernel_rate, "multiply", multiply)
    expected = 60 * 512 * 2048 / 0.05
    assert kernel_rate.multiply_adds_per_s(precision) == pytest.approx(expected)
