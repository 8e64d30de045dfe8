"""Heads are refused if two servers could read them in two ways."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any, cast

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser
from waitress.adjustments import Adjustments

from service.config import ServiceConfig
from service.worker.loop import Channel, Parser, fault_of

SETTINGS = Config()
TELLING = b"\0\t\n\x0b\r ,:;+-_#09AEaex\x7f\x85\xa0\xb2\xff"


def parse(request: bytes) -> Parser:
    worker = SimpleNamespace(cfg=SETTINGS, service=ServiceConfig())
    parser = Parser(cast(Channel, SimpleNamespace(worker=worker)), Adjustments())
    parser.received(request)
    return parser


def test_no_byte_makes_a_head_good_that_another_parser_reads_otherwise() -> None:
    whole = b"POST /echo HTTP/1.1\r\nContent-Length: 12\r\nX: y\r\n\r\n"
    num_good = 0
    for position, byte in itertools.product(range(len(whole)), TELLING):
        changed = whole[:position] + bytes([byte]) + whole[position:]
        head = changed[: changed.find(b"\r\n\r\n") + 4]
        parser = parse(head)
        if parser.headers_finished and parser.error is None:
            num_good += 1
            assert length_for_another(head) in (parser.content_length, None), head
    assert num_good > 300


def length_for_another(head: bytes) -> int | None:
    """Return the length of the body as gunicorn's parser reads it; None if it refuses the head."""
    body = b"x" * 1000
    try:
        request: Any = next(RequestParser(SETTINGS, iter([head, body]), ("127.0.0.1", 1)))
        return min(len(request.body.read()), len(body))
    except (ParseException, StopIteration):
        return None


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (b"GET /health?x=1 HTTP/1.1", None),
        (b"POST / HTTP/1.0\r\nContent-Length: 4", None),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: Chunked", None),
        (b"POST / HTTP/1.1\r\nExpect: 100-Continue", None),
        (b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked", 400),
        (b"POST / HTTP/1.1\r\nExpect: tea", 417),
        (b"POST / HTTP/2", 400),
        (b"GET /" + b"x" * 4090 + b" HTTP/1.1", 414),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 8190, 431),
    ],
)
def test_what_a_head_may_say(lines: bytes, code: int | None) -> None:
    fault = fault_of(lines + b"\r\n\r\n", SETTINGS)
    assert (fault and fault.code) == code
