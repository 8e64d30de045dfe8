"""From a checked request to calls of the library: languages, plans, threads, events."""

from __future__ import annotations

import dataclasses
import threading
import time
from contextvars import ContextVar
from typing import Any, cast

import pytest

from service.config import ServiceConfig
from service.http.context import ServedTranslator
from service.libretranslate.answer import ModelAnswer
from service.libretranslate.request import TranslateRequest
from service.libretranslate.work import (
    TextPlan,
    Work,
    finder_of,
    make_plan,
    stream_events,
    translate_all,
)
from tests.engines import CopyEngine
from tests.service.conftest import LANGUAGES, FakeTranslator, detector
from tests.waiting import TIMEOUT_S, wait_until
from translator.deadline import Deadline
from translator.detection.detector import Detected, Detection
from translator.engine.port import Engine
from translator.errors import (
    EngineOverloadedError,
    InputError,
)
from translator.pipeline.options import SearchOptions, TextOptions
from translator.pipeline.texts import translate_texts
from translator.pipeline.translation import Language
from translator.pipeline.translator import Translator
from translator.store.model_directory import LoadedModel


def test_where_english_is_not_translated_another_language_stands_for_it() -> None:
    assert finder_of("en", LANGUAGES, detector()).of_text("12").language == "en"
    assert finder_of("de", LANGUAGES, detector()).of_text("12").language == "de"
    only = [Language(code="fr", name="French", targets=("fr",))]
    assert finder_of("de", only, detector()).of_text("12").language == "fr"


def test_markup_does_not_count() -> None:
    page = (
        "<p title='the of and'><script>if (a < b) { this and that }</script><!-- the -->"
        "<style>p > a { color: red }</style><b>sch&ouml;n</b></p>"
    )

    class Heard:
        def examine(self, text: str) -> Detection:
            assert text.split() == ["schön"]
            return Detection(languages=[Detected(language="de", confidence=50.0)])

    fields = {"q": page, "source": "auto", "target": "en", "format": "html"}
    request, heard = TranslateRequest.read(fields, LANGUAGES, ServiceConfig()), cast(Any, Heard())
    assert make_plan(request, LANGUAGES, heard).groups == {"de": [0]}


def options(**fields: Any) -> TextOptions:
    fields = {"q": ["a"], "source": "de", **fields}
    return work(FakeTranslator(), TextPlan(groups={"de": [0]}, faults={}), **fields).options("de")


@pytest.fixture
def copying(loaded: LoadedModel) -> Translator:
    """Return a translator that copies, with a model that says where a term belongs."""
    return Translator(loaded, cast(Engine, CopyEngine()))


def test_terms_of_a_glossary(copying: Translator) -> None:
    fields: dict[str, Any] = {"glossary": {"Haus": "home"}, "do_not_translate": ["Acme"]}
    [found] = translate_texts(copying, ["das Haus von Acme"], options(**fields))
    assert {"home", "Acme"} <= {*found.text.split()}
    assert found.terms == ("Acme", "Haus")
    with pytest.raises(InputError, match="glossary: 'a  b' must not be empty"):
        translate_texts(copying, ["a"], options(do_not_translate=["a  b"]))


def work(
    fake: FakeTranslator,
    plan: TextPlan,
    timeout_s: float | None = None,
    ago_s: float = 0,
    **fields: Any,
) -> Work:
    fields = {"source": "auto", "target": "en", **fields}
    return Work(
        request=TranslateRequest.read(fields, LANGUAGES, ServiceConfig()),
        plan=plan,
        served=ServedTranslator(fake, None),
        deadline=Deadline.within(None if timeout_s is None else timeout_s - ago_s),
        started_s=time.monotonic() - ago_s,
    )


def test_languages_do_not_wait_for_each_other() -> None:
    both = threading.Barrier(2, timeout=TIMEOUT_S)
    plan = TextPlan(groups={"de": [0], "en": [1]}, faults={})

    def wait() -> None:
        both.wait()

    waiting = work(FakeTranslator(), plan, q=["a", "b"])
    outcome = translate_all(dataclasses.replace(waiting, deadline=Deadline(look=wait)))
    assert [t and t.text for t in outcome.translations] == ["A", "B"]


def test_what_one_language_raises_ends_the_others() -> None:
    ended = threading.Event()

    class Failing(FakeTranslator):
        def whole(self, texts: Any, options: SearchOptions, deadline: Deadline) -> Any:
            if options.source == "en":
                raise EngineOverloadedError("full")
            try:
                wait_until(lambda: bool(deadline.look()))  # type: ignore[func-returns-value]
            finally:
                ended.set()

    plan = TextPlan(groups={"de": [0], "en": [1]}, faults={})
    with pytest.raises(EngineOverloadedError, match="full"):
        translate_all(work(Failing(), plan, q=["a", "b"]))
    assert ended.is_set()


def test_what_is_counted_belongs_to_the_request() -> None:
    counted: list[str] = []
    mine: ContextVar[list[str]] = ContextVar("mine")

    class Counting(FakeTranslator):
        def whole(self, texts: Any, options: SearchOptions, deadline: Deadline) -> Any:
            mine.get().append(options.source)
            return super().whole(texts, options, deadline)

    plan = TextPlan(groups={"de": [0], "en": [1]}, faults={})
    token = mine.set(counted)
    translate_all(work(Counting(), plan, q=["a", "b"]))
    mine.reset(token)
    assert sorted(counted) == ["de", "en"]


def test_the_time_limit_is_for_all_calls_together() -> None:
    fake = FakeTranslator()
    plan = TextPlan(groups={"de": [0]}, faults={})
    translate_all(work(fake, plan, q=["a"], timeout_s=100, ago_s=40))
    assert fake.timeout_s == pytest.approx(60, abs=1)
    translate_all(work(fake, plan, q=["a"], timeout_s=100, ago_s=400))
    assert fake.timeout_s == 0
    translate_all(work(fake, plan, q=["a"], ago_s=400))
    assert fake.timeout_s is None


def test_the_model_is_named_for_those_who_ask() -> None:
    plan = TextPlan(groups={"de": [0]}, faults={})
    outcome = translate_all(work(FakeTranslator(), plan, q="a", details=True, ago_s=1))
    assert outcome.models == [ModelAnswer(name="upper", version="abc1234")]
    assert outcome.total_ms > 1000
    assert translate_all(work(FakeTranslator(), plan, q="a")).models == ()


def test_all_models_that_take_part_are_named_once() -> None:
    fake = FakeTranslator()
    cards = {"de": ({"name": "de-en"}, {"name": "en-fr"}), "it": ({"name": "en-fr"},)}
    fake.cards = lambda source, target, **_: cards[source]  # type: ignore[method-assign]
    plan = TextPlan(groups={"de": [0], "it": [1]}, faults={})
    outcome = translate_all(work(fake, plan, q=["a", "b"], details=True))
    assert [model.name for model in outcome.models] == ["de-en", "en-fr"]


ONE = TextPlan(groups={"de": [0]}, faults={})


def test_texts_of_several_languages_come_in_their_order() -> None:
    fake = FakeTranslator()
    plan = TextPlan(groups={"de": [0, 3], "en": [1]}, faults={2: "wrong"})
    fields: dict[str, Any] = {"q": ["a\nb", "c", 1, "d"], "errors": "per_item"}
    *sentences, answer = stream_events(work(fake, plan, **fields))
    told = [(event["index"], event["text"]) for event in sentences if event["source"]]
    assert told == [(0, "A"), (0, "B"), (1, "C"), (3, "D")]
    assert answer["answer"] == {
        "translatedText": ["A\nB", "C", None, "D"],
        "errors": [None, None, "wrong", None],
    }
    assert [call[0] for call in fake.calls] == [("a\nb", "d"), ("c",)]
    assert fake.num_open_streams == 0


def test_details_are_those_of_the_sentences() -> None:
    *_, last = stream_events(work(FakeTranslator(), ONE, q="a\nb", details=True))
    [text] = last["answer"]["details"]["texts"]
    assert text["score"] == -0.5
    assert [sentence["source"] for sentence in text["sentences"]] == ["a", "b"]


def test_who_takes_no_more_frees_all_work() -> None:
    fake = FakeTranslator()
    plan = TextPlan(groups={"de": [0, 2], "en": [1]}, faults={})
    events: Any = stream_events(work(fake, plan, q=["a", "c\nd", "e"]))
    for _ in range(3):
        next(events)
    assert fake.num_open_streams == 2
    events.close()
    assert fake.num_open_streams == 0
