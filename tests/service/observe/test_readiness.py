from __future__ import annotations

from typing import cast

from service.observe.readiness import STUCK_S, Readiness
from tests.service.conftest import FakeTranslator
from translator.engine.port import Statistics
from translator.translate.translator import Translator


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_an_engine_is_ready_while_it_takes_turns() -> None:
    fake, clock = FakeTranslator(), Clock()
    readiness = Readiness(cast(Translator, fake), clock)
    for turns in range(5):
        fake.done = Statistics(queued=100, running=5, turns=turns)
        assert readiness.look() == ""
        clock.now_s += STUCK_S


def test_an_engine_that_takes_no_turn_while_sentences_wait_is_not_ready() -> None:
    fake, clock = FakeTranslator(), Clock()
    readiness = Readiness(cast(Translator, fake), clock)
    fake.done = Statistics(queued=1, turns=7)
    found = []
    for _ in range(int(STUCK_S) + 4):
        found.append(readiness.look())
        clock.now_s += 1
    assert found[int(STUCK_S)] == ""
    assert found[-1] == "the engine has finished nothing for 12 s; restart the server"
    fake.done = Statistics(queued=1, turns=8)
    assert readiness.look() == "", "it goes on"


def test_an_idle_engine_is_ready_for_ever() -> None:
    fake, clock = FakeTranslator(), Clock()
    readiness = Readiness(cast(Translator, fake), clock)
    assert readiness.look() == ""
    clock.now_s += 1e6
    assert readiness.look() == ""
    fake.done = Statistics(queued=1)
    assert readiness.look() == "", "the first look at a sentence says nothing"


def test_an_engine_that_has_stopped_is_not_ready() -> None:
    fake = FakeTranslator()
    fake.is_alive = False
    assert "has stopped" in Readiness(cast(Translator, fake)).look()


def test_one_engine_that_is_stuck_is_seen_beside_one_that_goes_on() -> None:
    fake, clock = FakeTranslator(), Clock()
    readiness = Readiness(cast(Translator, fake), clock)
    for turns in range(int(STUCK_S) + 4):
        engines = {"good": Statistics(queued=1, turns=turns), "bad": Statistics(running=1)}
        fake.engines = lambda engines=engines: engines  # type: ignore[method-assign, misc]
        found = readiness.look()
        clock.now_s += 1
    assert found == "the engine has finished nothing for 12 s; restart the server"
    fake.engines = lambda: {"good": Statistics(turns=50)}  # type: ignore[method-assign]
    assert readiness.look() == "", "the other one has left"
