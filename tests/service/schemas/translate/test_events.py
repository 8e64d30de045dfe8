"""The events of a streamed answer."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from service.schemas.translate.events import (
    AnswerEvent,
    ErrorEvent,
    SentenceEvent,
    ServerSentEvent,
    StreamEvent,
)


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"type": "answer", "answer": {"translatedText": "A"}}, AnswerEvent),
        ({"type": "error", "error": "late", "code": "too_slow", "status": 504}, ErrorEvent),
        (
            {
                "type": "sentence",
                "index": 0,
                "separator": "",
                "source": "a",
                "text": "A",
                "score": None,
                "finish_reasons": [],
                "flags": [],
            },
            SentenceEvent,
        ),
    ],
)
def test_the_type_says_which_event_it_is(event: dict[str, object], kind: type) -> None:
    assert isinstance(StreamEvent.model_validate(event).root, kind)


def test_another_type_is_none() -> None:
    with pytest.raises(ValidationError, match="'other'"):
        StreamEvent.model_validate({"type": "other"})


def test_a_server_sent_event_has_a_name_and_data() -> None:
    assert ServerSentEvent(event="answer", data="{}").data == "{}"
    with pytest.raises(ValidationError, match="data"):
        ServerSentEvent.model_validate({"event": "answer"})
