from __future__ import annotations

from translator.translate.models.deadline import remaining


def test_without_a_limit_there_is_always_time() -> None:
    assert remaining(None)() is None


def test_what_is_left_becomes_less_and_never_less_than_nothing() -> None:
    left_s = remaining(1000)
    first, second = left_s(), left_s()
    assert first is not None
    assert second is not None
    assert 999 < second <= first <= 1000
    assert remaining(-5)() == 0
