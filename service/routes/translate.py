"""POST /translate."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from functools import partial

from flask import Blueprint, Response, current_app, jsonify, request
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from service.access.guard import config_of_caller
from service.connection import SOCKET, ClientGone, raise_if_gone
from service.errors import fault_of
from service.routes.context import Context
from service.schemas.fields import read_fields
from service.schemas.translate.answer import TranslateAnswer, answer_to_json
from service.schemas.translate.events import ServerSentEvent, StreamEvent
from service.schemas.translate.request import TranslateBody, TranslateRequest
from service.specification.endpoint import JSON, Endpoint, Example, describe
from service.translation.events import Event, error_event, stream_events
from service.translation.plan import make_plan
from service.translation.run import Work, translate_all
from translator.errors import InputError

NDJSON, EVENT_STREAM = "application/x-ndjson", "text/event-stream"
UNBUFFERED = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
"""So that nginx and other proxies pass each event on at once."""

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
)


def blueprint(context: Context) -> Blueprint:
    """Return the address."""
    routes = Blueprint("translate", __name__)

    @routes.post("/translate")
    @describe(TRANSLATE)
    def translate() -> Response:
        """Translate, and answer when all is done or sentence by sentence."""
        languages = context.translator.languages
        wanted = TranslateRequest.read(
            read_fields(request), languages, config_of_caller(context.config)
        )
        mimetype = streamed_type(request.headers.get("Accept", ""))
        if mimetype is None:
            with context.place():
                outcome = translate_all(begin(context, wanted))
            return jsonify(answer_to_json(wanted, outcome))
        if wanted.num_alternatives:
            raise InputError("Invalid request: alternatives cannot be streamed; ask for 0")
        return _streamed(_events(context, wanted), mimetype)

    return routes


def streamed_type(header: str) -> str | None:
    """Return how an answer is to be streamed; None if it is not.

    It is for who prefers one of those types and names it: most clients accept `*/*`.

    Args:
        header: `Accept` of the request.
    """
    if not any(mimetype in header.lower() for mimetype in (NDJSON, EVENT_STREAM)):
        return None  # nearly always; the rest takes longer
    accepted = parse_accept_header(header, MIMEAccept)
    best = accepted.best_match([JSON, NDJSON, EVENT_STREAM])
    named = {value.lower() for value in accepted.values()}
    return best if best != JSON and best in named else None


def begin(context: Context, wanted: TranslateRequest) -> Work:
    """Plan what the request in hand wants to be done; time counts from here.

    Raises:
        InputError: see `make_plan`.
    """
    started_s = time.monotonic()
    return Work(
        request=wanted,
        plan=make_plan(wanted, context.translator.languages, context.detector),
        translator=context.translator,
        timeout_s=context.config.timeout_s or None,
        while_waiting=partial(raise_if_gone, request.environ.get(SOCKET)),
        started_s=started_s,
    )


def _events(context: Context, wanted: TranslateRequest) -> Generator[Event, None, None]:
    """Yield what is to be told, holding a place meanwhile."""
    with context.place():
        yield from stream_events(begin(context, wanted))


def _streamed(events: Generator[Event, None, None], mimetype: str) -> Response:
    """Return an answer that is sent event by event."""
    first = next(events)  # what fails before is an ordinary error
    log = current_app.logger.exception
    dumps = partial(current_app.json.dumps, separators=(",", ":"))
    encode = partial(_encode, dumps, mimetype == EVENT_STREAM)

    def relay() -> Iterator[str]:
        yield encode(first)
        try:
            yield from map(encode, events)
        except ClientGone:
            return
        except Exception as error:
            yield encode(_error_event(error, log))

    response = Response(relay(), mimetype=mimetype, headers=UNBUFFERED)
    response.call_on_close(events.close)
    return response


def _encode(dumps: Callable[[Event], str], is_event_stream: bool, event: Event) -> str:
    line = dumps(event)
    return f"event: {event['type']}\ndata: {line}\n\n" if is_event_stream else f"{line}\n"


def _error_event(error: Exception, log: Callable[[str], None]) -> Event:
    """Return the event of an error that came when the answer had begun."""
    fault = fault_of(error)
    if fault.status == 500:
        log("a streamed translation has failed")
    return error_event(fault.to_json(), fault.status)
