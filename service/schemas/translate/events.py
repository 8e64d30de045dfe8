"""POST /translate, streamed: an answer as a series of events."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from service.schemas.errors import ErrorAnswer
from service.schemas.translate.answer import Answer, SentenceAnswer, TranslateAnswer


class SentenceEvent(SentenceAnswer):
    """A sentence is translated.

    Separators and translations of a text joined are its whole translation; behind its last sentence
    comes an empty one, with the separator that is left.
    """

    type: Literal["sentence"]
    index: int = Field(description="The number of the text in `q`, from 0.")


class AnswerEvent(Answer):
    """All is translated. This is the last event."""

    type: Literal["answer"]
    answer: TranslateAnswer = Field(description="What would be answered without streaming.")


class ErrorEvent(ErrorAnswer):
    """The translation has failed. This is the last event."""

    type: Literal["error"]
    status: int = Field(description="The status that it would have without streaming.")


class StreamEvent(
    RootModel[Annotated[SentenceEvent | AnswerEvent | ErrorEvent, Field(discriminator="type")]]
):
    """One line of NDJSON, or the data of one server-sent event."""


class ServerSentEvent(Answer):
    """An event of a stream of `text/event-stream`."""

    event: Literal["sentence", "progress", "answer", "error"] = Field(
        description="The `type` of the data."
    )
    data: str = Field(
        description="A StreamEvent as JSON.",
        json_schema_extra={"contentMediaType": "application/json"},
    )
