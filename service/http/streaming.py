"""Answers that come in parts, and whether the client is still there to read them."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Literal

from flask import Request, Response, current_app
from pydantic import Field
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_accept_header

from service.config import ServiceConfig
from service.http.endpoint import JSON
from service.http.errors import ErrorAnswer, fault_of
from service.http.fields import Answer, Json
from translator import Deadline

SOCKET = "gunicorn.socket"
"""Where the worker keeps a request's connection among the variables of WSGI."""


class ClientGone(HTTPException):
    """The client has closed the connection; nginx's status for the logs, since no one reads it."""

    code = 499
    description = "The client has closed the connection"


def raise_if_gone(connection: socket.socket | None) -> None:
    """Raise ClientGone if the other end has been closed; None is unknown, so still there.

    A client that has only shut down its sending half cannot be told from one that is gone, and is
    taken for it, as nginx does: clients of HTTP hardly ever do that. One that sends its next
    request ahead is still there; asking for the end alone, not for bytes, tells that.
    """
    if connection is None:
        return
    if connection.fileno() < 0:  # the worker has closed it, as it does if the answer is not read
        raise ClientGone
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP)
    if poll.poll(0):
        raise ClientGone


def deadline_of(config: ServiceConfig, request: Request) -> Deadline:
    """Return how long the client of a request waits, from now on: as long as it is there."""
    look = partial(raise_if_gone, request.environ.get(SOCKET))
    return Deadline.within(config.timeout_s or None, look)


class ErrorEvent(ErrorAnswer):
    """The translation has failed. This is the last event."""

    type: Literal["error"]
    status: int = Field(description="The status that it would have without streaming.")


class ServerSentEvent(Answer):
    """An event of a stream of `text/event-stream`."""

    event: Literal["sentence", "progress", "answer", "error"] = Field(
        description="The `type` of the data."
    )
    data: str = Field(
        description="A StreamEvent as JSON.",
        json_schema_extra={"contentMediaType": "application/json"},
    )


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


def streamed(events: Generator[Json, None, None], mimetype: str) -> Response:
    """Return an answer that is sent event by event, as NDJSON or EVENT_STREAM.

    What is raised before the first event is an ordinary error, and later an event.
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


def _encode(dumps: Callable[[Json], str], is_event_stream: bool, event: Json) -> str:
    line = dumps(event)
    for sign, escaped in LINE_ENDS.items():
        line = line.replace(sign, escaped)
    return f"event: {event['type']}\ndata: {line}\n\n" if is_event_stream else f"{line}\n"


def _error_event(error: Exception, log: Callable[[str], None]) -> Json:
    """Return the event of an error that came when the answer had begun."""
    fault = fault_of(error)
    if fault.status == 500:
        log("a streamed translation has failed")
    event = ErrorEvent(type="error", status=fault.status, **fault.to_json())
    return event.model_dump(exclude_unset=True)
