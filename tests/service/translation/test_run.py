"""Translating all texts of a request."""

from __future__ import annotations

import dataclasses
import threading
import time
from contextvars import ContextVar
from typing import Any

import pytest

from service.config import ServiceConfig
from service.schemas.translate.answer import ModelAnswer
from service.schemas.translate.request import TranslateRequest
from service.served import ServedTranslator
from service.translation.plan import Plan
from service.translation.run import Work, translate_all
from tests.service.conftest import LANGUAGES, FakeTranslator
from tests.waiting import PATIENCE_S, wait_until
from translator.errors import EngineOverloadedError
from translator.patience import Patience
from translator.translate.options import SearchOptions


def work(
    fake: FakeTranslator,
    plan: Plan,
    timeout_s: float | None = None,
    ago_s: float = 0,
    **fields: Any,
) -> Work:
    fields = {"source": "auto", "target": "en", **fields}
    return Work(
        request=TranslateRequest.read(fields, LANGUAGES, ServiceConfig()),
        plan=plan,
        served=ServedTranslator(fake, None),
        patience=Patience.within(None if timeout_s is None else timeout_s - ago_s),
        started_s=time.monotonic() - ago_s,
    )


def test_one_call_for_each_language_and_answers_in_order() -> None:
    fake = FakeTranslator()
    plan = Plan(groups={"de": [0, 3], "en": [1]}, faults={2: "wrong"})
    outcome = translate_all(work(fake, plan, q=["a", "b", "c", "d"]))
    assert [t and t.text for t in outcome.translations] == ["A", "B", None, "D"]
    assert sorted(fake.calls) == [(("a", "d"), "de", "en", 0), (("b",), "en", "en", 0)]
    assert outcome.faults == {2: "wrong"}


def test_languages_do_not_wait_for_each_other() -> None:
    both = threading.Barrier(2, timeout=PATIENCE_S)
    plan = Plan(groups={"de": [0], "en": [1]}, faults={})

    def wait() -> None:
        both.wait()

    waiting = work(FakeTranslator(), plan, q=["a", "b"])
    outcome = translate_all(dataclasses.replace(waiting, patience=Patience(look=wait)))
    assert [t and t.text for t in outcome.translations] == ["A", "B"]


def test_what_one_language_raises_ends_the_others() -> None:
    ended = threading.Event()

    class Failing(FakeTranslator):
        def whole(self, texts: Any, options: SearchOptions, patience: Patience) -> Any:
            if options.source == "en":
                raise EngineOverloadedError("full")
            try:
                wait_until(lambda: bool(patience.look()))  # type: ignore[func-returns-value]
            finally:
                ended.set()

    plan = Plan(groups={"de": [0], "en": [1]}, faults={})
    with pytest.raises(EngineOverloadedError, match="full"):
        translate_all(work(Failing(), plan, q=["a", "b"]))
    assert ended.is_set()


def test_what_is_counted_belongs_to_the_request() -> None:
    counted: list[str] = []
    mine: ContextVar[list[str]] = ContextVar("mine")

    class Counting(FakeTranslator):
        def whole(self, texts: Any, options: SearchOptions, patience: Patience) -> Any:
            mine.get().append(options.source)
            return super().whole(texts, options, patience)

    plan = Plan(groups={"de": [0], "en": [1]}, faults={})
    token = mine.set(counted)
    translate_all(work(Counting(), plan, q=["a", "b"]))
    mine.reset(token)
    assert sorted(counted) == ["de", "en"]


def test_the_time_limit_is_for_all_calls_together() -> None:
    fake = FakeTranslator()
    plan = Plan(groups={"de": [0]}, faults={})
    translate_all(work(fake, plan, q=["a"], timeout_s=100, ago_s=40))
    assert fake.timeout_s == pytest.approx(60, abs=1)
    translate_all(work(fake, plan, q=["a"], timeout_s=100, ago_s=400))
    assert fake.timeout_s == 0
    translate_all(work(fake, plan, q=["a"], ago_s=400))
    assert fake.timeout_s is None


def test_the_model_is_named_for_those_who_ask() -> None:
    plan = Plan(groups={"de": [0]}, faults={})
    outcome = translate_all(work(FakeTranslator(), plan, q="a", details=True, ago_s=1))
    assert outcome.models == [ModelAnswer(name="upper", version="abc1234")]
    assert outcome.total_ms > 1000
    assert translate_all(work(FakeTranslator(), plan, q="a")).models == ()


def test_all_models_that_take_part_are_named_once() -> None:
    fake = FakeTranslator()
    cards = {"de": ({"name": "de-en"}, {"name": "en-fr"}), "it": ({"name": "en-fr"},)}
    fake.cards = lambda source, target: cards[source]  # type: ignore[method-assign]
    plan = Plan(groups={"de": [0], "it": [1]}, faults={})
    outcome = translate_all(work(fake, plan, q=["a", "b"], details=True))
    assert [model.name for model in outcome.models] == ["de-en", "en-fr"]
