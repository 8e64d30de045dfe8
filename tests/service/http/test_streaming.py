"""Who gets an answer in parts, and what the parts look like."""

from __future__ import annotations

from flask import Flask, json

from service.http.fields import Json
from service.http.streaming import NDJSON, streamed


def test_each_event_is_a_line_whatever_its_text_holds() -> None:
    events: list[Json] = [{"type": "progress", "done": 1}, {"type": "answer", "text": "\x85\u2028"}]
    with Flask(__name__).test_request_context():
        text = streamed((event for event in events), NDJSON).get_data(as_text=True)
    assert [json.loads(line) for line in text.splitlines()] == events
