"""Bytes in and out of a connection, and who has waited longest."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from email.parser import BytesParser
from http import HTTPStatus
from pathlib import Path

import pytest
from gunicorn.config import Config
from gunicorn.http.parser import RequestParser

from service.http.errors import ErrorAnswer
from service.worker import outgoing as module
from service.worker.incoming import (
    CHUNKING_BYTES,
    MAX_HEAD_BYTES,
    PIECE_BYTES,
    Incoming,
    RequestBytes,
    Stage,
)
from service.worker.outgoing import MAX_UNSENT_BYTES, Outgoing
from service.worker.traffic import error_answer
from service.worker.waiting import Connection, Phase, Waiting


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


LARGE = bytes(range(256)) * 4000  # more than a socket takes at once, less than may be unsent


@pytest.fixture
def ends() -> Iterator[tuple[Outgoing, socket.socket]]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.settimeout(10)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    outgoing = Outgoing(ours)
    yield outgoing, theirs
    outgoing.close()
    theirs.close()


def read(outgoing: Outgoing, theirs: socket.socket, num_bytes: int) -> bytes:
    received = b""
    while len(received) < num_bytes:
        received += theirs.recv(65536)
        outgoing.flush()
    return received


def test_what_the_client_does_not_take_waits_in_order(
    ends: tuple[Outgoing, socket.socket], tmp_path: Path
) -> None:
    outgoing, theirs = ends
    assert len(LARGE) < MAX_UNSENT_BYTES
    (tmp_path / "file").write_bytes(LARGE[::-1])
    outgoing.sendall(b"")
    assert outgoing.flush()
    outgoing.sendall(LARGE)
    assert 0 < outgoing.unsent_bytes < len(LARGE)
    with (tmp_path / "file").open("rb") as file:
        assert outgoing.sendfile(file, 1000, 5000) == 5000
        assert outgoing.sendfile(file, 10) == len(LARGE) - 10
    outgoing.sendall(b"end")
    expected = LARGE + LARGE[::-1][1000:6000] + LARGE[::-1][10:] + b"end"
    assert read(outgoing, theirs, len(expected)) == expected
    assert outgoing.unsent_bytes == 0


def test_a_client_that_reads_nothing_of_much_is_given_up(
    ends: tuple[Outgoing, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 0.01)
    with pytest.raises(BrokenPipeError, match="the client reads its answer too slowly"):
        ends[0].sendall(bytes(3 * MAX_UNSENT_BYTES))


def test_a_file_that_becomes_shorter_breaks_the_answer_off(
    ends: tuple[Outgoing, socket.socket], tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    with (
        (tmp_path / "file").open("rb") as file,
        pytest.raises(BrokenPipeError, match="a file became shorter"),
    ):
        ends[0].sendfile(file, 0, 4)


def test_closing_forgets_what_is_unsent_and_100_continue_of_gunicorn_is_dropped(
    ends: tuple[Outgoing, socket.socket], tmp_path: Path
) -> None:
    outgoing, theirs = ends
    assert outgoing.send(b"HTTP/1.1 100 Continue\r\n\r\n") == 25
    assert (outgoing.flush(), outgoing.gettimeout()) == (True, 0.0)
    (tmp_path / "file").write_bytes(LARGE)
    outgoing.sendall(LARGE)
    with (tmp_path / "file").open("rb") as file:
        outgoing.sendfile(file)
    outgoing.close()
    assert (outgoing.unsent_bytes, outgoing.fileno()) == (0, -1)
    theirs.close()


TIMEOUTS_S = dict.fromkeys(Phase, 30.0) | {Phase.HEAD: 10.0}


@pytest.fixture
def connections() -> Iterator[list[Connection]]:
    pairs = [socket.socketpair() for _ in range(3)]
    yield [Connection(ours, ("127.0.0.1", 1), ("127.0.0.1", 2), 1000) for ours, _ in pairs]
    for pair in pairs:
        for end in pair:
            end.close()


def test_those_that_have_waited_too_long_are_told(connections: list[Connection]) -> None:
    first, second, third = connections
    waiting = Waiting(TIMEOUTS_S)
    waiting.put(first, Phase.HEAD, 0)
    waiting.put(second, Phase.BODY, 1)
    waiting.put(third, Phase.HEAD, 5)
    assert waiting.overdue(9.9) == []
    assert waiting.overdue(10) == [first]
    assert waiting.overdue(31) == [first, third, second]
    assert waiting.oldest() is first
    waiting.put(first, Phase.HEAD, 100)
    assert first.since_s == 0, "who stays in a phase does not wait anew"
    waiting.put(first, Phase.IDLE, 100)
    assert waiting.oldest() is second
    assert waiting.in_phase(Phase.IDLE) == [first]


def test_what_is_held_is_counted_as_it_comes_and_goes(connections: list[Connection]) -> None:
    first, second, _ = connections
    waiting = Waiting(TIMEOUTS_S)
    assert (waiting.largest(), waiting.oldest(), waiting.held_bytes) == (None, None, 0)
    first.incoming.feed(bytes(10))
    waiting.put(first, Phase.HEAD, 0)
    second.incoming.feed(bytes(30))
    waiting.put(second, Phase.HEAD, 0)
    assert (waiting.held_bytes, waiting.largest()) == (40, second)
    first.incoming.feed(bytes(40))
    waiting.put(first, Phase.HEAD, 1)
    assert (waiting.held_bytes, waiting.largest()) == (80, first)
    waiting.remove(first)
    waiting.remove(first)
    assert (waiting.held_bytes, first.phase) == (30, None)


@pytest.mark.parametrize(
    ("sent", "is_alike"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", True),
        (b"GET / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n", False),
    ],
)
def test_a_request_is_read_alike_or_its_connection_is_not_kept(
    connections: list[Connection], sent: bytes, is_alike: bool
) -> None:
    connection = connections[0]
    assert not connection.is_sure
    connection.incoming.feed(sent)
    assert connection.incoming.stage() is Stage.COMPLETE
    connection.take_request()
    assert (connection.is_sure, connection.is_whole) == (is_alike, is_alike)
    connection.begin_parsing(Config())
    if is_alike:
        assert connection.parser is not None
        next(connection.parser).body.read()
    assert connection.is_read_alike() is is_alike


def test_closing_forgets_what_is_unread(connections: list[Connection]) -> None:
    connections[0].incoming.feed(b"half")
    connections[0].close()
    assert (connections[0].held_bytes, connections[0].is_closed) == (0, True)


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
    assert re.fullmatch("[0-9a-f]{32}", fields["X-Request-ID"])
