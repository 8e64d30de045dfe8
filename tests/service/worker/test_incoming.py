"""What has come is cut into requests, at every byte the same."""

from __future__ import annotations

import pytest
from gunicorn.config import Config
from gunicorn.http.parser import RequestParser

from service.worker.incoming import (
    CHUNKING_BYTES,
    MAX_HEAD_BYTES,
    PIECE_BYTES,
    Incoming,
    RequestBytes,
    Stage,
)


@pytest.mark.parametrize("fields", [b"Content-Length: 3", b"Transfer-Encoding: chunked", b"X: y"])
def test_a_request_that_is_sure_ends_where_gunicorns_parser_ends_it(fields: bytes) -> None:
    body = b"3\r\nabc\r\n0\r\n\r\n" if b"chunked" in fields else b"abc" if b"3" in fields else b""
    request = b"POST / HTTP/1.1\r\n" + fields + b"\r\n\r\n" + body
    incoming = Incoming(10)
    for byte in range(len(request)):
        assert incoming.stage() in (Stage.HEAD, Stage.BODY)
        incoming.feed(request[byte : byte + 1])
    incoming.feed(b"next")
    assert incoming.stage() is Stage.COMPLETE
    taken = incoming.take()
    assert (taken.num_bytes, len(incoming)) == (len(request), len(b"next"))
    parser = RequestParser(Config(), taken, ("127.0.0.1", 1))
    assert next(parser).body.read() == (b"abc" if body else b"")
    assert not taken.ran_dry
    assert not parser.unreader.read()


def test_pieces_are_those_of_the_request_and_then_no_more() -> None:
    content = bytes(range(256)) * 100
    request = RequestBytes(content, is_sure=True, is_whole=True)
    pieces = []
    while not request.ran_dry:
        pieces.append(next(request, b""))
    assert b"".join(pieces) == content
    assert max(map(len, pieces)) == PIECE_BYTES


def test_a_head_without_an_end_is_too_long_at_some_byte() -> None:
    incoming = Incoming(10)
    incoming.feed(b"x" * MAX_HEAD_BYTES)
    assert incoming.stage() is Stage.HEAD
    incoming.feed(b"x")
    assert incoming.stage() is Stage.HEAD_TOO_LONG
    incoming.clear()
    assert (len(incoming), incoming.stage()) == (0, Stage.HEAD)


@pytest.mark.parametrize(
    "request_",
    [
        b"POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\nhello",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\nhello",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"%x\r\n" % (CHUNKING_BYTES * 2)
        + bytes(CHUNKING_BYTES + 11),
    ],
)
def test_what_no_one_knows_the_end_of_takes_all_that_follows_with_it(request_: bytes) -> None:
    incoming = Incoming(10)
    incoming.feed(request_)
    assert incoming.stage() is Stage.COMPLETE
    assert not incoming.take().is_whole
    assert len(incoming) == 0
