"""Who gets an answer in parts, and what the parts look like."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest
from flask import Flask, json

from service.connection import ClientGone
from service.routes.streaming import EVENT_STREAM, NDJSON, streamed, streamed_type
from service.translation.events import Event
from translator.errors import InputError

FIRST: Event = {"type": "progress", "done": 1, "total": 2}


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("application/x-ndjson", NDJSON),
        ("text/event-stream, */*;q=0.1", EVENT_STREAM),
        ("application/json, application/x-ndjson;q=0.5", None),
        ("*/*", None),
        ("application/*", None),
        ("text/event-stream;q=0, */*", None),
        ("", None),
    ],
)
def test_it_is_for_who_names_and_prefers_it(accept: str, expected: str | None) -> None:
    assert streamed_type(accept) == expected


@pytest.fixture
def app() -> Iterator[Flask]:
    app = Flask(__name__)
    with app.test_request_context():
        yield app


def events(error: Exception | None = None) -> Generator[Event, None, None]:
    yield FIRST
    if error is not None:
        raise error
    yield {"type": "answer", "text": "Ü\n\x85\u2028b"}


@pytest.mark.usefixtures("app")
def test_each_event_is_a_line() -> None:
    response = streamed(events(), NDJSON)
    assert response.mimetype == NDJSON
    assert response.headers["X-Accel-Buffering"] == "no"
    found = [json.loads(line) for line in response.get_data(as_text=True).splitlines()]
    assert found == [FIRST, {"type": "answer", "text": "Ü\n\x85\u2028b"}]


@pytest.mark.usefixtures("app")
def test_browsers_get_events_by_name() -> None:
    first, second, rest = streamed(events(), EVENT_STREAM).get_data(as_text=True).split("\n\n")
    assert first.startswith("event: progress\ndata: {")
    assert second.startswith("event: answer\ndata: {")
    assert rest == ""


@pytest.mark.usefixtures("app")
def test_an_error_behind_the_first_event_is_an_event() -> None:
    text = streamed(events(InputError("too late")), NDJSON).get_data(as_text=True)
    first, last = (json.loads(line) for line in text.splitlines())
    assert first == FIRST
    assert (last["type"], last["error"]) == ("error", "too late")


@pytest.mark.usefixtures("app")
def test_an_error_before_it_is_an_ordinary_one() -> None:
    def refused() -> Generator[Event, None, None]:
        raise InputError("at once")
        yield FIRST

    with pytest.raises(InputError, match="at once"):
        streamed(refused(), NDJSON)


@pytest.mark.usefixtures("app")
def test_who_has_gone_gets_nothing_more() -> None:
    text = streamed(events(ClientGone()), NDJSON).get_data(as_text=True)
    assert [json.loads(line) for line in text.splitlines()] == [FIRST]
