"""Connections wait in the order in which they came; the oldest and the largest are known."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from gunicorn.config import Config

from service.worker.incoming import Stage
from service.worker.waiting import Connection, Phase, Waiting

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
        next(connection.parser).body.read()
    assert connection.is_read_alike() is is_alike


def test_closing_forgets_what_is_unread(connections: list[Connection]) -> None:
    connections[0].incoming.feed(b"half")
    connections[0].close()
    assert (connections[0].held_bytes, connections[0].is_closed) == (0, True)
