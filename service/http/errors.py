"""Errors as answers: from exception class to HTTP status and code, in one shape of JSON."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from flask import Flask, current_app, jsonify, request
from gunicorn.http.errors import ParseException
from pydantic import Field
from werkzeug.exceptions import (
    BadRequest,
    ClientDisconnected,
    Forbidden,
    GatewayTimeout,
    HTTPException,
    InternalServerError,
    RequestEntityTooLarge,
    ServiceUnavailable,
)
from werkzeug.wrappers import Response

from service.http.fields import Answer, Json
from service.storage import DatabaseAwayError
from translator import Detected, NoRoomError
from translator.errors import (
    DeadlineExceededError,
    EngineClosedError,
    EngineOverloadedError,
    InputError,
    ModelDirectoryError,
    UnreadLanguageError,
)


class DetectedLanguage(Answer):
    """A language that a text may be written in."""

    confidence: float = Field(
        ge=0, le=100, description="0 to 100; 0 if nothing tells the languages apart."
    )
    language: str = Field(description="Its code.", examples=["de"])

    @classmethod
    def of(cls, detected: Detected) -> DetectedLanguage:
        """Return what a detector has found, to a tenth of a percent."""
        return cls(confidence=round(detected.confidence, 1), language=detected.language)


BY_STATUS = {
    400: "invalid",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow_request",
    413: "too_large",
    414: "too_large_head",
    415: "unsupported_media_type",
    417: "expectation_failed",
    429: "too_many_requests",
    431: "too_large_head",
    499: "client_gone",
    500: "failed",
    501: "not_implemented",
    503: "busy",
    504: "too_slow",
}
"""What an error is called that its status says all of."""

KEY_REQUIRED, INVALID_KEY, BANNED = "key_required", "invalid_key", "banned"
STOPPED, NOT_READY, MODEL_CHANGED = "stopped", "not_ready", "model_changed"


def code_of_status(status: int) -> str:
    """Return what an error is called of which nothing but its status is known."""
    return BY_STATUS.get(status, f"status_{status}")


class ErrorAnswer(Answer):
    """An error."""

    error: str = Field(
        description="What is wrong and what to do about it.",
        examples=["Invalid request: missing q parameter"],
    )
    code: str = Field(
        description="What kind of error it is: a word for programs, which stays the same.",
        examples=["text_too_long"],
    )
    limit: int = Field(
        default=0,
        description="What is allowed, where more was asked for: characters of a text, pieces of a "
        "sentence, or bytes of a request.",
        examples=[50_000],
    )
    detectedLanguage: DetectedLanguage | None = Field(
        default=None,
        description="With `source: auto`: the language of the text, if no model reads it.",
        examples=[{"confidence": 98.4, "language": "it"}],
    )


log = logging.getLogger(__name__)
RETRY_AFTER_S, AWAY_S, FULL_S = 1, 5, 60
MAX_MESSAGE_CHARS = 300
TOO_SLOW = "The translation takes longer than the server allows; send less text, or try again later"
AWAY = "The server's database cannot be used now; try again"  # the reason is in the log


def _malformed_body(_: str) -> BadRequest:
    """Chunked bodies are parsed while they are read, so their errors surface in the handlers."""
    return BadRequest("Malformed request: the body is incomplete or not correctly chunked")


def _model_changed(reason: str) -> ServiceUnavailable:
    """The reason names paths of the server, which are for its log."""
    log.error("%s; to read the models again, send SIGHUP", reason)
    return ServiceUnavailable(
        "The model's files have changed since the server read them; those who run it have to let "
        "it read them again"
    )


def _no_room(_: str) -> ServiceUnavailable:
    """The reason names a file of a client, and belongs neither into an answer nor the log."""
    log.error("no room on the disk of the run folder")
    return NotReady("The server has no room for the file now; try again later", retry_after=FULL_S)


STATUS: dict[type[Exception], Callable[[str], HTTPException]] = {
    InputError: BadRequest,  # includes UnsupportedLanguageError
    ParseException: _malformed_body,
    ClientDisconnected: _malformed_body,
    EngineOverloadedError: partial(ServiceUnavailable, retry_after=RETRY_AFTER_S),
    EngineClosedError: ServiceUnavailable,
    DeadlineExceededError: lambda _: GatewayTimeout(TOO_SLOW),  # and not which sentence was
    ModelDirectoryError: _model_changed,
    DatabaseAwayError: lambda _: NotReady(AWAY, retry_after=AWAY_S),
    NoRoomError: _no_room,
}


class KeyRequired(BadRequest):
    """A request without a key, where one is needed."""


class InvalidKey(Forbidden):
    """A request with a key that is wrong, or has expired."""


class Banned(Forbidden):
    """A request of a caller who has asked too often, and may ask again after some seconds."""

    def __init__(self, description: str, retry_after: int) -> None:
        super().__init__(description)
        self._retry_after = retry_after

    def get_headers(self, *arguments: Any, **options: Any) -> list[tuple[str, str]]:
        """Return the headers of the answer, with Retry-After."""
        return [
            *super().get_headers(*arguments, **options),
            ("Retry-After", str(self._retry_after)),
        ]


class NotReady(ServiceUnavailable):
    """A server that does not get translations done."""


CODES: dict[type[Exception], str] = {
    KeyRequired: KEY_REQUIRED,
    InvalidKey: INVALID_KEY,
    Banned: BANNED,
    EngineClosedError: STOPPED,
    ModelDirectoryError: MODEL_CHANGED,
    DatabaseAwayError: NOT_READY,
    NoRoomError: NOT_READY,
    NotReady: NOT_READY,
}
"""Where the status does not say all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """An error as it is answered.

    Attributes:
        http: status, message and headers.
        limit: what is allowed, where more was asked for.
        detected: the language that a text is in, where that is what is wrong.
    """

    http: HTTPException
    code: str
    limit: int | None = None
    detected: DetectedLanguage | None = None

    @property
    def status(self) -> int:
        """Return the status of HTTP."""
        return self.http.code or HTTPStatus.INTERNAL_SERVER_ERROR

    def to_json(self) -> Json:
        """Return the body of the answer."""
        fields: Json = {"error": message_of(self.http), "code": self.code}
        if self.limit is not None:
            fields["limit"] = self.limit
        if self.detected is not None:
            fields["detectedLanguage"] = self.detected.model_dump()
        return fields


def register_error_handlers(app: Flask) -> None:
    """Make every error of `app`, the framework's own included, a JSON answer."""
    for exception_class in STATUS:
        app.register_error_handler(exception_class, answer)
    app.register_error_handler(RequestEntityTooLarge, _answer_too_large)
    app.register_error_handler(HTTPException, answer)


def answer(error: Exception) -> Response:
    """Return an error as JSON, with its own headers such as Allow and Retry-After."""
    return _response(fault_of(error))


def _response(fault: Fault) -> Response:
    response = Response.force_type(fault.http.get_response())
    response.data = jsonify(fault.to_json()).data
    response.content_type = "application/json"
    return response


def message_of(error: HTTPException) -> str:
    """Return what an answer says of an error; not more than a few lines of it."""
    message = error.description or error.name
    if len(message) > MAX_MESSAGE_CHARS:
        message = message[: MAX_MESSAGE_CHARS - 1] + "…"
    return message


def fault_of(error: Exception) -> Fault:
    """Return an error as it is answered."""
    http = _http_error_of(error)
    if isinstance(error, UnreadLanguageError):
        detected = Detected(language=error.language, confidence=error.confidence)
        return Fault(http=http, code=error.code, detected=DetectedLanguage.of(detected))
    if isinstance(error, InputError):
        return Fault(http=http, code=error.code, limit=error.limit)
    codes = (code for exception_class, code in CODES.items() if isinstance(error, exception_class))
    return Fault(http=http, code=next(codes, code_of_status(http.code or 0)))


def _http_error_of(error: Exception) -> HTTPException:
    for exception_class, to_http_error in STATUS.items():
        if isinstance(error, exception_class):
            return to_http_error(str(error))
    return error if isinstance(error, HTTPException) else InternalServerError()


def _answer_too_large(_: RequestEntityTooLarge) -> Response:
    limits = current_app.config
    most = limits["MAX_CONTENT_LENGTH"]
    error = RequestEntityTooLarge(
        f"The request is too large: at most {most} bytes in all and, "
        f"in a multipart form, {limits['MAX_FORM_PARTS']} fields of at most "
        f"{limits['MAX_FORM_MEMORY_SIZE']} bytes are accepted"
    )
    is_whole = (request.content_length or 0) > most  # or else it is a form's number or its fields
    return _response(Fault(http=error, code=BY_STATUS[413], limit=most if is_whole else None))
