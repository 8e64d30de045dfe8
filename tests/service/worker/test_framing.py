"""Heads and chunked bodies end where gunicorn's parser ends them, or are not sure."""

from __future__ import annotations

import dataclasses

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser

from service.worker.framing import (
    MAX_SIZE_LINE_BYTES,
    MAX_TRAILER_BYTES,
    ChunkedBody,
    Head,
    MalformedChunkError,
    read_head,
)

AMBIGUOUS = [
    b"Content-Length: 4\r\nTransfer-Encoding: chunked",
    b"Content-Length: 4\r\nContent-Length: 5",
    b"Content-Length: +4",
    b"Content-Length: 4, 4",
    b"Content-Length : 4",
    b"Content-Length: 4\r\n folded",
    b"Transfer-Encoding: identity, chunked",
    b"Transfer-Encoding: gzip",
    b"Transfer-Encoding: \x0bchunked",
    b"X: a\nContent-Length: 4",
    b"X: a\rContent-Length: 4",
    b"no colon",
]


@pytest.mark.parametrize("fields", AMBIGUOUS)
def test_an_ambiguous_head_is_not_sure(fields: bytes) -> None:
    head = b"POST /echo HTTP/1.1\r\n" + fields + b"\r\n\r\n"
    assert read_head(head) == Head(len(head))


TELLING = b"\0\t\n\x0b\r ,:;+-_#09AEaex\x7f\x85\xa0\xb2\xff"


def test_no_byte_makes_a_head_sure_that_gunicorns_parser_reads_otherwise() -> None:
    whole = b"POST /echo HTTP/1.1\r\nContent-Length: 12\r\nX: y\r\n\r\n"
    num_sure = 0
    for position in range(len(whole)):
        for byte in TELLING:
            changed = whole[:position] + bytes([byte]) + whole[position:]
            head = changed[: changed.find(b"\r\n\r\n") + 4]
            found = read_head(head)
            num_sure += found.is_sure
            if found.is_sure:
                check_against_gunicorn(head, found.length)
    assert num_sure > 300


def check_against_gunicorn(head: bytes, length: int | None) -> None:
    try:
        request = next(RequestParser(Config(), iter([head, b"x" * 200]), ("127.0.0.1", 1)))
    except (ParseException, StopIteration):
        return  # refused, so nothing can be smuggled
    assert len(request.body.read()) == min(length or 0, 200), head


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (b"GET /health?x=1 HTTP/1.1", Head(0, "GET", "/health", 0, False, True)),
        (b"POST / HTTP/1.1\r\nContent-Length: 4", Head(0, "POST", "/", 4, False, True)),
        (
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked",
            Head(0, "POST", "/", None, False, True),
        ),
        (b"POST / HTTP/1.1\r\nExpect: 100-continue", Head(0, "POST", "/", 0, True, True)),
        (b"POST / HTTP/1.0\r\nExpect: 100-continue", Head(0, "POST", "/", 0, False, True)),
        (b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked", Head(0)),
        (b"POST / HTTP/1.1\r\nExpect: tea", Head(0)),
        (b"POST / HTTP/2", Head(0)),
    ],
)
def test_a_head_says_how_much_follows(lines: bytes, expected: Head) -> None:
    head = lines + b"\r\n\r\n"
    assert read_head(head) == dataclasses.replace(expected, num_bytes=len(head))


def test_a_chunked_body_ends_at_the_same_byte_however_it_comes() -> None:
    body = b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n"
    received, chunks = bytearray(b"head"), ChunkedBody(4)
    for byte in body[:-1]:
        received.append(byte)
        assert chunks.find_end(received) is None
    received += body[-1:] + b"next"
    assert chunks.find_end(received) == 4 + len(body)
    assert ChunkedBody(0).find_end(bytearray(b"0\r\n\r\nnext")) == 5


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"x\r\n", "not a hexadecimal number"),
        (b"-1\r\n", "not a hexadecimal number"),
        (b"3\r\nabcd\r\n", "longer than its size"),
        (b"1" * MAX_SIZE_LINE_BYTES, "size is too long"),
        (b"0\r\n" + b"x" * MAX_TRAILER_BYTES, "trailer is too long"),
    ],
)
def test_a_malformed_chunk_is_told(body: bytes, message: str) -> None:
    with pytest.raises(MalformedChunkError, match=message):
        ChunkedBody(0).find_end(bytearray(body))
