"""One caller never fills the engine's queue, and leaves nothing in it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.engines import CopyEngine
from tests.waiting import wait_until
from translator.config import DecodingOptions
from translator.deadline import Deadline
from translator.engine import call as engine_call
from translator.engine.call import EngineCall
from translator.errors import DeadlineExceededError, EngineOverloadedError

OPTIONS = DecodingOptions()


def submit(call: EngineCall, count: int) -> list[list[int]]:
    """Submit sentences; return the ids of their translations."""
    futures = [call.submit([4, 60 + number, 3], OPTIONS) for number in range(count)]
    return [list(call.finished(future).result()[0].ids) for future in futures]


@pytest.mark.parametrize("max_queue", [100, 2])
def test_further_sentences_wait_for_one_of_the_earlier(
    monkeypatch: pytest.MonkeyPatch, max_queue: int
) -> None:
    """Whichever is finished first; and where others leave less room, for that."""
    monkeypatch.setattr(engine_call, "SENTENCES_AT_ONCE", 3)
    at_once = min(3, max_queue)
    engine = CopyEngine(is_lazy=True, max_queue=max_queue)
    with EngineCall(engine) as call, ThreadPoolExecutor(1) as pool:
        pending = pool.submit(submit, call, 20)
        waiting: list[int] = []
        for place in range(20):
            wait_until(lambda least=place + 1: len(engine.futures) >= least)  # type: ignore[misc]
            waiting.append(place)
            if len(waiting) == at_once:
                assert len(engine.futures) == place + 1
                engine.answer(waiting.pop())  # the newest
        assert len(engine.futures) == 20
        for place in waiting:
            engine.answer(place)
        assert pending.result(timeout=10) == [[60 + number] for number in range(20)]


def test_others_may_fill_the_queue() -> None:
    engine = CopyEngine(is_lazy=True, max_queue=1)
    with EngineCall(engine) as other, EngineCall(engine) as call:
        other.submit([4, 60, 3], OPTIONS)
        with pytest.raises(EngineOverloadedError):
            call.submit([4, 61, 3], OPTIONS)


def test_what_is_not_finished_is_given_up() -> None:
    engine = CopyEngine(is_lazy=True)
    with EngineCall(engine) as call:
        for number in range(3):
            call.submit([4, 60 + number, 3], OPTIONS)
        engine.answer(1)
    assert [future.cancelled() for future in engine.futures] == [True, False, True]


def test_the_time_is_that_of_all_sentences() -> None:
    engine = CopyEngine()
    with EngineCall(engine, deadline=Deadline.within(60)) as call:
        submit(call, 3)
    left_s = [timeout_s or 0 for timeout_s in engine.timeouts_s]
    assert 60 >= left_s[0] > left_s[1] > left_s[2] > 50
    with (
        EngineCall(engine, deadline=Deadline.within(0)) as call,
        pytest.raises(DeadlineExceededError),
    ):
        call.submit([4, 60, 3], OPTIONS)
    assert len(engine.submitted) == 3


@pytest.mark.parametrize("at_once", [1, 2])
def test_a_caller_can_stop_while_it_waits(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    """For a place and for an answer."""
    monkeypatch.setattr(engine_call, "SENTENCES_AT_ONCE", at_once)
    monkeypatch.setattr(engine_call, "LOOK_EVERY_S", 0.01)
    engine = CopyEngine(is_lazy=True)
    looks: list[int] = []

    def stop() -> None:
        looks.append(len(engine.futures))
        if len(looks) == 3:
            raise InterruptedError

    with EngineCall(engine, deadline=Deadline(look=stop)) as call, pytest.raises(InterruptedError):
        submit(call, 2)
    assert looks == [at_once] * 3
    assert all(future.cancelled() for future in engine.futures)


def test_progress_is_told_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_call, "LOOK_EVERY_S", 0.0)
    told: list[tuple[int, int]] = []
    engine = CopyEngine(is_lazy=True)
    with EngineCall(engine, 3, Deadline(tell=lambda *far: told.append(far))) as call:
        for number in range(4):
            call.submit([4, 60 + number, 3], OPTIONS)
            engine.futures[0].cancel()
        call.submit([4, 64, 3], OPTIONS)
    assert told[0] == (0, 3)
    assert told[-1] == (1, 4)  # sentences in several parts, or searched again, are more
