"""Errors as answers: one table from exception class to HTTP status, one shape of JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Flask, current_app, jsonify
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import (
    BadRequest,
    ClientDisconnected,
    GatewayTimeout,
    HTTPException,
    InternalServerError,
    RequestEntityTooLarge,
    ServiceUnavailable,
)
from werkzeug.wrappers import Response

from translator.errors import (
    DeadlineExceededError,
    EngineClosedError,
    EngineOverloadedError,
    InputError,
)

RETRY_AFTER_S = 1
MAX_MESSAGE_CHARS = 300


def _malformed_body(_: str) -> BadRequest:
    """Chunked bodies are parsed while they are read, so their errors surface in the handlers."""
    return BadRequest("Malformed request: the body is incomplete or not correctly chunked")


def _too_slow(_: str) -> GatewayTimeout:
    """The sentence that was too late says nothing of the request that it is of."""
    return GatewayTimeout(
        "The translation takes longer than the server allows; send less text, or try again later"
    )


STATUS: dict[type[Exception], Callable[[str], HTTPException]] = {
    InputError: BadRequest,  # includes UnsupportedLanguageError
    ParseException: _malformed_body,
    ClientDisconnected: _malformed_body,
    EngineOverloadedError: partial(ServiceUnavailable, retry_after=RETRY_AFTER_S),
    EngineClosedError: ServiceUnavailable,
    DeadlineExceededError: _too_slow,
}


def register_error_handlers(app: Flask) -> None:
    """Make every error of `app`, the framework's own included, a JSON answer."""
    for exception_class, to_http_error in STATUS.items():
        app.register_error_handler(exception_class, partial(_answer_known, to_http_error))
    app.register_error_handler(RequestEntityTooLarge, _answer_too_large)
    app.register_error_handler(HTTPException, answer)


def answer(error: HTTPException) -> Response:
    """Return `error` as JSON, with its own headers such as Allow and Retry-After."""
    response = Response.force_type(error.get_response())
    response.data = jsonify({"error": message_of(error)}).data
    response.content_type = "application/json"
    return response


def message_of(error: HTTPException) -> str:
    """Return what an answer says of an error; not more than a few lines of it."""
    message = error.description or error.name
    if len(message) > MAX_MESSAGE_CHARS:
        message = message[: MAX_MESSAGE_CHARS - 1] + "…"
    return message


def http_error_of(error: Exception) -> HTTPException:
    """Return an error as the status and message that it is answered with."""
    if isinstance(error, HTTPException):
        return error
    for exception_class, to_http_error in STATUS.items():
        if isinstance(error, exception_class):
            return to_http_error(str(error))
    return InternalServerError()


def _answer_known(to_http_error: Callable[[str], HTTPException], error: Exception) -> Response:
    return answer(to_http_error(str(error)))


def _answer_too_large(_: RequestEntityTooLarge) -> Response:
    limits = current_app.config
    return answer(
        RequestEntityTooLarge(
            f"The request is too large: at most {limits['MAX_CONTENT_LENGTH']} bytes in all and, "
            f"in a multipart form, {limits['MAX_FORM_PARTS']} fields of at most "
            f"{limits['MAX_FORM_MEMORY_SIZE']} bytes are accepted"
        )
    )
