"""Answers that the worker gives by itself, in the shape of the service's errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from email.utils import formatdate
from http import HTTPStatus

from pydantic import BaseModel

from service.schemas.codes import code_of_status

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


def error_answer(
    status: HTTPStatus, message: str, headers: Mapping[str, str], shape: type[BaseModel]
) -> bytes:
    """Return a whole answer of JSON, after which the connection is closed.

    Args:
        status: of HTTP.
        message: what is wrong.
        headers: further ones.
        shape: of an error at this address.
    """
    every = {"error": message, "message": message, "code": code_of_status(status.value)}
    said = {name: value for name, value in every.items() if name in shape.model_fields}
    body = (json.dumps(said) + "\n").encode()
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        f"Date: {formatdate(usegmt=True)}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
