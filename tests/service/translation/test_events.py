"""Sentences as they finish."""

from __future__ import annotations

from typing import Any

import pytest

from service.translation.events import error_event, stream_events
from service.translation.plan import Plan
from tests.service.conftest import FakeTranslator
from tests.service.translation.test_run import work
from translator.errors import EngineClosedError

ONE = Plan(groups={"de": [0]}, faults={})


def test_sentences_then_the_whole_answer() -> None:
    *sentences, answer = stream_events(work(FakeTranslator(), ONE, q="a\n\nb\n", source="de"))
    told = [(e["type"], e["index"], e["separator"], e["source"], e["text"]) for e in sentences]
    assert told == [
        ("sentence", 0, "", "a", "A"),
        ("sentence", 0, "\n\n", "b", "B"),
        ("sentence", 0, "\n", "", ""),
    ]
    assert sentences[0]["score"] == -0.5
    assert sentences[0]["finish_reasons"] == ["eos"]
    assert answer == {"type": "answer", "answer": {"translatedText": "A\n\nB\n"}}


def test_texts_of_several_languages_come_in_their_order() -> None:
    fake = FakeTranslator()
    plan = Plan(groups={"de": [0, 3], "en": [1]}, faults={2: "wrong"})
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
    plan = Plan(groups={"de": [0, 2], "en": [1]}, faults={})
    events: Any = stream_events(work(fake, plan, q=["a", "c\nd", "e"]))
    for _ in range(3):
        next(events)
    assert fake.num_open_streams == 2
    events.close()
    assert fake.num_open_streams == 0


def test_an_error_ends_it_and_frees_all_work() -> None:
    fake = FakeTranslator()
    fake.error = EngineClosedError("closed")
    events = stream_events(work(fake, ONE, q="a\nb"))
    assert next(events)["text"] == "A"
    with pytest.raises(EngineClosedError, match="closed"):
        next(events)
    assert fake.num_open_streams == 0


def test_an_error_as_an_event() -> None:
    said = {"error": "late", "code": "too_slow"}
    assert error_event(said, 504) == {"type": "error", "status": 504, **said}
