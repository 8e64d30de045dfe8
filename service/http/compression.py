"""Answers that are compressed for clients that take it: pages, scripts, long JSON and texts.

Requests are not: what is short may be very long when it is unpacked.
"""

from __future__ import annotations

import gzip

from flask import Response, request
from werkzeug.exceptions import UnsupportedMediaType

LEAST_BYTES, MOST_BYTES = 1024, 8 * 1024 * 1024
LEVEL = 5
ENCODING = "gzip"
WITH_BODY, MAX_SHOWN = {"POST", "PUT", "PATCH"}, 30
KINDS = {"application/json", "application/javascript", "image/svg+xml"}


def compress(response: Response) -> Response:
    """Return an answer, compressed if it is a text and long enough, and is no stream.

    Its ETag becomes a weak one, since it stands for the same content in other bytes. Who asks with
    it whether something has changed is answered as with the strong one.

    Source: RFC 9110, §8.8.1 and §13.1.2.
    """
    is_unchanged = response.status_code == 304
    is_whole = response.direct_passthrough or not response.is_streamed
    mimetype = response.mimetype or ""
    is_text = mimetype.startswith("text/") or mimetype in KINDS
    if not is_unchanged and not (response.status_code == 200 and is_whole and is_text):
        return response
    response.vary.add("Accept-Encoding")
    accepted = request.accept_encodings
    if not 0 < accepted.quality(ENCODING) >= accepted.quality("identity"):
        return response
    if not is_unchanged:
        num_bytes = response.content_length or response.calculate_content_length() or 0
        if not LEAST_BYTES < num_bytes <= MOST_BYTES:
            return response
        response.direct_passthrough = False
        response.data = gzip.compress(response.get_data(), LEVEL, mtime=0)
        response.headers["Content-Encoding"] = ENCODING
        response.headers.pop("Accept-Ranges", None)
    if "ETag" in response.headers:
        response.set_etag(str(response.get_etag()[0]), weak=True)
    return response


def refuse_compressed() -> None:
    """Refuse a request whose body is compressed, or encoded in another way: 415."""
    encoding = request.headers.get("Content-Encoding", "").strip()
    if request.method in WITH_BODY and encoding.lower() not in ("", "identity"):
        raise UnsupportedMediaType(
            f"The body has the Content-Encoding {encoding[:MAX_SHOWN]!r}, which is not read; "
            "send it without one"
        )
