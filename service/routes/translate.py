"""POST /translate."""

from __future__ import annotations

from collections.abc import Generator

from flask import Blueprint, Response, jsonify, request

from service.access.callers import config_of_caller
from service.routes.context import Context
from service.routes.streaming import EVENT_STREAM, NDJSON, streamed, streamed_type
from service.schemas.fields import read_fields
from service.schemas.translate.answer import (
    ServerSentEvent,
    StreamEvent,
    TranslateAnswer,
    answer_to_json,
)
from service.schemas.translate.request import TranslateBody, TranslateRequest
from service.specification.endpoint import JSON, Endpoint, Example, describe
from service.translation.events import Event, stream_events
from service.translation.run import translate_all
from translator.errors import InputError

TRANSLATE = Endpoint(
    summary="Translate a text, or an array of texts",
    description="A text may have many sentences and lines. What lies between the sentences comes "
    "back as it was. The fields may also be in the query string. With `Accept: "
    "application/x-ndjson` or `text/event-stream`, each sentence is sent when it is done, and the "
    "whole answer at the end.",
    tag="translation",
    body=TranslateBody,
    answers={JSON: TranslateAnswer, NDJSON: StreamEvent, EVENT_STREAM: ServerSentEvent},
    errors=(400, 403, 413, 429, 503, 504),
    examples=(
        Example(
            summary="A text",
            fields={"q": "Guten Morgen!", "source": "de", "target": "en"},
            answer={"translatedText": "Good morning!"},
        ),
        Example(
            summary="Texts of whatever languages",
            fields={
                "q": ["Guten Morgen!", "The child is sleeping."],
                "source": "auto",
                "target": "en",
            },
            answer={
                "translatedText": ["Good morning!", "The child is sleeping."],
                "detectedLanguage": [
                    {"confidence": 97.1, "language": "de"},
                    {"confidence": 99.2, "language": "en"},
                ],
            },
        ),
        Example(
            summary="Other translations",
            fields={"q": "Guten Morgen!", "source": "de", "target": "en", "alternatives": 1},
            answer={"translatedText": "Good morning!", "alternatives": ["Good morning."]},
        ),
    ),
    access="counted",
    takes_place=True,
    is_repeatable=True,
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("translate", __name__)

    @routes.post("/translate")
    @describe(TRANSLATE)
    def translate() -> Response:
        """Translate, and answer when all is done or sentence by sentence."""
        languages = context.translator.languages
        translation_request = TranslateRequest.read(
            read_fields(request), languages, config_of_caller(context.config)
        )
        mimetype = streamed_type(request.headers.get("Accept", ""))
        if mimetype is None:
            with context.place():
                outcome = translate_all(context.begin(translation_request))
            return jsonify(answer_to_json(translation_request, outcome))
        if translation_request.num_alternatives:
            raise InputError("Invalid request: alternatives cannot be streamed; ask for 0")
        return streamed(_events(context, translation_request), mimetype)

    return routes


def _events(
    context: Context, translation_request: TranslateRequest
) -> Generator[Event, None, None]:
    """Yield what is to be told, holding a place meanwhile."""
    with context.place():
        yield from stream_events(context.begin(translation_request))
