"""Answers that come in parts: each is an event, as a line of NDJSON or sent by the server."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial

from flask import Response, current_app
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from service.connection import ClientGone
from service.errors import fault_of
from service.schemas.translate.answer import ErrorEvent
from service.specification.endpoint import JSON
from service.translation.events import Event

NDJSON, EVENT_STREAM = "application/x-ndjson", "text/event-stream"
UNBUFFERED = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
"""So that nginx and other proxies pass each event on at once."""

LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What JSON may hold as it is, and where some programs would end a line all the same."""


def streamed_type(header: str) -> str | None:
    """Return how an answer is to be streamed, by the header `Accept`; None if it is not.

    It is streamed to who prefers one of those types and names it: most clients accept `*/*`.
    """
    if not any(mimetype in header.lower() for mimetype in (NDJSON, EVENT_STREAM)):
        return None  # nearly always; the rest takes longer
    accepted = parse_accept_header(header, MIMEAccept)
    best = accepted.best_match([JSON, NDJSON, EVENT_STREAM])
    named = {value.lower() for value in accepted.values()}
    return best if best != JSON and best in named else None


def streamed(events: Generator[Event, None, None], mimetype: str) -> Response:
    """Return an answer that is sent event by event.

    Args:
        events: what is raised before the first is an ordinary error, and later an event.
        mimetype: NDJSON or EVENT_STREAM.
    """
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
    for sign, escaped in LINE_ENDS.items():
        line = line.replace(sign, escaped)
    return f"event: {event['type']}\ndata: {line}\n\n" if is_event_stream else f"{line}\n"


def _error_event(error: Exception, log: Callable[[str], None]) -> Event:
    """Return the event of an error that came when the answer had begun."""
    fault = fault_of(error)
    if fault.status == 500:
        log("a streamed translation has failed")
    event = ErrorEvent(type="error", status=fault.status, **fault.to_json())
    return event.model_dump(exclude_unset=True)
