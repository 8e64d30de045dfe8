"""The worker's own answers are whole, and in the shape of the service's errors."""

from __future__ import annotations

import json
from email.parser import BytesParser
from http import HTTPStatus

from service.schemas.errors import ErrorAnswer
from service.worker.answers import error_answer


def test_an_error_is_json_with_its_length_and_ends_the_connection() -> None:
    answer = error_answer(
        HTTPStatus.SERVICE_UNAVAILABLE, "zu voll: €", {"Retry-After": "1"}, ErrorAnswer
    )
    first, _, rest = answer.partition(b"\r\n")
    assert first == b"HTTP/1.1 503 Service Unavailable"
    head, _, body = rest.partition(b"\r\n\r\n")
    fields = BytesParser().parsebytes(head)
    assert json.loads(body) == {"error": "zu voll: €", "code": "busy"}
    assert int(fields["Content-Length"]) == len(body)
    assert (fields["Connection"], fields["Content-Type"]) == ("close", "application/json")
    assert fields["Retry-After"] == "1"
    assert fields["Date"].endswith(" GMT")
